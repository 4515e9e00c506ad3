/** Plays a move on a real engine with performers that only compute: what was asked of them, and what came of it. */
import { join } from 'node:path';
import { z } from 'zod';
import type { Bench } from '../../../src/engine/bench.ts';
import type { EffectKind, EffectOutput } from '../../../src/engine/effect-map.ts';
import type { ExecutionEnd } from '../../../src/engine/execution.ts';
import { readJournalFile } from '../../../src/engine/files/journal-file.ts';
import type { EffectContext, Performers } from '../../../src/engine/performer.ts';
import { foldRun } from '../../../src/engine/run-state.ts';
import type { AgentOutcome } from '../../../src/policy/agent-outcome.ts';
import type { CheckReport } from '../../../src/policy/check-report.ts';
import { type ScopeSettings, scopeSettingsSchema } from '../../../src/policy/receipt.ts';
import { base, makeEngine, request } from '../../engine/support.ts';

export { base, task } from '../../engine/support.ts';

/** A commit id for a number. */
export const commit = (number: number): string => number.toString(16).padStart(40, '0');

export const resultSchema = z.object({ status: z.string() });

export const scope = (more: Partial<ScopeSettings> = {}): ScopeSettings => ({
  ...scopeSettingsSchema.parse({}),
  ...more,
});

/** What performers answer: one after the other per kind, or by the key that asks. */
export type Answers = {
  readonly [K in EffectKind]?:
    | readonly EffectOutput<K>[]
    | ((input: Readonly<Record<string, unknown>>, key: string) => EffectOutput<K>);
};

export interface Played {
  readonly end: ExecutionEnd;
  /** Every effect in the order of its first attempt, with the fields of its input a test is about. */
  readonly asked: readonly { readonly key: string; readonly kind: string; readonly input: Record<string, unknown> }[];
  readonly questions: readonly string[];
}

/** Questions are answered by the options or texts given; the run leaves as `waiting` at one that has none. */
export async function play(
  work: (bench: Bench) => Promise<unknown>,
  answers: Answers,
  options: Readonly<Record<string, string | { readonly text: string }>> = {},
): Promise<Played> {
  const engine = makeEngine({
    work: async (bench) => ({ status: 'done', output: await work(bench) }),
    kinds: performersFor(answers),
  });
  let end = await (await engine.start(request(), { whenWaiting: 'leave' })).ended;
  for (let open = end; open.status === 'waiting'; open = end) {
    const option = options[open.reason];
    if (option === undefined) break;
    await engine.signal('r1', {
      type: 'answer',
      key: open.reason,
      answer: typeof option === 'string' ? { option } : option,
    });
    // A fresh execution: every move is also replayed.
    end = await (await engine.resume('r1', { whenWaiting: 'leave' })).ended;
  }
  const { facts } = readJournalFile(join(engine.runs, 'r1', 'journal.jsonl'));
  const { effects, questions } = foldRun(facts);
  const asked = [...effects].map(([key, { kind, input }]) => ({ key, kind, input: input as Record<string, unknown> }));
  return { end, asked, questions: [...questions.keys()] };
}

export const outputOf = ({ end }: Played): unknown => (end.status === 'done' ? end.output : end);

function performersFor(answers: Answers): Partial<Performers> {
  const kinds = Object.entries(answers).map(([kind, given]) => {
    const queue = typeof given === 'function' ? undefined : [...given];
    const perform = async (input: Record<string, unknown>, { key }: EffectContext): Promise<unknown> => {
      if (typeof given === 'function') return given(input, key);
      const next = queue?.shift();
      if (next === undefined) throw new Error(`${kind} was asked once more than expected: ${key}`);
      return next;
    };
    return [kind, { perform }];
  });
  return Object.fromEntries(kinds) as Partial<Performers>;
}

export function report(more: Partial<CheckReport> = {}): CheckReport {
  return {
    commit: base,
    tree: base,
    judge: base,
    source: 'settings',
    status: 'passed',
    commands: [],
    checkChanged: [],
    ...more,
  };
}

export function red(reason = 'exit 1'): CheckReport {
  const command = { argv: ['npm', 'test'], label: 'npm test', cwd: '.', exit: 1, reason, durationMs: 1 };
  return report({
    status: 'failed',
    commands: [{ ...command, status: 'failed', newFailures: [], output: '', cached: false }],
  });
}

const ended = { usage: { inputTokens: 0, outputTokens: 0, costUsd: 0, turns: 0 }, durationMs: 1 };

export function ran(
  number: number,
  reply: unknown = { status: 'success' },
  session?: string,
): EffectOutput<'agent.run'> {
  const outcome = { status: 'replied' as const, reply, ...ended, ...(session === undefined ? {} : { session }) };
  return left(number, outcome);
}

export function left(number: number, outcome: AgentOutcome): EffectOutput<'agent.run'> {
  return { outcome, commit: commit(number), changes: [], leftBehind: [], agentCommits: [], notes: [] };
}

export const trouble = (code: string): AgentOutcome => ({
  status: 'trouble',
  trouble: { code, message: 'later' },
  ...ended,
});
