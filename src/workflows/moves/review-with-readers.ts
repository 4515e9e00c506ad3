/**
 * A review by several readers at once, each with its own eyes and its own read-only workspace, aggregated into one
 * verdict: what must be fixed, what is advice, and which readers gave no usable review. A missing reader is never the
 * same as one who found nothing.
 */
import { z } from 'zod';
import type { Bench } from '../../engine/bench.ts';
import { taskSchema } from '../../plan/plan.ts';
import { type ReviewFinding, reviewFindingSchema } from '../../policy/review-finding.ts';
import { type AggregatedFindings, aggregateFindings } from '../../policy/self-consistency.ts';
import { type AgentAnswer, explainAnswer } from './ask-agent.ts';

export interface ReviewReader<Id extends string = string> {
  readonly id: Id;
  /** What it looks for. */
  readonly title: string;
  /** What a person reads beside it. */
  readonly label: string;
  /** How reasons name it, e.g. `lens A`. */
  readonly name: string;
}

export interface ReviewRequest<Id extends string = string> {
  readonly commit: string;
  readonly readers: readonly ReviewReader<Id>[];
  /** Before the reader's id: the name of its workspace. */
  readonly workspace: string;
  /** Paths and patterns of files that are there, by which places written in another way are recognized. */
  readonly knownFiles: readonly string[];
  readonly ask: (
    reader: ReviewReader<Id>,
    at: { readonly key: string; readonly workspace: string },
  ) => Promise<AgentAnswer<{ readonly findings: ReviewFinding[] }>>;
}

export interface ReadersVerdict {
  readonly findings: AggregatedFindings;
  /** Why each reader that gave no usable review did not. */
  readonly missing: readonly string[];
}

/** `key` names the review, e.g. `final/review#1`; a reader's work is below it, by id. */
export async function reviewWithReaders<Id extends string>(
  bench: Bench,
  key: string,
  request: ReviewRequest<Id>,
): Promise<ReadersVerdict> {
  const { commit, readers, knownFiles } = request;
  const readerOf = (id: string): ReviewReader<Id> => {
    const found = readers.find((reader) => reader.id === id);
    if (found === undefined) throw new Error(`no reader ${id}`);
    return found;
  };
  const tasks = readers.map(({ id, title }) => taskSchema.parse({ id, title, kind: 'docs' }));
  const options = {
    limit: readers.length,
    keyPrefix: `${key}/`,
    readOnly: true,
    label: ({ id }: { readonly id: string }) => readerOf(id).label,
  };
  const outcomes = await bench.schedule(tasks, options, async ({ id, title }) => {
    const reader = readerOf(id);
    const workspace = `${request.workspace}-${id}`;
    const answer = await request.ask(reader, { key: `${key}/${id}`, workspace });
    await bench.perform('workspace.drop', `${key}/${id}/drop`, { workspace, captured: commit, readOnly: true });
    if (answer.status !== 'accepted')
      return { task: id, status: 'failed', reason: `${reader.name}: ${explainAnswer(answer)}` };
    return { task: id, status: 'done', reason: '', data: { title, ...answer.result } };
  });
  const byLens = outcomes.map(({ task, data }) => ({ lens: task, findings: findingsOf(data) }));
  const missing = outcomes.filter((outcome) => outcome.status !== 'done').map((outcome) => outcome.reason);
  return { findings: aggregateFindings(byLens, knownFiles), missing };
}

const reviewData = z.object({ findings: z.array(reviewFindingSchema) });

function findingsOf(data: unknown): readonly ReviewFinding[] {
  const read = reviewData.safeParse(data ?? {});
  return read.success ? read.data.findings : [];
}
