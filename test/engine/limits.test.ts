import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { readJournalFile } from '../../src/engine/files/journal-file.ts';
import { ForgeError } from '../../src/errors.ts';
import { base, makeEngine, other, request } from './support.ts';

describe('limits, pauses and what comes after the end', () => {
  it('a limit suspends the run as limited, and the same key is performed again on resume', async () => {
    let limited = true;
    const engine = makeEngine({
      work: async (bench) => ({ status: 'done', output: (await bench.perform('integration.read', 'a', {})).commit }),
      read: {
        perform: async () => {
          if (limited) throw new ForgeError('limit-reached', 'wait 30 s');
          return { commit: base, judge: base };
        },
      },
    });
    expect(await (await engine.start(request())).ended).toEqual({ status: 'limited', reason: 'wait 30 s' });
    expect((await engine.read('r1')).status).toBe('limited');
    limited = false;
    expect(await (await engine.resume('r1')).ended).toMatchObject({ status: 'done', output: base });
  });

  it('a pause posted while nobody was at work does not stop the one who resumes', async () => {
    const engine = makeEngine({
      work: async (bench) => {
        const answer = await bench.ask('q', { title: 'Q?' });
        return { status: 'done', output: answer.text };
      },
    });
    expect(await (await engine.start(request(), { whenWaiting: 'leave' })).ended).toMatchObject({ status: 'waiting' });
    await engine.signal('r1', { type: 'pause' });
    await engine.signal('r1', { type: 'answer', key: 'q', answer: { text: 'yes' } });
    expect(await (await engine.resume('r1')).ended).toMatchObject({ status: 'done', output: 'yes' });
  });

  it('writes down refs that were moved after the end', async () => {
    const engine = makeEngine({ work: async () => ({ status: 'done' }) });
    await (await engine.start(request())).ended;
    await engine.recordRefs('r1', [{ ref: 'refs/heads/main', before: base, after: other }]);
    await engine.recordRefs('r1', [{ ref: 'refs/heads/main', before: other, after: base }]);
    const { state, status } = await engine.read('r1');
    expect(status).toBe('done');
    expect(state?.refs).toEqual([
      { ref: 'refs/heads/main', before: base, after: other },
      { ref: 'refs/heads/main', before: other, after: base },
    ]);
    const keys = readJournalFile(join(engine.runs, 'r1', 'journal.jsonl')).facts.map((fact) => fact.key);
    expect(keys.slice(-2)).toEqual(['ref#1', 'ref#2']);
  });
});
