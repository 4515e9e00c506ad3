import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { knownRecords } from '../../src/agents/acp/known-records.ts';
import { knownAgents } from '../../src/policy/agent-settings.ts';
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
    ['checks: { run: ["npm test", "  "] }', 'config.yaml, checks.run[1]: The entry is blank'],
    ['checks: { run: [{ run: "" }] }', 'config.yaml, checks.run[0]: '],
    ['checks: { run: [{ run: [" ", "x"] }] }', 'config.yaml, checks.run[0]: '],
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

  it.each([
    ['agents: { a: { driver: acp } }', 'agents.a: Neither a known agent nor a program is named.'],
    ['agents: { a: { driver: acp, agent: cluade } }', 'agents.a.agent: Forge does not know "cluade".'],
    [
      'agents: { a: { driver: builtin, provider: openai-compatible, model: m } }',
      'agents.a.baseUrl: It is missing, and an OpenAI-compatible provider has no usual address.',
    ],
    [
      'agents: { a: { driver: builtin, provider: openai, model: m, network: loopback } }',
      'agents.a.network: With "loopback" the agent reaches neither its provider nor the meter.',
    ],
    ['agents: { a: { driver: acp, agent: claude, next: b } }', 'agents.a.next: There is no agent "b".'],
    ['agents: { a: { driver: acp, agent: claude, effort: hgih } }', 'agents.a.effort: There is no effort "hgih".'],
    ['roles: { developer: nobody }', 'roles.developer: There is no agent "nobody".'],
    ['roles: { developer: { agent: nobody } }', 'roles.developer.agent: There is no agent "nobody".'],
    ['roles: { developer: { effort: lots } }', 'roles.developer.effort: There is no effort "lots".'],
    ['agents: { a: { driver: command, run: x } }', 'agents.a.run: It is a string, not a list.'],
    [
      'agents: { a: { driver: acp, agent: claude, baseUrl: "localhost:1" } }',
      'agents.a.baseUrl: It is an address with http:// or https://.',
    ],
    [
      'agents: { a: { driver: acp, agent: claude, key: sk-ant-12345 } }',
      'agents.a.key: It is the name of a variable, such as ANTHROPIC_API_KEY, never what is in it.',
    ],
  ])('refuse %s before anything begins', (text, said) => {
    const found = refusal(text);
    expect(found).toMatchObject({ code: 'bad-config', message: `config.yaml, ${said}` });
    expect(found?.hint).toBeTruthy();
  });

  it('name the agents that there are records of', () => {
    expect(knownAgents).toEqual(knownRecords.map(({ name }) => name));
  });

  it('take agents that are named well', () => {
    const text = `agents:
  a: { driver: acp, agent: claude, next: b, effort: HIGH }
  b: { driver: acp, run: [mine], network: off }
roles: { planner: b, developer: { agent: a, effort: max } }`;
    expect(refusal(text)).toBeUndefined();
  });

  it('take a section without anything in it as not there', () => {
    const sections = [
      'agents',
      'roles',
      'checks',
      'scope',
      'workspace',
      'budget',
      'prices',
      'trouble',
      'jail',
      'memory',
    ];
    const empty = parseSettings(sections.map((name) => `${name}:\n  # nothing yet\n`).join(''), 'config.yaml');
    expect(empty).toEqual(parseSettings('', 'config.yaml'));
  });

  it('say all mistakes at once, also what only a closer look shows, and what was meant', () => {
    const found = refusal('agents: []\nchecks: { run: ["", 3, "  "], timeuot: 3 }\nbuget: { usd: 1 }');
    expect(found?.message.split('\n').slice(1)).toEqual([
      '  - agents: It is a list, not an object. Write an object.',
      '  - checks.run[1]: It is a number, not a string or an object. Write a string or an object.',
      '  - checks.timeuot: There is no field "timeuot". Did you mean "timeout"? If not, remove it.',
      '  - buget: There is no field "buget". Did you mean "budget"? If not, remove it.',
      '  - checks.run[0]: The entry is blank, so there is nothing to run. Give a command, or remove it.',
      '  - checks.run[2]: The entry is blank, so there is nothing to run. Give a command, or remove it.',
    ]);
  });

  it('say what names lead nowhere beside an agent that cannot be read, and whose name is known all the same', () => {
    const agents = 'agents: { robot: { driver: scripted }, b: { driver: scripted, script: s.yaml, next: gone } }';
    const found = refusal(
      `${agents}\nroles: { planner: nobody, developer: robot }\ncommits: { as: { name: A, email: a } }`,
    );
    expect(found?.message.split('\n').slice(1)).toEqual([
      '  - agents.robot.script: It is missing. Add "script": a string.',
      '  - agents.b.next: There is no agent "gone". Configured: "robot" and "b".',
      '  - commits.as: It is not for a file: Forge asks git who you are when a run starts. Use "author: user".',
      '  - roles.planner: There is no agent "nobody". Configured: "robot" and "b".',
    ]);
  });

  it('refuse text that is nested without end', () => {
    expect(refusal('['.repeat(20_000))?.message).toBe(
      'config.yaml is not YAML: It is nested more than 200 levels deep at line 1',
    );
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
