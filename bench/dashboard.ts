/**
 * What it costs the dashboard to open a run: time to the first view and what stays in memory, with 1,000 facts and with
 * 100,000; and a page of a transcript of 100 MB.
 */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { detailsOf } from '../src/api/inspect-run.ts';
import { LiveRun } from '../src/api/live-run.ts';
import { wholeRun } from '../src/api/watch-run.ts';
import { FilesReader } from '../src/engine/files/files-reader.ts';
import { readLines, searchLines } from '../src/files/line-index.ts';
import { makeLongRun, makeLongTranscript } from '../test/support/long-run.ts';
import type { Figure } from './ratio.ts';

setFlagsFromString('--expose-gc');
const collectGarbage = runInNewContext('gc') as () => void;

function heapMegabytes(): number {
  collectGarbage();
  return process.memoryUsage().heapUsed / 2 ** 20;
}

export async function dashboardFigures(quick: boolean): Promise<readonly Figure[]> {
  // First: what the runs below leave behind would be taken for its memory.
  const transcript = await transcriptFigure(quick ? 5 : 100);
  const figures: Figure[] = [];
  for (const count of quick ? [1000] : [1000, 100_000]) {
    const runs = mkdtempSync(join(tmpdir(), 'forge-bench-'));
    try {
      makeLongRun(join(runs, 'long'), count);
      const self = { pid: process.pid, startTime: '', bootId: '', host: '' };
      const engine = new FilesReader({ runs, host: { self, isAlive: () => false } });
      // As a run keeps it beside its journal.
      await engine.summarize('long');
      const before = heapMegabytes();
      const first = new LiveRun(engine, 'long');
      const ms = await time(async () => {
        await first.begin();
        JSON.stringify(wholeRun(first));
      });
      await first.refresh();
      const live = new LiveRun(engine, 'long');
      let bytes = 0;
      const whole = await time(async () => {
        await live.refresh();
        bytes = JSON.stringify(wholeRun(live)).length;
      });
      const again = await time(() => live.refresh());
      const details = await time(async () => void JSON.stringify(detailsOf(live)));
      const grown = heapMegabytes() - before;
      const page = await time(async () => void (await engine.journal('long', Math.floor(count / 2), 100)));
      figures.push({
        name: `dashboard: first view of a run of ${count.toLocaleString('en')} facts, in seconds of processor time`,
        value: ms / 1000,
        aim: 1,
        detail: `all of it ${(whole / 1000).toFixed(2)} s, ${Math.round(grown)} MB stay in memory, ${Math.round(bytes / 1024)} kB sent, again ${again.toFixed(0)} ms, all details ${details.toFixed(0)} ms, a page of the journal ${page.toFixed(0)} ms`,
      });
    } finally {
      rmSync(runs, { recursive: true, force: true });
    }
  }
  return [...figures, transcript];
}

async function transcriptFigure(megabytes: number): Promise<Figure> {
  const directory = mkdtempSync(join(tmpdir(), 'forge-bench-'));
  try {
    const file = join(directory, 'transcript.jsonl');
    const entries = makeLongTranscript(file, megabytes);
    const before = heapMegabytes();
    const first = await time(async () => void readLines(file, 1, 200));
    const middle = await time(async () => void readLines(file, Math.floor(entries / 2), 200));
    const grown = heapMegabytes() - before;
    const search = await time(async () => void (await searchLines(file, (line) => line.includes('Entry 77.'), 200)));
    return {
      name: `dashboard: first page of a transcript of ${megabytes} MB, in seconds of processor time`,
      value: first / 1000,
      aim: 1,
      detail: `${grown.toFixed(1)} MB stay in memory, a page of the middle ${middle.toFixed(0)} ms, a search ${search.toFixed(0)} ms`,
    };
  } finally {
    rmSync(directory, { recursive: true, force: true });
  }
}

/** Of the processor: other work on the machine does not count. */
async function time(action: () => Promise<void>): Promise<number> {
  const before = process.cpuUsage();
  await action();
  const { user, system } = process.cpuUsage(before);
  return (user + system) / 1000;
}
