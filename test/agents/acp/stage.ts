/** One job for the small ACP agent on a stage of its own: a workspace, a driver, what it said and what it was asked. */
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { AgentJob } from '../../../src/agents/agent.ts';
import { type AcpOptions, acpDriver } from '../../../src/agents/acp/driver.ts';
import type { AcpRecord } from '../../../src/agents/acp/record.ts';
import type { AgentOutcome } from '../../../src/policy/agent-outcome.ts';
import { createRedactor } from '../../../src/process/redact.ts';
import type { Play } from '../acp-agent/play.ts';
import { playing } from '../acp-agent/record.ts';
import { frozenClock, makeWorkshop, processesWith, type Recorder, recorder, type Workshop } from '../workshop.ts';

export interface Scene {
  readonly play: Play;
  readonly job?: Partial<AgentJob>;
  readonly record?: Partial<AcpRecord>;
  readonly options?: Partial<AcpOptions>;
  /** Before it starts. */
  readonly prepare?: (workshop: Workshop) => void;
  readonly signal?: AbortSignal;
}

export interface Performed {
  readonly outcome: AgentOutcome;
  readonly sink: Recorder;
  readonly workshop: Workshop;
  /** The requests and notifications the agent got, in order. */
  readonly heard: readonly { readonly method: string; readonly params: Readonly<Record<string, unknown>> }[];
}

export const submit = (args: unknown) => ({ call: { tool: 'submit_result', args } });

/** Fails when anything of the job is left running. */
export async function perform<T>(scene: Scene, look: (performed: Performed) => T): Promise<T> {
  const workshop = makeWorkshop();
  try {
    scene.prepare?.(workshop);
    const sink = recorder();
    const outcome = await driverOf(scene).run(
      workshop.job(scene.job),
      sink,
      scene.signal ?? new AbortController().signal,
    );
    const left = processesWith(workshop.root);
    if (left.length > 0) throw new Error(`left behind: ${left.join('\n')}`);
    return look({ outcome, sink, workshop, heard: heardBy(workshop) });
  } finally {
    workshop.close();
  }
}

export function driverOf({ play, record, options }: Scene) {
  return acpDriver({
    name: 'acp-agent',
    record: playing(play, record),
    redactor: createRedactor({ API_TOKEN: 'correct-horse-battery' }),
    clock: frozenClock,
    patience: { afterResultMs: 200, afterCancelMs: 300 },
    ...options,
  });
}

export function heardBy({ home }: Workshop): Performed['heard'] {
  const file = join(home, '.acp-agent/heard.jsonl');
  if (!existsSync(file)) return [];
  return readFileSync(file, 'utf8')
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line) as Performed['heard'][number]);
}
