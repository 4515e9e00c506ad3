/** The first settings of a project as text: short, commented, and valid as they stand. Pure. */
import { stringify } from 'yaml';
import type { DetectedProject } from './detect-project.ts';
import type { KnownAgent } from './known-agents.ts';

export function configText(project: DetectedProject, agents: readonly KnownAgent[]): string {
  const first = agents[0]?.name ?? 'worker';
  return [
    '# yaml-language-server: $schema=./config.schema.json',
    '# Settings of Forge for this project. Everything has a default; remove what you do not need.',
    ...(project.stack.length === 0 ? [] : [`# Found: ${project.stack.join(', ')}.`]),
    '',
    ...agentLines(agents),
    '',
    `# roles: { planner: ${first}, developer: ${first}, tester: ${first}, learner: ${first} }`,
    '',
    ...checkLines(project),
    ...setupLines(project),
    '',
  ].join('\n');
}

function agentLines(agents: readonly KnownAgent[]): readonly string[] {
  if (agents.length === 0) {
    return [
      '# No agent was found that Forge knows. Any program will do that reads a prompt on standard input and writes its',
      '# result to the file named in $FORGE_RESULT. It runs in a jail and gets only the variables listed under env.',
      '# agents:',
      '#   worker: { driver: command, run: [my-agent, --once], env: [MY_AGENT_KEY] }',
      'agents: {}',
    ];
  }
  return [
    '# Programs that do the work, each in a jail. The first plays every role unless you say otherwise.',
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
