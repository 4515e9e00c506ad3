/** A login goes in as copies and comes back only as a renewed credential, whatever the agent does with its directory. */
import { mkdirSync, readdirSync, readFileSync, renameSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { describe, expect, it } from 'vitest';
import { hasSameShape } from '../../../src/agents/acp/credential-shape.ts';
import { mirrorLogin } from '../../../src/agents/acp/login-mirror.ts';
import { knownRecords } from '../../../src/agents/acp/known-records.ts';
import { tempDir } from '../../support/temp.ts';

const first = JSON.stringify({ oauth: { access: 'a1', refresh: 'r1', expires: 1 } });
const second = JSON.stringify({ oauth: { access: 'a2', refresh: 'r2', expires: 2, scopes: ['x'] } });

function scene() {
  const [from, home] = [tempDir('forge-login'), tempDir('forge-home')];
  writeFileSync(join(from, 'token.json'), first);
  writeFileSync(join(from, 'settings.json'), '{"mine":true}');
  const to = join(home, '.agent');
  const login = { directory: '.agent', variable: undefined, credentials: ['token.json'], copies: ['settings.json'] };
  const mirror = mirrorLogin(from, to, login);
  const theirs = (name = 'token.json'): string => readFileSync(join(from, name), 'utf8');
  return { from, to, mirror, theirs, own: join(to, 'token.json') };
}

const until = async (condition: () => boolean): Promise<void> => {
  while (!condition()) await sleep(20);
};

describe('a mirrored login', () => {
  it('takes back a credential renewed in place, while the agent still works', async () => {
    const { mirror, own, theirs } = scene();
    writeFileSync(own, second);
    await until(() => theirs() === second);
    expect(mirror.stop()).toEqual([]);
  });

  it('takes back one renewed by a rename, and leaves no copy behind', () => {
    const { mirror, own, to, from, theirs } = scene();
    writeFileSync(`${own}.new`, second);
    renameSync(`${own}.new`, own);
    expect([mirror.stop(), theirs(), readdirSync(to), readdirSync(from).sort()]).toEqual([
      [],
      second,
      [],
      ['settings.json', 'token.json'],
    ]);
  });

  it('brings in what the person’s own program renewed, which counts when both changed', async () => {
    const { mirror, own, from, theirs } = scene();
    writeFileSync(join(from, 'token.json'), second);
    await until(() => readFileSync(own, 'utf8') === second);
    writeFileSync(join(from, 'token.json'), first);
    writeFileSync(own, second.replace('a2', 'a3'));
    expect([mirror.stop(), theirs()]).toEqual([[], first]);
  });

  it.each([
    ['something else than JSON', (own: string) => writeFileSync(own, 'rm -rf /')],
    ['other fields', (own: string) => writeFileSync(own, '{"oauth":{"access":"a"}}')],
    [
      'a hook beside the token',
      (own: string) => writeFileSync(own, second.replace('{"oauth"', '{"hooks":{"run":"x"},"oauth"')),
    ],
    [
      'a huge file',
      (own: string) =>
        writeFileSync(own, JSON.stringify({ oauth: { access: 'x'.repeat(300_000), refresh: 'r', expires: 1 } })),
    ],
    ['a directory', (own: string) => (rmSync(own), mkdirSync(own))],
    ['a link to a file outside', (own: string) => (rmSync(own), symlinkSync('/etc/passwd', own))],
  ])('does not take back %s', (_name, spoil) => {
    const { mirror, own, theirs } = scene();
    spoil(own);
    mirror.stop();
    expect(theirs()).toBe(first);
  });

  it('does not follow a link that takes the place of its directory', async () => {
    const { mirror, to, from, theirs } = scene();
    const elsewhere = tempDir('forge-elsewhere');
    renameSync(to, `${to}.old`);
    symlinkSync(elsewhere, to);
    writeFileSync(join(from, 'token.json'), second);
    await until(() => readFileSync(join(`${to}.old`, 'token.json'), 'utf8') === second);
    mirror.stop();
    expect([readdirSync(elsewhere), theirs()]).toEqual([[], second]);
  });

  it('never takes back settings', () => {
    const { mirror, to, theirs } = scene();
    writeFileSync(join(to, 'settings.json'), '{"mine":false}');
    mkdirSync(join(to, 'hooks'));
    mirror.stop();
    expect(theirs('settings.json')).toBe('{"mine":true}');
  });
});

it('every known agent says which files of its login are renewed, and no settings are among them', () => {
  const names = knownRecords.flatMap(({ login }) => login?.credentials ?? []);
  expect(names.length).toBeGreaterThan(3);
  expect(names.filter((name) => /settings|config|hook|plugin|command|mcp|history|\//.test(name))).toEqual([]);
});

it.each([
  ['{"a":1}', '{"a":2}', true],
  ['{"a":null}', '{"a":"x"}', true],
  ['{"a":"x"}', '{"a":"y","b":3}', true],
  ['{"a":"x"}', '{"a":"y","b":{"c":1}}', false],
  ['{"a":{"b":1}}', '{"a":"x"}', false],
  ['{"a":1}', '{}', false],
  ['{"a":1}', '[1]', false],
  ['{"a":1}', 'null', false],
])('%s renewed as %s: %s', (before, after, same) => expect(hasSameShape(before, after)).toBe(same));
