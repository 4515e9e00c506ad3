import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { parseSettings } from '../../src/policy/settings.ts';
import { ForgeError } from '../../src/errors.ts';

function refusal(text: string): { code: string; message: string; hint: string | undefined } | undefined {
  try {
    parseSettings(text, 'config.yaml');
    return undefined;
  } catch (error) {
    if (!(error instanceof ForgeError)) throw error;
    return { code: error.code, message: error.message, hint: error.hint };
  }
}

describe('settings', () => {
  it('have defaults someone would choose', () => {
    const settings = parseSettings('', 'config.yaml');
    expect(settings).toMatchObject({
      agents: {},
      parallel: 3,
      checks: { run: [], timeout: 120, network: 'loopback', caches: [] },
      workspace: { copy: [] },
      jail: { mode: 'auto', readable: [] },
    });
    expect(settings.scope).toMatchObject({ undeclared: 'allow', deletion: 'refuse', foreign: 'refuse', judge: 'ask' });
  });

  it('are documented by an example that is read as it stands', () => {
    const page = readFileSync(join(import.meta.dirname, '../../docs/settings.md'), 'utf8');
    const example = /```yaml\n(.*?)```/s.exec(page)?.[1] ?? '';
    expect(Object.keys(parseSettings(example, 'docs').agents)).toEqual(['worker', 'claude', 'own', 'rehearsal']);
  });

  it.each([
    ['parallel: many', 'config.yaml, parallel: '],
    ['checks: { timeout: -1 }', 'config.yaml, checks.timeout: '],
    ['chekcs: {}', 'config.yaml, chekcs: '],
    ['agents: { worker: { driver: magic } }', 'config.yaml, agents.worker'],
    ['agents: { worker: { driver: command, run: [] } }', 'config.yaml, agents.worker.run'],
    ['scope: { deletion: never }', 'config.yaml, scope.deletion: '],
    ['a: 1\na: 2', 'config.yaml is not YAML: '],
    ['{', 'config.yaml is not YAML: '],
    ['- a', 'config.yaml, (root): '],
  ])('refuse %s with the place and a fix', (text, beginning) => {
    const found = refusal(text);
    expect(found?.code).toBe('bad-config');
    expect(found?.message.slice(0, beginning.length)).toBe(beginning);
    expect(found?.hint).toBeTruthy();
  });

  it('refuse a document that would expand without end', () => {
    const bomb = `a: &a [x,x,x,x,x,x,x,x,x]\n${'bcdefghi'
      .split('')
      .map((name, at) => `${name}: &${name} [${`*${'abcdefgh'[at]},`.repeat(9)}]`)
      .join('\n')}`;
    expect(refusal(bomb)?.code).toBe('bad-config');
  });

  it('turn any text into settings or a clear refusal, never anything else', () => {
    fc.assert(
      fc.property(
        fc.oneof(fc.string(), fc.json(), fc.string({ unit: fc.constantFrom(...Array.from('-:{}[]&*!|>\n a1"\'#%')) })),
        (text) => {
          const found = refusal(text);
          expect(found === undefined || found.code === 'bad-config').toBe(true);
        },
      ),
      { numRuns: 400 },
    );
  });
});
