/** A journal as long runs have it, for tests and measurements of displays: made here, read as any other. */
import { mkdirSync, writeFileSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import type { Fact } from '../../src/engine/facts.ts';
import { writeLine } from '../../src/engine/files/read-journal.ts';

/** Tasks with rounds of sessions and checks, as long runs have them: about twenty facts each. */
export function makeLongRun(directory: string, count: number): void {
  mkdirSync(directory, { recursive: true });
  let [seq, hash] = [0, ''];
  const lines: string[] = [];
  const tell = (type: string, key: string, data: object): void => {
    if (seq >= count - 1 && type !== 'run.ended') return;
    seq += 1;
    const at = new Date(1_700_000_000_000 + seq * 500).toISOString();
    const line = writeLine({ v: 2, seq, at, type, key, data } as unknown as Omit<Fact, 'hash'>, hash || '0'.repeat(64));
    lines.push(line.text);
    ({ hash } = line);
  };
  const commit = 'a'.repeat(40);
  const created = {
    run: basename(directory),
    title: 'A long run',
    workflow: 'own',
    workflowVersion: 1,
    base: commit,
    root: '/r',
  };
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
      tell('effect.started', key, { kind: 'agent.run', attempt: 1, input, within });
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

/** What an agent said, in so many megabytes: long turns, tool calls and thoughts. */
export function makeLongTranscript(file: string, megabytes: number): number {
  mkdirSync(dirname(file), { recursive: true });
  const said = 'The parser reads a line and gives it to the table. '.repeat(12);
  const kinds = ['text', 'thought', 'tool', 'output'];
  const lines: string[] = [];
  let bytes = 0;
  for (let at = 0; bytes < megabytes * 2 ** 20; at += 1) {
    const type = kinds[at % kinds.length];
    const tool = type === 'tool' ? { tool: { name: 'edit', kind: 'edit', paths: ['src/a.js'], status: 'done' } } : {};
    const line = JSON.stringify({ at: '2026-01-01T00:00:00.000Z', type, text: `Entry ${at + 1}. ${said}`, ...tool });
    lines.push(line);
    bytes += line.length + 1;
  }
  writeFileSync(file, `${lines.join('\n')}\n`);
  return lines.length;
}
