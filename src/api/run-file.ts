/**
 * A run as one piece of data, for a viewer without a server: what the dashboard would ask for, asked once. What would
 * make the file too large is left out or cut, the newest and the whole result first.
 */
import { transcriptName } from '../agents/transcript-name.ts';
import { ForgeError } from '../errors.ts';
import { forgeVersion } from '../version.ts';
import type { ApiContext } from './context.ts';
import { diffFile, diffRun } from './diff-run.ts';
import { detailsOf, type RunDetails } from './inspect-run.ts';
import { listDocuments } from './list-documents.ts';
import { liveRun } from './live-run.ts';
import type { JsonOf, Operation } from './operation.ts';
import { readCheck } from './read-check.ts';
import { readDocument } from './read-document.ts';
import { type RunChange, wholeRun } from './watch-run.ts';

type AnswerOf<T> = T extends Operation<infer _, infer Output> ? JsonOf<Output> : never;

export interface RunFile {
  readonly run: string;
  readonly version: string;
  readonly whole: RunChange;
  readonly details: RunDetails;
  /** By the name of a task or the key of a session; the whole result without one. */
  readonly diffs: Readonly<Record<string, FileDiffs>>;
  readonly transcripts: Readonly<Record<string, readonly string[]>>;
  readonly checks: Readonly<Record<string, AnswerOf<typeof readCheck>>>;
  readonly documents: Readonly<Record<string, string>>;
  readonly journal: readonly string[];
}

interface FileDiffs {
  readonly summary: AnswerOf<typeof diffRun>;
  readonly files: Readonly<Record<string, AnswerOf<typeof diffFile>>>;
}

/** Characters in all, shared between the kinds of things. */
const room = { diffs: 12_000_000, transcripts: 12_000_000, checks: 4_000_000, journal: 8_000_000 };

export async function runFile(context: ApiContext, run: string | undefined): Promise<RunFile> {
  const live = await liveRun(context, run);
  const details = detailsOf(live);
  return {
    run: live.run,
    version: forgeVersion,
    // The same run gives the same file.
    whole: { ...wholeRun(live), position: 'file', now: live.page?.updatedAt ?? '' },
    details,
    diffs: await diffsOf(context, live.run, details),
    transcripts: await transcriptsOf(context, live.run, details),
    checks: await checksOf(context, live.run, details),
    documents: await documentsOf(context, live.run),
    journal: await journalOf(context, live.run),
  };
}

async function diffsOf(context: ApiContext, run: string, { report, sessions }: RunDetails): Promise<RunFile['diffs']> {
  const scopes = [
    { name: '', input: {} },
    ...report.units.map(({ task }) => ({ name: task, input: { task } })),
    ...sessions.filter(({ files }) => files > 0).map(({ key }) => ({ name: key, input: { work: key } })),
  ];
  const diffs: Record<string, FileDiffs> = {};
  let left = room.diffs;
  for (const { name, input } of scopes) {
    try {
      const summary = await diffRun.run(context, { run, text: 'none', ...input });
      const files: Record<string, AnswerOf<typeof diffFile>> = {};
      for (const { path } of summary.files) {
        if (left <= 0) break;
        const file = await diffFile.run(context, { run, path, ...input });
        left -= file.text.length;
        if (left > 0) files[path] = file;
      }
      diffs[name] = { summary, files };
    } catch (error) {
      // A task that changed nothing, or commits that are gone, cost their differences and nothing else.
      if (!(error instanceof ForgeError)) throw error;
    }
  }
  return diffs;
}

async function transcriptsOf(
  context: ApiContext,
  run: string,
  { sessions }: RunDetails,
): Promise<RunFile['transcripts']> {
  const artifacts = (await context.runs()).engine.artifacts(run);
  const transcripts: Record<string, readonly string[]> = {};
  const each = room.transcripts / Math.max(1, sessions.length);
  for (const { key } of sessions) {
    const lines: string[] = [];
    let left = each;
    for (let from = 1; left > 0; ) {
      const page = await artifacts.lines(transcriptName(key), from, 500);
      if (page.lines.length === 0) break;
      for (const { text } of page.lines) {
        left -= text.length;
        if (left > 0) lines.push(text);
      }
      from += page.lines.length;
    }
    const at = new Date(0).toISOString();
    if (left <= 0) lines.push(JSON.stringify({ at, type: 'note', text: 'The rest is not part of this file.' }));
    transcripts[key] = lines;
  }
  return transcripts;
}

async function checksOf(context: ApiContext, run: string, { report }: RunDetails): Promise<RunFile['checks']> {
  const checks: Record<string, AnswerOf<typeof readCheck>> = {};
  let left = room.checks;
  for (const key of new Set(report.checks.map((check) => check.key))) {
    const answer = await readCheck.run(context, { run, key });
    left -= answer.logs.reduce((sum, { text }) => sum + text.length, 0);
    if (left > 0) checks[key] = answer;
  }
  return checks;
}

async function documentsOf(context: ApiContext, run: string): Promise<RunFile['documents']> {
  const names = (await listDocuments.run(context, { run })).map(({ name }) => name);
  const texts = await Promise.all(
    names.map(async (name) => [name, (await readDocument.run(context, { run, name })).text] as const),
  );
  return Object.fromEntries(texts.filter(([, text]) => text.length < 2_000_000));
}

async function journalOf(context: ApiContext, run: string): Promise<readonly string[]> {
  const { engine } = await context.runs();
  const lines: string[] = [];
  let left = room.journal;
  for (let from = 1; left > 0; ) {
    const page = await engine.journal(run, from, 500);
    if (page.lines.length === 0) break;
    for (const { text } of page.lines) {
      left -= text.length;
      if (left > 0) lines.push(text);
    }
    from += page.lines.length;
  }
  return lines;
}
