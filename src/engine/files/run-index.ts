/**
 * A run in short, kept beside its journal so that listing many runs reads no journal: the summary, how far it goes, and
 * where the run stands in words. Never a truth: it says which journal it is about, and whatever is missing, damaged, of
 * another format or about another file is made anew from the facts. One that is behind is advanced by what was appended.
 */
import { readFileSync, renameSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { advanceSummary, emptySummary, type SummaryState } from '../run-summary.ts';
import { type JournalPlace, JournalTail, pieceBytes } from './journal-file.ts';
import { journalIn } from './runs-directory.ts';

/** Raise it when a summary means something else: older ones are then made anew. */
const indexFormat = 1;

export interface RunIndex {
  readonly place: JournalPlace;
  /** When the journal was changed last: one that was edited has another time. */
  readonly changedMs: number;
  readonly summary: SummaryState;
  /** Where the run stands, in words; undefined until somebody has said it. */
  readonly standing?: string | undefined;
}

/** Up to date with the journal. Throws what is wrong with it. */
export function readIndex(directory: string): RunIndex {
  const known = loadIndex(directory);
  const { ino, size } = statSync(journalIn(directory));
  if (known !== undefined && isUnchanged(directory, known)) return known;
  const grown = known !== undefined && known.place.inode === ino && size > known.place.bytes;
  const index = (grown ? tryAdvance(directory, known) : undefined) ?? rebuild(directory);
  writeIndex(directory, index);
  return index;
}

/** How far the journal was read and found whole, if it was not changed since. Makes nothing. */
export function verifiedPlace(directory: string): JournalPlace | undefined {
  const known = loadIndex(directory);
  return known !== undefined && isUnchanged(directory, known) ? known.place : undefined;
}

function isUnchanged(directory: string, { place, changedMs }: RunIndex): boolean {
  const { ino, size, mtimeMs } = statSync(journalIn(directory));
  return place.inode === ino && changedMs === mtimeMs && place.bytes === size;
}

/** Best effort: whoever finds none makes it anew. */
export function writeIndex(directory: string, index: RunIndex): void {
  const file = indexIn(directory);
  try {
    const aside = `${file}.${process.pid}.tmp`;
    writeFileSync(aside, JSON.stringify({ format: indexFormat, ...index }), { mode: 0o600 });
    renameSync(aside, file);
  } catch {
    // A directory that can only be read, a full disk: reading costs more the next time, nothing else.
  }
}

export function journalChangedMs(directory: string): number {
  return statSync(journalIn(directory)).mtimeMs;
}

function rebuild(directory: string): RunIndex {
  return advanceFrom(directory, undefined, emptySummary());
}

/** An index that does not fit its journal is not an index. */
function tryAdvance(directory: string, known: RunIndex): RunIndex | undefined {
  try {
    return advanceFrom(directory, known.place, known.summary);
  } catch {
    return undefined;
  }
}

function advanceFrom(directory: string, from: JournalPlace | undefined, before: SummaryState): RunIndex {
  // Looked at first: what is appended meanwhile makes it old again.
  const changedMs = journalChangedMs(directory);
  const tail = new JournalTail(journalIn(directory), { from });
  let summary = before;
  for (let facts = tail.read(pieceBytes); facts.length > 0; facts = tail.read(pieceBytes)) {
    summary = advanceSummary(summary, facts);
  }
  const { place } = tail;
  if (place === undefined) throw new Error('the journal was not read');
  return { place, changedMs, summary };
}

function loadIndex(directory: string): RunIndex | undefined {
  try {
    const { format, ...index } = JSON.parse(readFileSync(indexIn(directory), 'utf8')) as RunIndex & { format: unknown };
    const isWhole = format === indexFormat && index.place.seq === index.summary.seq;
    return isWhole ? index : undefined;
  } catch {
    return undefined;
  }
}

function indexIn(directory: string): string {
  return join(directory, 'index.json');
}
