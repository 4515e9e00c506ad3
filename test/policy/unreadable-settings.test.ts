/** Settings that are no settings: what brings them to today's version refuses them, in whole sentences. */
import { expect, it } from 'vitest';
import { ForgeError } from '../../src/errors.ts';
import { upgradeSettings } from '../../src/policy/upgrade-settings.ts';

it.each([
  ['no YAML', '{{{'],
  ['an alias to itself', 'a: &a [*a]\n'],
  ['a list', '- 1\n- 2\n'],
  ['a number', '7'],
  ['too deep', `${'a: {'.repeat(2000)}${'}'.repeat(2000)}`],
])('%s', (_, text) => {
  expect(() => upgradeSettings(text)).toThrow(ForgeError);
  expect(() => upgradeSettings(text)).toThrow(/^\.forge\/config\.yaml cannot be read: \S/);
});

it.each([
  ['nothing', ''],
  ['only a comment', '# later\n'],
  ['settings without a version', 'parallel: 2\n'],
])('%s can be upgraded', (_, text) => {
  expect(upgradeSettings(text).text).toContain('version: 1');
});
