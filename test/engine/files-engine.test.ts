/** Runs as directories: what cannot be read is shown, what was not begun is free, what is taken over moves whole. */
import {
  appendFileSync,
  existsSync,
  linkSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import type { Bench, WorkflowResult } from '../../src/engine/bench.ts';
import { readJournalFile } from '../../src/engine/files/journal-file.ts';
import { takeLease } from '../../src/engine/files/lease.ts';
import { fakeHost, identity, makeEngine, request } from './support.ts';

const done: WorkflowResult = { status: 'done' };
const asking = async (bench: Bench): Promise<WorkflowResult> => {
  await bench.ask('q', { title: 'Go on?' });
  return done;
};
const factsIn = (file: string) => readJournalFile(file).facts.length;

describe('listing', () => {
  it('shows a run whose journal cannot be read, says why, and the others all the same', async () => {
    const engine = makeEngine({ work: async () => done });
    await (await engine.start(request('good'))).ended;
    await (await engine.start(request('bad'))).ended;
    const file = join(engine.runs, 'bad', 'journal.jsonl');
    const text = readFileSync(file, 'utf8').replace('a run', 'A RUN');
    writeFileSync(file, text);
    mkdirSync(join(engine.runs, 'empty'));
    mkdirSync(join(engine.runs, 'not a run'));
    writeFileSync(join(engine.runs, 'a-file'), '');
    const problem = `${file}, line 1: its hash does not follow from the lines before it`;
    const listed = (await engine.list()).map(({ run, status, problem: why }) => ({ run, status, why }));
    expect(listed.sort((a, b) => (a.run < b.run ? -1 : 1))).toEqual([
      { run: 'bad', status: 'unreadable', why: problem },
      { run: 'empty', status: 'unreadable', why: 'it was never begun' },
      { run: 'good', status: 'done', why: undefined },
    ]);
    expect(await engine.read('bad')).toEqual({
      run: 'bad',
      status: 'unreadable',
      state: undefined,
      problem,
    });
    await expect(engine.resume('bad')).rejects.toMatchObject({ code: 'journal-corrupt' });
    expect(readFileSync(file, 'utf8')).toBe(text);
    expect((await engine.read('bad')).status).toBe('unreadable');
    expect(await engine.read('empty')).toMatchObject({ status: 'unreadable', problem: 'it was never begun' });
    await expect(engine.read('none')).rejects.toMatchObject({ code: 'unknown-run' });
  });

  it('never calls a run interrupted that ended while it was looked at', async () => {
    const engine = makeEngine({ work: asking });
    const handle = await engine.start(request());
    const file = join(engine.runs, 'r1', 'journal.jsonl');
    const before = readFileSync(file);
    await engine.signal('r1', { type: 'answer', key: 'q', answer: { text: 'yes' } });
    await handle.ended;
    const after = readFileSync(file);
    const looking = makeEngine({
      runs: engine.runs,
      work: asking,
      // Asked about the holder in the middle of a look: only then does the run end.
      host: {
        ...fakeHost(identity(3)),
        isAlive: () => {
          writeFileSync(file, after);
          return false;
        },
      },
    });
    writeFileSync(file, before);
    renameSync(lastLease(engine.runs), join(engine.runs, 'r1', 'lease.9'));
    expect((await looking.read('r1')).status).toBe('done');
  });
});

describe('starting', () => {
  it('refuses a bad request before anything exists, and takes the name again afterwards', async () => {
    const engine = makeEngine({ work: async () => done });
    const bad = { ...request(), input: { when: new Date(0) } };
    await expect(engine.start(bad)).rejects.toMatchObject({ code: 'bad-input' });
    expect(existsSync(join(engine.runs, 'r1'))).toBe(false);
    expect(await (await engine.start(request())).ended).toMatchObject({ status: 'done' });
  });

  it('begins where an earlier start was killed before its first fact, and keeps what was posted', async () => {
    const engine = makeEngine({ work: asking });
    const inbox = join(engine.runs, 'r1', 'inbox');
    mkdirSync(inbox, { recursive: true });
    writeFileSync(join(inbox, 'm1.json'), JSON.stringify({ type: 'answer', key: 'q', answer: { text: 'yes' } }));
    appendFileSync(join(engine.runs, 'r1', 'journal.jsonl'), '{"v":1,"se');
    takeLease(join(engine.runs, 'r1'), fakeHost(identity(7)));
    expect(await (await engine.start(request())).ended).toMatchObject({ status: 'done' });
  });

  it('does not touch a directory that a live process is about to begin in', async () => {
    const engine = makeEngine({ work: asking });
    mkdirSync(join(engine.runs, 'r1'), { recursive: true });
    const alive = fakeHost(identity(7), new Set([1, 7]));
    takeLease(join(engine.runs, 'r1'), alive);
    const second = makeEngine({ runs: engine.runs, work: asking, host: { ...alive, self: identity(1) } });
    await expect(second.start(request())).rejects.toMatchObject({ code: 'run-exists' });
    expect(readdirSync(join(engine.runs, 'r1'))).toEqual(['lease.1']);
  });
});

describe('taking over', () => {
  const leaving = async () => {
    const far = makeEngine({ work: asking, host: fakeHost(identity(9, 'far')) });
    const handle = await far.start(request());
    return { far, handle, directory: join(far.runs, 'r1'), file: join(far.runs, 'r1', 'journal.jsonl') };
  };

  it('moves the journal even if the process that took over died before it could', async () => {
    const { far, handle, directory, file } = await leaving();
    takeLease(directory, fakeHost(identity(5)), { takeOver: true });
    const here = makeEngine({ runs: far.runs, work: asking });
    await (await here.resume('r1', { whenWaiting: 'leave' })).ended;
    const facts = factsIn(file);
    handle.pause('waking up');
    expect(await handle.ended).toMatchObject({ status: 'stopped', error: { code: 'lease-lost' } });
    expect(factsIn(file)).toBe(facts);
  });

  it('finishes a move that was cut off half-way, and never has a moment without a journal', async () => {
    const { far, directory, file } = await leaving();
    const { epoch } = takeLease(directory, fakeHost(identity(5)), { takeOver: true });
    linkSync(file, join(directory, `journal.before-${epoch}.jsonl`));
    writeFileSync(`${file}.tmp`, 'half');
    const old = statSync(file).ino;
    const here = makeEngine({ runs: far.runs, work: asking });
    await (await here.resume('r1', { whenWaiting: 'leave' })).ended;
    expect(statSync(file).ino).not.toBe(old);
    expect((await here.read('r1')).status).toBe('waiting');
    await (await here.resume('r1', { whenWaiting: 'leave' })).ended;
    expect(readdirSync(directory).filter((name) => name.startsWith('journal.before-'))).toHaveLength(1);
  });
});

function lastLease(runs: string): string {
  const names = readdirSync(join(runs, 'r1')).filter((name) => /^lease\.\d+$/.test(name) || name.endsWith('.released'));
  return join(runs, 'r1', names.sort()[0] ?? '');
}
