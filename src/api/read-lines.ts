/**
 * Pages of what grows with a run: its journal as it was written, and the transcript of one agent session. By number, or
 * those lines that hold a text. What is long is read in pieces and never as a whole.
 */
import { z } from 'zod';
import { transcriptName } from '../agents/transcript-name.ts';
import type { LineMatches, LinePage } from '../files/line-index.ts';
import { findSummary } from './find-run.ts';
import type { Operation } from './operation.ts';
import { runName } from './run-name.ts';

const page = {
  from: z.number().int().min(1).default(1).describe('the number of the first line'),
  count: z.number().int().min(1).max(500).default(200),
  search: z.string().max(200).optional().describe('only lines that hold this text, in any case; from is ignored'),
};

const output = z.strictObject({
  /** How many lines there are. */
  total: z.number().int(),
  /** With a search: how many fit; only the first are given. */
  found: z.number().int().optional(),
  lines: z.array(z.strictObject({ number: z.number().int(), text: z.string() })),
});

const journalInput = z.strictObject({
  run: runName,
  ...page,
  type: z.string().max(64).optional().describe('only facts of this type, or of a noun such as task'),
});

export const readJournal: Operation<typeof journalInput, typeof output> = {
  name: 'read-journal',
  kind: 'query',
  description: 'Reads lines of the journal of a run as they were written, by number or by what they hold.',
  input: journalInput,
  output,
  async run(context, { run, from, count, search, type }) {
    const { engine } = await context.runs();
    const { run: name } = await findSummary(context, { run, what: 'here', fits: () => true });
    if (search === undefined && type === undefined) return asPage(await engine.journal(name, from, count));
    const isType = type === undefined ? () => true : ofType(type);
    const holds = holding(search);
    return asPage(await engine.searchJournal(name, (line) => isType(line) && holds(line), count));
  },
};

const transcriptInput = z.strictObject({
  run: runName,
  key: z.string().min(1).max(512).describe('the key of the agent session'),
  ...page,
});

export const readTranscript: Operation<typeof transcriptInput, typeof output> = {
  name: 'read-transcript',
  kind: 'query',
  description: 'Reads what an agent said and did in one session, entry by entry as JSON lines, by number or by text.',
  input: transcriptInput,
  output,
  async run(context, { run, key, from, count, search }) {
    const { engine } = await context.runs();
    const { run: name } = await findSummary(context, { run, what: 'here', fits: () => true });
    const artifacts = engine.artifacts(name);
    const file = transcriptName(key);
    if (search === undefined) return asPage(await artifacts.lines(file, from, count));
    return asPage(await artifacts.searchLines(file, holding(search), count));
  },
};

/** A line is JSON: what a person typed is looked for as it is written there. */
function holding(search: string | undefined): (line: string) => boolean {
  if (search === undefined || search === '') return () => true;
  const wanted = JSON.stringify(search).slice(1, -1).toLowerCase();
  return (line) => line.toLowerCase().includes(wanted);
}

function ofType(type: string): (line: string) => boolean {
  const exact = `"type":${JSON.stringify(type)}`;
  const noun = `"type":${JSON.stringify(`${type}.`).slice(0, -1)}`;
  // The type stands near the beginning, before anything an agent wrote.
  return (line) => [exact, noun].some((wanted) => line.slice(0, 200).includes(wanted));
}

const longestLine = 256 * 1024;

function asPage({ total, lines, ...more }: LinePage | LineMatches) {
  const cut = lines.map(({ number, text }) => ({
    number,
    text: text.length <= longestLine ? text : text.slice(0, longestLine),
  }));
  return { total, ...('found' in more ? { found: more.found } : {}), lines: cut };
}
