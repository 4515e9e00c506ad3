/**
 * Tries one agent for real: starts it and hears what it is, then has it make one file in a scratch repository, through
 * the same dispatch, jail, meter and budget as any work. What happened comes step by step; a step that failed says what
 * to do. Nothing is left but the account's bill.
 */
import { mkdir, mkdtemp, realpath, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { z } from 'zod';
import { openForge } from '../compose.ts';
import type { EffectOutput } from '../engine/effect-map.ts';
import type { ExecutionEnd } from '../engine/execution.ts';
import type { Fact } from '../engine/facts.ts';
import { ForgeError } from '../errors.ts';
import { initRepository } from '../git/init-repository.ts';
import { type AgentSettings, agentSettingsSchema } from '../policy/agent-settings.ts';
import { type Settings, settingsSchema } from '../policy/settings.ts';
import { requireTrust } from '../trust/consent.ts';
import { agentTrial, trialKey } from '../workflows/agent-trial.ts';
import type { ApiContext } from './context.ts';
import { findAgents, knownAgents } from './known-agents.ts';
import type { JsonOf, StreamOperation } from './operation.ts';
import { openProbing } from './probe-agents.ts';
import { projectHere } from './project-settings.ts';
import { suggestWord } from './suggest.ts';

const input = z.strictObject({ name: z.string() });

const output = z.strictObject({
  step: z.enum(['settings', 'start', 'work', 'note', 'result', 'usage']),
  ok: z.boolean(),
  text: z.string(),
  hint: z.string().optional(),
});
export type TrialStep = JsonOf<typeof output>;

/** More than one file ever needs, and little enough to lose. */
const budget = { usd: 1, tokens: 500_000, turns: 40, minutes: 15 };
const limits = { wallMs: 10 * 60_000, idleMs: 3 * 60_000 };

export const testAgent: StreamOperation<typeof input, typeof output> = {
  name: 'test-agent',
  kind: 'stream',
  description: 'Has an agent make one file in a scratch repository, and tells step by step how it went.',
  input,
  output,
  async *run(context, { name }) {
    const { agent, settings } = await agentNamed(context, name);
    yield* trial({ name, agent, settings, context, signal: context.signal });
  },
};

/** As the project has it; one that is only installed as `forge init` would write it. */
async function agentNamed(context: ApiContext, name: string): Promise<{ agent: AgentSettings; settings: Settings }> {
  const project = await projectHere(context);
  const settings = project?.settings ?? settingsSchema.parse({});
  const own = settings.agents[name];
  if (own !== undefined) {
    if (project !== undefined) requireTrust(project, context.env);
    return { agent: own, settings };
  }
  const installed = findAgents(context.env);
  const found = installed.find((agent) => agent.name === name);
  if (found !== undefined) return { agent: agentSettingsSchema.parse(found.settings), settings };
  const known = knownAgents.find((agent) => agent.name === name);
  if (known !== undefined) {
    throw new ForgeError('agent-unavailable', `${name} is not installed`, { hint: `Install it: ${known.install}` });
  }
  const names = [...Object.keys(settings.agents), ...installed.map((agent) => agent.name)];
  throw new ForgeError('bad-input', `There is no agent ${JSON.stringify(name)}`, {
    hint: suggestWord(name, names, 'See forge agents.'),
  });
}

interface Trying {
  readonly name: string;
  readonly agent: AgentSettings;
  readonly settings: Settings;
  readonly context: ApiContext;
  readonly signal: AbortSignal;
}

async function* trial(trying: Trying): AsyncGenerator<TrialStep> {
  const start = await startStep(trying);
  if (start !== undefined) yield start;
  if (start?.ok === false) return;
  const root = await realpath(await mkdtemp(join(tmpdir(), 'forge-trial-')));
  try {
    yield* work(trying, root);
  } catch (error) {
    if (!(error instanceof ForgeError)) throw error;
    yield failure('work', error);
  } finally {
    await rm(root, { recursive: true, force: true });
  }
}

/** Of those that can be asked what they are without work. */
async function startStep({ name, agent, settings, context }: Trying): Promise<TrialStep | undefined> {
  if (agent.driver !== 'acp' && agent.driver !== 'builtin') return undefined;
  const { acpFacts } = await import('../agents/acp/open-acp-agent.ts');
  const probing = await openProbing(settings.jail.mode, context.env);
  try {
    const { record } = acpFacts(name, agent, context.env);
    const program = agent.driver === 'acp' ? agent.run : undefined;
    const probe = await probing.probe({ record, program }, agent.network);
    if (probe.status === 'ready') {
      const what = [probe.name ?? record.title, probe.version].filter(Boolean).join(' ');
      return { step: 'start', ok: true, text: `${what} starts (${probe.program})` };
    }
    const hint = probe.status === 'missing' ? probe.hint : undefined;
    return { step: 'start', ok: false, text: probe.reason, ...(hint === undefined ? {} : { hint }) };
  } catch (error) {
    if (error instanceof ForgeError) return failure('settings', error);
    throw error;
  } finally {
    await probing.close();
  }
}

async function* work({ name, agent, settings, context, signal }: Trying, root: string): AsyncGenerator<TrialStep> {
  const cwd = join(root, 'scratch');
  await mkdir(cwd);
  await writeFile(join(cwd, 'README.md'), 'A repository to try an agent in.\n');
  await initRepository(cwd, 'Scratch');
  const trialSettings = settingsSchema.parse({
    agents: { [name]: withoutNext(agent) },
    roles: { developer: ownWishes(settings) },
    budget,
    prices: settings.prices,
    jail: settings.jail,
    trouble: { retries: 1, longestWait: 1 },
  });
  const forge = await openForge({
    cwd,
    dataDir: join(root, 'data'),
    stateDir: join(root, 'state'),
    settings: trialSettings,
    env: context.env,
    workflows: [agentTrial],
  });
  const news = queue<Fact>();
  const { head, branch } = forge.repo;
  const handle = await forge.engine.start(
    {
      run: 'trial',
      title: `a trial of ${name}`,
      workflow: agentTrial.name,
      base: head,
      branch,
      root: cwd,
      input: { agent: name, limits },
      settings: trialSettings,
    },
    { whenWaiting: 'leave', onFact: (fact) => news.push(fact) },
  );
  const stop = (): void => handle.pause('interrupted');
  signal.addEventListener('abort', stop, { once: true });
  void handle.ended.then(() => news.end());
  for await (const fact of news.all()) yield* factSteps(fact);
  signal.removeEventListener('abort', stop);
  yield endStep(await handle.ended);
}

/** Nobody else takes over: this one is tried. */
function withoutNext(agent: AgentSettings): object {
  return Object.fromEntries(Object.entries(agent).filter(([name]) => name !== 'next'));
}

/** What the developer's settings say besides whom. */
function ownWishes({ roles }: Settings): Partial<Exclude<Settings['roles'][string], string>> {
  const own = roles['developer'];
  if (own === undefined || typeof own === 'string') return {};
  const { tier, effort } = own;
  return { ...(tier === undefined ? {} : { tier }), ...(effort === undefined ? {} : { effort }) };
}

function* factSteps(fact: Fact): Generator<TrialStep> {
  if (fact.key !== trialKey) return;
  if (fact.type === 'effect.progressed') {
    const { note, process: started } = fact.data;
    if (started !== undefined) yield { step: 'work', ok: true, text: `works in its jail (pid ${started.pid})` };
    if (note !== undefined) yield { step: 'note', ok: true, text: note };
  }
  if (fact.type !== 'effect.finished') return;
  const { outcome, route, changes } = fact.data.output as unknown as EffectOutput<'agent.run'>;
  const made = changes.map(({ path }) => path).join(', ') || 'nothing';
  const model = route?.model === undefined ? '' : ` with ${route.model}`;
  yield { step: 'work', ok: true, text: `ended${model}; changed ${made}` };
  const { inputTokens, outputTokens, costUsd, turns } = outcome.usage;
  const cost = costUsd > 0 ? `, $${costUsd.toFixed(4)}` : '';
  yield {
    step: 'usage',
    ok: true,
    text: `${turns} model calls, ${inputTokens} tokens in, ${outputTokens} out${cost}`,
  };
}

function endStep(end: ExecutionEnd): TrialStep {
  if (end.status === 'done') return { step: 'result', ok: true, text: 'it made the file and gave its result' };
  const hint = end.status === 'stopped' && end.error instanceof ForgeError ? end.error.hint : undefined;
  return { step: 'result', ok: false, text: end.reason || end.status, ...(hint === undefined ? {} : { hint }) };
}

function failure(step: TrialStep['step'], error: ForgeError): TrialStep {
  return { step, ok: false, text: error.message, ...(error.hint === undefined ? {} : { hint: error.hint }) };
}

/** What is pushed, in order, until the end. */
function queue<T>() {
  const waiting: T[] = [];
  let wake = (): void => {};
  let over = false;
  return {
    push(item: T): void {
      waiting.push(item);
      wake();
    },
    end(): void {
      over = true;
      wake();
    },
    async *all(): AsyncGenerator<T> {
      for (;;) {
        yield* waiting.splice(0);
        if (over && waiting.length === 0) return;
        if (waiting.length === 0)
          await new Promise<void>((resolve) => {
            wake = resolve;
          });
      }
    },
  };
}
