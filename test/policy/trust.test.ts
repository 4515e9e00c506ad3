import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { parseSettings, settingsSchema } from '../../src/policy/settings.ts';
import { type OwnFile, trustQuestion } from '../../src/policy/trust.ts';
import { trustFields } from '../../src/policy/trust-fields.ts';

const ask = (text: string, files: readonly OwnFile[] = []) =>
  trustQuestion({ settings: parseSettings(text, 'c'), files });

describe('trust', () => {
  it('is not asked for what can do no harm', () => {
    expect(ask('')).toBeUndefined();
    expect(ask('parallel: 5\nbudget: { task: { usd: 1 } }')).toBeUndefined();
    expect(ask('scope: { undeclared: refuse, judge: refuse }\nchecks: { network: "off" }')).toBeUndefined();
  });

  it.each([
    [
      'agents: { a: { driver: command, run: [x, "--y"], env: [KEY] } }',
      'the agent a starts ["x","--y"] (network on), with KEY of your environment',
    ],
    ['agents: { a: { driver: scripted, script: s.yaml } }', 'the agent a plays the script s.yaml'],
    [
      'agents: { a: { driver: builtin, provider: anthropic, model: m } }',
      'the agent a uses anthropic (network on), which can cost money',
    ],
    ['jail: { mode: none }', 'agents and checks run without a jail'],
    ['jail: { readable: [/opt/x] }', 'contained programs may read /opt/x'],
    ['checks: { run: ["npm test"] }', 'checks run npm test'],
    ['checks: { network: "on" }', 'checks may use the network'],
    ['workspace: { copy: [.env] }', 'workspaces get a copy of .env'],
    [
      'workspace: { setup: { run: [npm, ci], outputs: [node_modules] } }',
      'workspaces are set up by ["npm","ci"] (network on)',
    ],
    ['scope: { deletion: allow }', 'changes of the case "deletion" are answered with "allow"'],
    ['scope: { unprotected: [.husky] }', '.husky is not protected'],
    ['scope: { secret: ask }', 'changes of the case "secret" are answered with "ask"'],
    ['budget: { minutes: 9 }', 'a run may use 9 min, and nothing else of it is limited'],
    ['prices: { m: { input: 0, output: 0 } }', 'm counts as $0 in and $0 out per million tokens'],
    ['trouble: { retries: 20 }', 'trouble.retries is 20'],
  ])('is asked for %s', (text, point) => {
    expect(ask(text)?.points).toContain(point);
  });

  it('is asked again when the content changes, and only then', () => {
    const role = (digest: string): OwnFile[] => [{ path: '.forge/roles/developer.md', use: 'role', digest }];
    const first = ask('parallel: 2', role('one'));
    expect(first?.points).toEqual(['.forge/roles/developer.md tells agents what to do']);
    expect(ask('parallel: 9', role('one'))?.digest).toBe(first?.digest);
    expect(ask('parallel: 2', role('two'))?.digest).not.toBe(first?.digest);
  });
});

