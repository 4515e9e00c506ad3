/** The first settings of a project as text: short, commented, and valid as they stand. Pure. */
import { stringify } from 'yaml';
import { defaultRunLimit } from '../policy/budget-backstop.ts';
import { settingsVersion } from '../policy/upgrade-settings.ts';
import { amountText } from '../policy/budget-settings.ts';
import type { DetectedProject } from './detect-project.ts';
import type { KnownAgent } from './known-agents.ts';

export function configText(project: DetectedProject, agents: readonly KnownAgent[]): string {
  const first = agents[0]?.name ?? 'worker';
  return [
    '# yaml-language-server: $schema=./config.schema.json',
    '# Settings of Forge for this project. Everything has a default; remove what you do not need.',
    ...(project.stack.length === 0 ? [] : [`# Found: ${project.stack.join(', ')}.`]),
    '',
    `version: ${settingsVersion}`,
    '',
    ...agentLines(agents),
    '',
    '# Who does what, where it is not the first agent: a name, or { agent, tier, model, effort }. See forge agents.',
    `# roles: { planner: ${first}, developer: ${first}, tester: { agent: ${first}, tier: light }, learner: ${first} }`,
    '',
    `# What a run may use up; without a word about it, ${amountText(defaultRunLimit)}.`,
    '# budget: { usd: 5, minutes: 120, task: { usd: 2 } }',
    '',
    ...checkLines(project),
    ...setupLines(project),
    '',
  ].join('\n');
}

function agentLines(agents: readonly KnownAgent[]): readonly string[] {
  if (agents.length === 0) {
    return [
      '# Install an agent that Forge knows (forge doctor lists them) and run forge init again: it adds the agent here.',
      '# Or use the agent that comes with Forge, with the key of a provider or a model of your own; or any program that',
      '# reads a prompt on standard input and writes its result to the file named in $FORGE_RESULT:',
      '# agents:',
      '#   own: { driver: builtin, provider: anthropic, model: claude-sonnet-4-6 }   # with ANTHROPIC_API_KEY',
      '#   local: { driver: builtin, provider: openai-compatible, baseUrl: "http://127.0.0.1:11434/v1", model: qwen3-coder }',
      '#   worker: { driver: command, run: [my-agent, --once], env: [MY_AGENT_KEY] }',
      'agents: {}',
    ];
  }
  return [
    '# Programs that do the work, each in a jail. The first plays every role: move another up, or name it under roles.',
    ...yaml({ agents: Object.fromEntries(agents.map(({ name, settings }) => [name, settings])) }),
  ];
}

function checkLines({ checks }: DetectedProject): readonly string[] {
  if (checks.length === 0) {
    return [
      '# No check was found. Without one, nothing can be verified: name the commands that must pass.',
      '# checks: { run: ["make test"] }',
    ];
  }
  const sources = [...new Set(checks.map((check) => check.from))].join(', ');
  return [
    `# What must pass before anything is merged (from ${sources}).`,
    ...yaml({ checks: { run: checks.map(({ run }) => ({ run })) } }),
  ];
}

function setupLines({ setup }: DetectedProject): readonly string[] {
  if (setup === undefined) return [];
  return [
    '',
    '# How a fresh checkout gets its dependencies; reused while the inputs are the same.',
    ...yaml({ workspace: { setup } }),
  ];
}

function yaml(value: object): readonly string[] {
  return stringify(value, { collectionStyle: 'any', lineWidth: 0 }).trimEnd().split('\n');
}
