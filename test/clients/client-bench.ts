/**
 * One real client at work: in a workspace and a home of its own, in the jail, with a model that says what a script says
 * behind the meter. Secrets are planted where a careless program would find them; afterwards nothing may be left.
 */
import { execFileSync } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { acpDriver } from '../../src/agents/acp/driver.ts';
import type { AgentJob, ResultVerdict } from '../../src/agents/agent.ts';
import { SharedLedger } from '../../src/agents/meter/shared-ledger.ts';
import { openMeteringProxy } from '../../src/agents/meter/proxy.ts';
import { AllotmentPurse } from '../../src/agents/meter/purse.ts';
import type { WatchClock } from '../../src/agents/watchdog.ts';
import type { AgentOutcome } from '../../src/policy/agent-outcome.ts';
import { emptyLedger } from '../../src/policy/budget.ts';
import type { Usage } from '../../src/policy/usage.ts';
import { createRedactor } from '../../src/process/redact.ts';
import { frozenClock, makeWorkshop, type Recorder, recorder, type Workshop } from '../agents/workshop.ts';
import { type ClientName, findClient, provenClients } from './install.ts';
import type { Script } from './model-server/script.ts';
import { type ModelServer, startModelServer } from './model-server/server.ts';

/** Names that the client knows well enough to offer its usual tools. */
export const models: Readonly<Record<ClientName, string>> = {
  claude: 'claude-sonnet-4-5',
  codex: 'gpt-6.1-sol',
  opencode: 'scripted-model',
  gemini: 'gemini-2.5-pro',
};

/** In the user's environment, and never to be seen again. */
export const providerKey = 'sk-provider-8d1f5c2e7b';

export interface ClientBench {
  readonly model: ModelServer;
  readonly workshop: Workshop;
  readonly work: (prompt: string, detail?: WorkDetail) => Promise<Work>;
  /** Processes that still belong to this bench. */
  readonly processes: () => readonly string[];
  /** Files of the workspace, the home and the temporary folder that hold the text. */
  readonly filesWith: (text: string) => readonly string[];
  readonly close: () => Promise<void>;
}

export interface WorkDetail {
  readonly session?: string | undefined;
  /** Without it the client asks the model itself, and usage is what the client says. */
  readonly metered?: boolean;
  readonly clock?: WatchClock;
  /** The directory of a login that is used instead of a key. */
  readonly login?: string;
}

export interface Work {
  readonly outcome: AgentOutcome;
  readonly metered: Usage | undefined;
  readonly heard: Recorder;
}

export const resultSchema = {
  type: 'object',
  properties: { status: { type: 'string', enum: ['success', 'failed'] }, summary: { type: 'string' } },
  required: ['status', 'summary'],
  additionalProperties: false,
};
export const wrongSummary = 'the summary says too little';

function judge(result: unknown): ResultVerdict {
  const { summary } = result as { summary?: unknown };
  if (typeof summary !== 'string') return { ok: false, problem: 'summary: it must be text' };
  return summary.length > 1 ? { ok: true } : { ok: false, problem: wrongSummary };
}

export async function openClientBench(name: ClientName, script: Script): Promise<ClientBench> {
  const record = provenClients[name];
  const bin = findClient(name);
  const model = await startModelServer(script);
  const proxy = await openMeteringProxy();
  const workshop = makeWorkshop();
  execFileSync('git', ['init', '-q', workshop.tree], { env: { PATH: process.env['PATH'] ?? '', HOME: workshop.home } });
  const redactor = createRedactor({ PROVIDER_KEY: providerKey });
  const account = new SharedLedger(emptyLedger({ run: {}, task: {}, roles: {} }));
  let jobs = 0;

  const work = async (prompt: string, detail: WorkDetail): Promise<Work> => {
    const { session, login, metered = login === undefined, clock = frozenClock } = detail;
    jobs += 1;
    const id = `job-${jobs}`;
    await account.reserve({ id, role: 'developer', want: {}, min: {} });
    const purse = new AllotmentPurse(account, id);
    const { wire } = record;
    if (wire === undefined) throw new Error('a proven client can be metered');
    const lease = proxy.lease({ wire, upstream: model.url, key: providerKey, purse });
    const driver = acpDriver({
      name,
      record,
      env: { PATH: `${bin}:/usr/local/bin:/usr/bin:/bin` },
      redactor,
      clock,
      ...(metered ? {} : { url: model.url }),
      ...(login === undefined ? {} : { login }),
      ...(metered || login !== undefined ? {} : { key: providerKey }),
    });
    const plain = workshop.job();
    const job: AgentJob = {
      ...plain,
      prompt,
      resultSchema,
      judge,
      session,
      run: workshop.marker,
      model: models[name],
      workspace: { ...plain.workspace, policy: { ...plain.workspace.policy, network: 'on' } },
      limits: { ...plain.limits, outputBytes: 64 * 1024 * 1024 },
      ...(metered ? { meter: lease } : {}),
    };
    const heard = recorder();
    try {
      const outcome = await driver.run(job, heard, new AbortController().signal);
      return { outcome, heard, metered: metered ? lease.usage() : undefined };
    } finally {
      await lease.close();
    }
  };
  return {
    model,
    workshop,
    work: (prompt, detail = {}) => work(prompt, detail),
    processes: () => processesOf(workshop.marker),
    filesWith: (text) => [workshop.tree, workshop.home, workshop.tmp].flatMap((directory) => holding(directory, text)),
    async close() {
      await proxy.close();
      await model.close();
      workshop.close();
    },
  };
}

/** Whatever still runs with the bench's marker in its environment, in a jail or out of it. */
export function processesOf(marker: string): readonly string[] {
  return readdirSync('/proc')
    .filter((pid) => /^\d+$/.test(pid) && Number(pid) !== process.pid)
    .flatMap((pid) => {
      try {
        if (!readFileSync(`/proc/${pid}/environ`, 'latin1').includes(`FORGE_RUN=${marker}\0`)) return [];
        return [readFileSync(`/proc/${pid}/cmdline`, 'latin1').replaceAll('\0', ' ')];
      } catch {
        return [];
      }
    });
}

function holding(directory: string, text: string): readonly string[] {
  return readdirSync(directory, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name))
    .filter((file) => readFileSync(file).includes(text));
}
