/** What it costs the dashboard to open a run: time to the first view and memory, with 1,000 facts and with 100,000. */
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { LiveRun } from '../src/api/live-run.ts';
import { wholeRun } from '../src/api/watch-run.ts';
import { FilesReader } from '../src/engine/files/files-reader.ts';
import { writeLine } from '../src/engine/files/read-journal.ts';
import type { Fact } from '../src/engine/facts.ts';
import type { Figure } from './ratio.ts';

export async function dashboardFigures(quick: boolean): Promise<readonly Figure[]> {
  const figures: Figure[] = [];
  for (const count of quick ? [1000] : [1000, 100_000]) {
    const runs = mkdtempSync(join(tmpdir(), 'forge-bench-'));
    try {
      makeRun(join(runs, 'long'), count);
      const self = { pid: process.pid, startTime: '', bootId: '', host: '' };
      const engine = new FilesReader({ runs, host: { self, isAlive: () => false } });
      // As a run keeps it beside its journal.
      await engine.summarize('long');
      const before = process.memoryUsage().rss;
      const live = new LiveRun(engine, 'long');
      let bytes = 0;
      const ms = await time(async () => {
        await live.refresh();
        bytes = JSON.stringify(wholeRun(live)).length;
      });
      const again = await time(() => live.refresh());
      const grown = (process.memoryUsage().rss - before) / 2 ** 20;
      const page = await time(async () => void (await engine.journal('long', Math.floor(count / 2), 100)));
      figures.push({
        name: `dashboard: first view of a run of ${count.toLocaleString('en')} facts, in seconds of processor time`,
        value: ms / 1000,
        aim: 1,
        detail: `${Math.round(grown)} MB more memory, ${Math.round(bytes / 1024)} kB sent, again ${again.toFixed(0)} ms, a page of the journal ${page.toFixed(0)} ms`,
      });
    } finally {
      rmSync(runs, { recursive: true, force: true });
    }
  }
  return figures;
}

/** Tasks with rounds of sessions and checks, as long runs have them: about twenty facts each. */
function makeRun(directory: string, count: number): void {
  mkdirSync(directory, { recursive: true });
  let [seq, hash] = [0, ''];
  const lines: string[] = [];
  const tell = (type: string, key: string, data: object): void => {
    if (seq >= count - 1 && type !== 'run.ended') return;
    seq += 1;
    const at = new Date(1_700_000_000_000 + seq * 500).toISOString();
    const line = writeLine({ v: 2, seq, at, type, key, data } as unknown as Omit<Fact, 'hash'>, hash || firstHash());
    lines.push(line.text);
    ({ hash } = line);
  };
  const commit = 'a'.repeat(40);
  const created = { run: 'long', title: 'A long run', workflow: 'own', workflowVersion: 1, base: commit, root: '/r' };
  tell('run.created', '', { ...created, input: { requirement: 'r' }, settings: {}, forge: '0' });
  const holder = { pid: 1, startTime: '', bootId: '', host: '' };
  tell('run.opened', '', { holder, epoch: 1, forge: '0', workflowVersion: 1, jail: 'none' });
  const tasks = Math.ceil(count / 18);
  for (let task = 1; task <= tasks; task += 1) {
    const id = `T${task}`;
    tell('tasks.scheduled', `schedule ${id}`, { scope: '', tasks: [{ id, title: `Task ${task}`, depends: [] }] });
    tell('task.started', id, { task: id });
    for (let round = 1; round <= 2; round += 1) {
      const step = `${id}/round#${round}`;
      tell('step.started', step, {
        kind: 'round',
        title: `Round ${round}`,
        detail: '',
        within: { type: 'task', key: id },
      });
      const key = `${id}/develop#${round}`;
      const within = { type: 'step', key: step };
      const input = { agent: 'a', role: 'developer', attempt: round, workspace: id, commit, prompt: 'Do it.' };
      tell('effect.started', key, { kind: 'agent.run', attempt: 1, identity: {}, input, within });
      for (let note = 0; note < 4; note += 1) tell('effect.progressed', key, { attempt: 1, note: `turn ${note}` });
      const usage = { inputTokens: 1000, outputTokens: 100, costUsd: 0.01, turns: 4 };
      const outcome = { status: 'replied', reply: { summary: 'Did it' }, usage, session: 's' };
      tell('effect.finished', key, {
        attempt: 1,
        output: { outcome, commit, changes: [], leftBehind: [], agentCommits: [], notes: [] },
      });
      tell('step.ended', step, { status: 'done', detail: 'passed', figures: {}, lines: [], links: [key] });
    }
    tell('task.ended', id, { task: id, status: 'done', reason: '' });
  }
  tell('run.ended', '', { status: 'done', reason: '' });
  writeFileSync(join(directory, 'journal.jsonl'), lines.join(''));
}

function firstHash(): string {
  return '0'.repeat(64);
}

/** Of the processor: other work on the machine does not count. */
async function time(action: () => Promise<void>): Promise<number> {
  const before = process.cpuUsage();
  await action();
  const { user, system } = process.cpuUsage(before);
  return (user + system) / 1000;
}
