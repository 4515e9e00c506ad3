/** What was tried again and why: scores, what failed, how the overseer saw it, what the cause was. */
import { replyOf } from '../agent-reading.ts';
import { type Chronicle, isModules, isWaves, lastReading } from '../chronicle.ts';
import { eventsOf } from '../modules-keys.ts';
import { modulesSummary } from '../modules-summary.ts';
import { proposalOf } from '../proposal.ts';
import { measuredRound } from '../validation.ts';
import { roundsOf } from '../waves-keys.ts';

export interface ReportRetry {
  readonly owner: string;
  readonly round: number;
  readonly score: number | undefined;
  readonly failed: readonly string[];
  /** `stuck`, `missing_context`, `blocked`. */
  readonly classification: string;
  readonly evidence: string;
  readonly cause: string;
}

export function reportRetries(chronicle: Chronicle): ReportRetry[] {
  if (isModules(chronicle)) return modulesSummary(chronicle).modules.flatMap(({ task }) => ofModule(chronicle, task));
  return isWaves(chronicle) ? ofWaves(chronicle) : [];
}

function ofModule(chronicle: Chronicle, module: string): ReportRetry[] {
  const events = eventsOf(chronicle, module);
  return events.flatMap((event, at): ReportRetry[] => {
    if (event.type !== 'validation' || !event.retried) return [];
    const measured = measuredRound(chronicle, module, event);
    const after = events.slice(at + 1);
    const next = (type: 'overseer' | 'debugger'): string =>
      after.find((one) => one.type === type && one.round === event.round)?.key ?? '';
    const seen = replyOf(lastReading(chronicle, next('overseer')), 'overseer');
    const cause = replyOf(lastReading(chronicle, next('debugger')), 'debugger')?.rootCause ?? '';
    return [
      {
        owner: module,
        round: event.round,
        score: measured?.score,
        failed: measured?.failed.map(({ text }) => text.split('\n', 1)[0] ?? '') ?? [],
        classification: seen?.classification ?? '',
        evidence: seen?.evidence ?? '',
        cause,
      },
    ];
  });
}

/** A wave's tester sends bugs back. */
function ofWaves(chronicle: Chronicle): ReportRetry[] {
  const waves = (proposalOf(chronicle)?.waves ?? []).map((_, at) => `W${at + 1}`);
  return waves.flatMap((owner) =>
    roundsOf(chronicle, owner)
      .slice(0, -1)
      .map(({ number, test }) => ({
        owner,
        round: number,
        score: undefined,
        failed: (replyOf(lastReading(chronicle, test), 'tester')?.bugs ?? []).map(({ title }) => title),
        classification: '',
        evidence: '',
        cause: '',
      })),
  );
}
