/** `forge agents`: what there is to work with; `forge agents test <name>` has one of them make a file. */

import { openContext } from '../api/context.ts';
import { type AgentReport, type LoginMeans, listAgents } from '../api/list-agents.ts';
import { followOperation, performOperation } from '../api/operation.ts';
import { type TrialStep, testAgent } from '../api/test-agent.ts';
import { ForgeError } from '../errors.ts';
import { plainLine } from '../views/terminal-text.ts';
import type { CommandCall } from './commands.ts';
import { printJson } from './print.ts';

export async function run({ words: [verb, name], switches }: CommandCall): Promise<number> {
  const json = switches.has('json');
  if (verb === undefined) return list(json);
  if (verb !== 'test') {
    throw new ForgeError('bad-input', `agents has no action ${JSON.stringify(verb)}`, {
      hint: 'See forge agents --help.',
    });
  }
  if (name === undefined) {
    throw new ForgeError('bad-input', 'Which agent is to be tested?', { hint: 'forge agents test <name>' });
  }
  return test(name, json);
}

async function list(json: boolean): Promise<number> {
  const agents = await performOperation(listAgents, openContext({ cwd: process.cwd() }), {});
  if (json) {
    printJson(agents);
    return 0;
  }
  if (agents.length === 0) {
    console.log('No agent is configured or installed that Forge knows. forge doctor says how to get one.');
    return 0;
  }
  const [configured, others] = [agents.filter((one) => one.configured), agents.filter((one) => !one.configured)];
  for (const agent of configured) show(agent);
  if (configured.length === 0) console.log('None is configured: forge init writes those that are found.');
  if (others.length > 0) console.log('\nInstalled, not in .forge/config.yaml:');
  for (const agent of others) show(agent);
  console.log('\nTry one: forge agents test <name>');
  return 0;
}

function show(agent: AgentReport): void {
  const { name, title, version, start, program } = agent;
  const starts = start.status === 'ready' || start.status === 'found';
  const mark = !starts ? '✗' : hasMeans(agent.means) ? '✓' : '!';
  const what = [title, version].filter((part) => part !== undefined && part !== '').join(' ');
  console.log(`${mark} ${plainLine(name)}: ${plainLine(what)}`);
  for (const line of [
    startLine(agent),
    program === undefined ? undefined : `program: ${program}`,
    meansLine(agent.means),
    `limits: ${agent.limits === 'hard' ? 'hard, its requests are metered' : 'soft, what it uses is known afterwards at best'}`,
    modelsLine(agent),
    agent.roles.length === 0 ? undefined : `roles: ${agent.roles.join(', ')}`,
    agent.next === undefined ? undefined : `at its limit: ${agent.next} takes over`,
  ])
    if (line !== undefined) console.log(`    ${plainLine(line)}`);
}

function startLine({ start }: AgentReport): string | undefined {
  if (start.status === 'ready') return 'starts in the jail';
  if (start.status === 'found') return 'is there; it is started only with work to do';
  const hint = start.hint === undefined ? '' : ` (${start.hint})`;
  return `${start.status === 'missing' ? 'not installed' : start.status === 'held' ? 'not tried' : 'does not start'}: ${start.reason}${hint}`;
}

function hasMeans(means: readonly LoginMeans[]): boolean {
  return means.length === 0 || means.some((one) => (one.kind === 'key' ? one.set : one.present && one.used));
}

function meansLine(means: readonly LoginMeans[]): string | undefined {
  if (means.length === 0) return undefined;
  const words = means.map((one) => {
    if (one.kind === 'key') return `${one.variable} is ${one.set ? 'set' : 'not set'}`;
    const use = one.used ? 'used' : 'not used, login: true would';
    return `login in ${one.directory} ${one.present ? `is there (${use})` : 'is not there'}`;
  });
  return `authentication: ${words.join('; ')}`;
}

function modelsLine({ models, unpriced }: AgentReport): string {
  const tiers = Object.entries(models);
  if (tiers.length === 0) return "models: the agent's own default for every tier";
  const free = unpriced.length === 0 ? '' : `; price not known: ${unpriced.join(', ')}`;
  return `models: ${tiers.map(([tier, model]) => `${tier} ${model}`).join(', ')}${free}`;
}

async function test(name: string, json: boolean): Promise<number> {
  const leave = new AbortController();
  const context = openContext({ cwd: process.cwd(), signal: leave.signal });
  const interrupted = (): void => leave.abort();
  process.on('SIGINT', interrupted);
  let last: TrialStep | undefined;
  try {
    for await (const step of followOperation(testAgent, context, { name })) {
      if (json) printJson(step);
      else tell(step);
      last = step;
    }
  } finally {
    process.off('SIGINT', interrupted);
  }
  if (leave.signal.aborted) return 130;
  return last?.ok === true ? 0 : 1;
}

function tell({ ok, text, hint, step }: TrialStep): void {
  const mark = step === 'note' ? '·' : ok ? '✓' : '✗';
  console.log(`${mark} ${plainLine(text)}`);
  if (hint !== undefined) console.log(`    ${plainLine(hint)}`);
}
