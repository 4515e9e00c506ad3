/** The runs of this repository, newest first, each with where it stands. */
import { z } from 'zod';
import type { ListedStatus, RunListing } from '../engine/engine.ts';
import { noUsage, type Usage } from '../policy/agent-outcome.ts';
import { describeStanding } from '../views/step-lines.ts';
import { isFinished, newestFirst, openQuestions } from './choose-run.ts';
import { readChronicle } from './find-run.ts';
import type { Operation } from './operation.ts';

const input = z.strictObject({});

export interface RunLine {
  readonly run: string;
  readonly status: ListedStatus;
  readonly title: string;
  readonly reason: string;
  readonly workflow: string;
  readonly createdAt: string;
  readonly updatedAt: string;
  /** What was under way last, e.g. `W2/test#1`. */
  readonly at: string;
  /** The same in words, e.g. `Wave 2/3 [T3] › Round 1 › tester, 1/3 done`; empty when it is over. */
  readonly where: string;
  readonly questions: readonly string[];
  readonly usage: Usage;
  /** Where its files are. */
  readonly directory: string;
}

export const listRuns: Operation<typeof input, readonly RunLine[]> = {
  name: 'list-runs',
  summary: 'the runs of this repository',
  input,
  async run(context) {
    const { engine } = await context.reader();
    return newestFirst(await engine.list()).map(runLine);
  },
};

export function runLine(listing: RunListing): RunLine {
  const { run, status, state, problem } = listing;
  return {
    run,
    status,
    title: state?.created?.title ?? '',
    reason: problem ?? state?.reason ?? '',
    workflow: state?.created?.workflow ?? '',
    createdAt: state?.createdAt ?? '',
    updatedAt: state?.updatedAt ?? '',
    at: lastWork(listing),
    where: whereOf(listing),
    questions: openQuestions(listing),
    usage: state?.usage ?? noUsage,
    directory: listing.directory,
  };
}

/** Read from the whole journal, so only for those that are not over: they are few. */
function whereOf(listing: RunListing): string {
  if (listing.state === undefined || isFinished(listing)) return '';
  return describeStanding(readChronicle(listing).state) || lastWork(listing);
}

function lastWork({ state }: RunListing): string {
  const keys = [...(state?.effects ?? [])];
  const open = keys.findLast(([, effect]) => effect.result === undefined);
  return (open ?? keys.at(-1))?.[0] ?? '';
}
