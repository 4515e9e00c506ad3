/** The first settings of a project as text: short, commented, and valid as they stand. Pure. */
import { stringify } from 'yaml';
import type { DetectedProject } from './detect-project.ts';
import type { KnownAgent } from './known-agents.ts';

export function configText(project: DetectedProject, agents: readonly KnownAgent[]): string {
  return [
    '# yaml-language-server: $schema=./config.schema.json',
    '# Settings of Forge for this project. Everything has a default; remove what you do not need.',
    ...(project.stack.length === 0 ? [] : [`# Found: ${project.stack.join(', ')}.`]),
    '',
    ...agentLines(agents),
    '',
    '# Which agent plays which role; without this, the first one plays all.',
    '# roles: { planner: claude, developer: claude, tester: claude, learner: claude }',
    '',
    ...checkLines(project),
    ...setupLines(project),
    '',
  ].join('\n');
}

function agentLines(agents: readonly KnownAgent[]): readonly string[] {
  const usable = agents.filter((agent) => agent.run !== undefined);
  const others = agents.filter((agent) => agent.run === undefined).map((agent) => agent.name);
  const note = others.length === 0 ? [] : [`# Also installed, but not configured: ${others.join(', ')}.`];
  if (usable.length === 0) {
    return [
      ...note,
      '# An agent is any program that reads a prompt on standard input and writes its result to the file',
      '# named in $FORGE_RESULT. It runs in a jail and gets only the variables listed under env.',
      '# agents:',
      '#   worker: { driver: command, run: [my-agent, --once], env: [MY_AGENT_KEY] }',
      'agents: {}',
    ];
  }
  const entries = usable.map(({ name, run, env }) => [name, { driver: 'command', run, env }]);
  return [
    '# Programs that do the work, each in a jail, with only those variables of yours that are listed under env.',
    ...note,
    ...yaml({ agents: Object.fromEntries(entries) }),
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
