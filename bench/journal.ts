/** What an effect costs beyond its work, and how resuming grows with the length of a journal. */
import { closeSync, fdatasyncSync, mkdtempSync, openSync, readFileSync, rmSync, writeSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { systemClock } from '../src/engine/clock.ts';
import { Journal } from '../src/engine/files/journal.ts';
import { readJournal } from '../src/engine/files/read-journal.ts';
import { emptyState, foldRun } from '../src/engine/run-state.ts';
import { Writer } from '../src/engine/writer.ts';
import { type Figure, sideBySide, time } from './ratio.ts';

export async function journalFigures(quick: boolean): Promise<readonly Figure[]> {
  const directory = mkdtempSync(join(tmpdir(), 'forge-bench-'));
  try {
    return [await effectFigure(directory, quick ? 20 : 100), ...(await resumeFigures(directory, quick ? 3 : 7))];
  } finally {
    rmSync(directory, { recursive: true, force: true });
  }
}

async function effectFigure(directory: string, rounds: number): Promise<Figure> {
  const perRound = 20;
  const journal = Journal.create({ file: join(directory, 'effect.jsonl'), clock: systemClock });
  const writer = new Writer(journal, emptyState());
  const raw = openSync(join(directory, 'raw'), 'a');
  let count = 0;
  const effect = (): void => {
    count += 1;
    const key = `T${count}/check`;
    writer.append('effect.started', key, {
      kind: 'check.run',
      attempt: 1,
      input: { commit: 'a' },
    });
    writer.append('effect.finished', key, { attempt: 1, output: { status: 'passed' } });
  };
  effect();
  const bytes = readFileSync(join(directory, 'effect.jsonl'));
  const { ratio, subjectMs } = await sideBySide(
    rounds,
    () => {
      for (let i = 0; i < perRound; i += 1) effect();
    },
    () => {
      for (let i = 0; i < perRound; i += 1) {
        writeSync(raw, bytes);
        fdatasyncSync(raw);
      }
    },
  );
  journal.close();
  closeSync(raw);
  return {
    name: 'effect of two appends / one write+fdatasync of the same bytes',
    value: ratio,
    aim: 3,
    detail: `${(subjectMs / perRound).toFixed(3)} ms per effect`,
  };
}

async function resumeFigures(directory: string, rounds: number): Promise<readonly Figure[]> {
  const small = writeJournal(join(directory, 'small.jsonl'), 10_000);
  const large = writeJournal(join(directory, 'large.jsonl'), 100_000);
  const read = (content: Buffer): void => {
    foldRun(readJournal(content, { file: 'journal' }).facts);
  };
  const { ratio, referenceMs } = await sideBySide(
    rounds,
    () => read(large),
    () => read(small),
  );
  const first = await time(() => read(small));
  return [
    {
      name: 'resume of 100,000 facts / of 10,000, per fact',
      value: ratio / 10,
      aim: 1.5,
      detail: `${referenceMs.toFixed(0)} ms for 10,000 facts (${(Math.min(first, referenceMs) / 10).toFixed(2)} ms per 1,000)`,
    },
  ];
}

/** Written through a journal that does not sync: the file is what counts here. */
function writeJournal(file: string, facts: number): Buffer {
  const journal = Journal.create({ file, clock: systemClock, unsafeNoSync: true });
  for (let n = 0; n < facts / 2; n += 1) {
    const key = `T${n % 500}/develop#${n}`;
    journal.append('effect.started', key, {
      kind: 'check.run',
      attempt: 1,
      input: { commit: 'a', n },
    });
    journal.append('effect.finished', key, { attempt: 1, output: { status: 'passed', n } });
  }
  journal.close();
  return readFileSync(file);
}