/** Settings that set the field, each in two ways of which at least one has to be asked about. */
const samples: Readonly<Record<string, readonly string[]>> = {
  'agents.*.driver': ['agents: { a: { driver: scripted, script: s } }', 'agents: { a: { driver: command, run: [s] } }'],
  'agents.*.script': [
    'agents: { a: { driver: scripted, script: s } }',
    'agents: { a: { driver: scripted, script: t } }',
  ],
  'agents.*.run': ['agents: { a: { driver: command, run: [s] } }', 'agents: { a: { driver: command, run: [t] } }'],
  'agents.*.env': [
    'agents: { a: { driver: command, run: [s] } }',
    'agents: { a: { driver: command, run: [s], env: [K] } }',
  ],
  'agents.*.network': [
    'agents: { a: { driver: command, run: [s] } }',
    'agents: { a: { driver: command, run: [s], network: loopback } }',
  ],
  'agents.*.agent': ['agents: { a: { driver: acp, agent: claude } }', 'agents: { a: { driver: acp, agent: codex } }'],
  'agents.*.login': [
    'agents: { a: { driver: acp, agent: claude } }',
    'agents: { a: { driver: acp, agent: claude, login: true } }',
  ],
  'agents.*.meter': [
    'agents: { a: { driver: acp, agent: claude } }',
    'agents: { a: { driver: acp, agent: claude, meter: "off" } }',
  ],
  'agents.*.meter.allowFields': [
    'agents: { a: { driver: acp, agent: claude } }',
    'agents: { a: { driver: acp, agent: claude, meter: { allowFields: [x] } } }',
  ],
  'agents.*.meter.fees.*': [
    'agents: { a: { driver: acp, agent: claude, meter: { fees: { x: 1 } } } }',
    'agents: { a: { driver: acp, agent: claude, meter: { fees: { x: 2 } } } }',
  ],
  'agents.*.provider': [
    'agents: { a: { driver: builtin, provider: openai, model: m } }',
    'agents: { a: { driver: builtin, provider: anthropic, model: m } }',
  ],
  'agents.*.key': [
    'agents: { a: { driver: acp, agent: claude } }',
    'agents: { a: { driver: acp, agent: claude, key: OTHER } }',
  ],
  'agents.*.baseUrl': [
    'agents: { a: { driver: acp, agent: claude } }',
    'agents: { a: { driver: acp, agent: claude, baseUrl: "http://evil.example" } }',
  ],
  'checks.run': ['', 'checks: { run: [x] }'],
  'checks.timeout': ['', 'checks: { timeout: 86400 }'],
  'checks.network': ['', 'checks: { network: "on" }'],
  'checks.caches': ['', 'checks: { caches: [/x] }'],
  'scope.unprotected': ['', 'scope: { unprotected: [x] }'],
  'checks.env.*': ['', 'checks: { env: { NODE_OPTIONS: x } }'],
  'checks.path': ['', 'checks: { path: [/x] }'],
  'checks.hooks': ['', 'checks: { hooks: [pre-commit] }'],
  'workspace.copy': ['', 'workspace: { copy: [x] }'],
  'workspace.setup.run': setups('run: [x]', 'run: [y]'),
  'workspace.setup.inputs': setups('inputs: [x]', 'inputs: [y]'),
  'workspace.setup.outputs': setups('outputs: [x]', 'outputs: [y]'),
  'workspace.setup.network': setups('network: "on"', 'network: "off"'),
  'workspace.setup.timeout': setups('timeout: 1', 'timeout: 2'),
  'prices.*.input': prices('input: 1', 'input: 2'),
  'prices.*.output': prices('output: 1', 'output: 2'),
  'prices.*.cacheRead': prices('cacheRead: 1', 'cacheRead: 2'),
  'prices.*.cacheWrite': prices('cacheWrite: 1', 'cacheWrite: 2'),
  'prices.*.context': prices('context: 1', 'context: 2'),
  'prices.*.maxOutput': prices('maxOutput: 1', 'maxOutput: 2'),
  'trouble.retries': ['', 'trouble: { retries: 20 }'],
  'trouble.longestWait': ['', 'trouble: { longestWait: 1 }'],
  'trouble.handoffAt': ['', 'trouble: { handoffAt: 1 }'],
  history: ['', 'history: all'],
  'pipelines.*.phases': [
    'pipelines: { a: { phases: [{ command: plan, role: plan }] } }',
    'pipelines: { a: { phases: [{ command: plan, role: plan, model: large }] } }',
  ],
  'pipelines.*.gates': [
    'pipelines: { a: { phases: [{ command: plan, role: plan }], gates: a.md } }',
    'pipelines: { a: { phases: [{ command: plan, role: plan }], gates: b.md } }',
  ],
  'commits.author': ['', 'commits: { author: user }'],
  rehearsal: ['', 'rehearsal: true'],
  'jail.mode': ['', 'jail: { mode: none }'],
  'jail.readable': ['', 'jail: { readable: [/x] }'],
  'jail.limits.memory': ['', 'jail: { limits: { memory: 64 } }'],
  'jail.limits.processes': ['', 'jail: { limits: { processes: 9999 } }'],
  'jail.limits.files': ['', 'jail: { limits: { files: 99999 } }'],
  'jail.limits.disk': ['', 'jail: { limits: { disk: 99999 } }'],
  ...Object.fromEntries(
    ['usd', 'tokens', 'turns', 'minutes', 'attempts'].map((name) => [
      `budget.${name}`,
      [`budget: { ${name}: 60 }`, `budget: { ${name}: 120 }`],
    ]),
  ),
  ...Object.fromEntries(
    Object.keys(settingsSchema.parse({}).scope)
      .filter((name) => !['protectedPaths', 'unprotected'].includes(name))
      .map((name) => [`scope.${name}`, ['', `scope: { ${name}: allow }`]]),
  ),
};

function setups(...wishes: readonly string[]): readonly string[] {
  return wishes.map((wish) => {
    const usual = ['run: [x]', 'outputs: [x]'].filter((field) => !wish.startsWith(field.split(':', 1)[0] ?? ''));
    return `workspace: { setup: { ${[...usual, wish].join(', ')} } }`;
  });
}

function prices(...wishes: readonly string[]): readonly string[] {
  return wishes.map((wish) => {
    const usual = ['input: 1', 'output: 1'].filter((field) => !wish.startsWith(field.split(':', 1)[0] ?? ''));
    return `prices: { m: { ${[...usual, wish].join(', ')} } }`;
  });
}

describe('every field of the settings', () => {
  const fields = fieldsOf(z.toJSONSchema(settingsSchema, { io: 'input' }) as Schema);

  it('is known to be harmless, with the reason, or to need consent', () => {
    expect([...fields].sort()).toEqual(Object.keys(trustFields).sort());
    for (const rule of Object.values(trustFields)) expect(rule).toMatch(/^trust$|^harmless: .{20}/);
  });

  const trusted = Object.keys(trustFields).filter((field) => trustFields[field] === 'trust');
  // What is allowed by default cannot be loosened.
  const loosest = trusted.filter((field) => valueAt(settingsSchema.parse({}), field) === 'allow');

  it.each(trusted.filter((field) => !loosest.includes(field)))('%s is asked about again when it changes', (field) => {
    const [one = '', other = ''] = samples[field] ?? [];
    expect(ask(other), `add a sample of ${field}`).toBeDefined();
    expect(ask(other)?.digest).not.toBe(ask(one)?.digest);
  });
});

interface Schema {
  readonly type?: string;
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly additionalProperties?: Schema | boolean;
  readonly anyOf?: readonly Schema[];
  readonly oneOf?: readonly Schema[];
}

function fieldsOf(schema: Schema, path = ''): ReadonlySet<string> {
  const below = (name: string): string => (path === '' ? name : `${path}.${name}`);
  const inner = [
    ...[...(schema.anyOf ?? []), ...(schema.oneOf ?? [])].flatMap((one) => [...fieldsOf(one, path)]),
    ...Object.entries(schema.properties ?? {}).flatMap(([name, one]) => [...fieldsOf(one, below(name))]),
    ...(typeof schema.additionalProperties === 'object' ? [...fieldsOf(schema.additionalProperties, below('*'))] : []),
  ];
  return new Set(inner.length === 0 && path !== '' ? [path] : inner);
}

function valueAt(value: unknown, path: string): unknown {
  return path.split('.').reduce<unknown>((at, name) => (at as Record<string, unknown> | undefined)?.[name], value);
}
