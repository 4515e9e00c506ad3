/** A key means one piece of work, whatever the journal's redaction, a crash or the workflow's mistakes do to it. */
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import type { Bench, WorkflowResult } from '../../src/engine/bench.ts';
import type { Fact, TaskOutcome } from '../../src/engine/facts.ts';
import { readJournalFile } from '../../src/engine/files/journal-file.ts';
import type { CheckReport } from '../../src/policy/check-report.ts';
import { base, fakeHost, gate, identity, makeEngine, request, task } from './support.ts';

const done = (output?: unknown): WorkflowResult => ({ status: 'done', output });
const redact = (text: string): string => text.replaceAll('hunter2!', '[redacted]');
const survivor = () => fakeHost(identity(2), new Set([2]));
const report: CheckReport = {
  commit: base,
  tree: base,
  judge: base,
  source: 'settings',
  status: 'passed',
  commands: [],
  checkChanged: [],
};
const factsOf = (runs: string): readonly Fact[] => readJournalFile(join(runs, 'r1', 'journal.jsonl')).facts;

describe('redaction', () => {
  const entries = [{ run: ['npm', 'test'], cwd: '.', env: { TOKEN: 'hunter2!' } }];
  const check = async (bench: Bench): Promise<WorkflowResult> =>
    done((await bench.perform('check.run', 'c', { commit: base, judge: base, source: 'settings', entries })).status);

  it('does not make the same work look like another, nor change what a cut-off attempt is given again', async () => {
    const seen: unknown[] = [];
    const begun = gate();
    const first = makeEngine({
      work: check,
      redact,
      kinds: {
        'check.run': {
          perform: (asked) => {
            seen.push(asked.entries);
            begun.open();
            return new Promise(() => {});
          },
        },
      },
    });
    await first.start(request());
    await begun.opened;
    const performing = {
      runs: first.runs,
      work: check,
      redact,
      host: survivor(),
      kinds: {
        'check.run': {
          perform: async (asked: { entries: unknown }) => {
            seen.push(asked.entries);
            return report;
          },
        },
      },
    };
    expect(await (await makeEngine(performing).resume('r1')).ended).toMatchObject({ status: 'done', output: 'passed' });
    expect(seen).toEqual([entries, entries]);
    expect(JSON.stringify(factsOf(first.runs))).not.toContain('hunter2!');
  });

  it('answers a finished key that was recorded before the secret was known, and after', async () => {
    const kinds = { 'check.run': { perform: async () => report } };
    const twice = async (bench: Bench): Promise<WorkflowResult> => {
      await check(bench);
      return done((await bench.ask('go on', { title: 'Go on?' })).text);
    };
    const knowing = makeEngine({ work: twice, redact, kinds });
    expect(await (await knowing.start(request(), { whenWaiting: 'leave' })).ended).toMatchObject({ status: 'waiting' });
    const other = makeEngine({ work: twice, kinds });
    expect(await (await other.start(request(), { whenWaiting: 'leave' })).ended).toMatchObject({ status: 'waiting' });
    const later = makeEngine({ runs: other.runs, work: twice, redact, kinds });
    expect(await (await later.resume('r1', { whenWaiting: 'leave' })).ended).toMatchObject({ status: 'waiting' });
    const again = makeEngine({ runs: knowing.runs, work: twice, redact, kinds });
    expect(await (await again.resume('r1', { whenWaiting: 'leave' })).ended).toMatchObject({ status: 'waiting' });
  });

  it('hands a workflow the outcomes and the output that were written, at once and on replay', async () => {
    const handed: unknown[] = [];
    const work = async (bench: Bench): Promise<WorkflowResult> => {
      const outcomes = await bench.schedule([task('hunter2!')], { limit: 1 }, async ({ id }) => ({
        task: id,
        status: 'failed',
        reason: 'saw hunter2!',
      }));
      handed.push(outcomes);
      await bench.ask('go on', { title: 'Go on?' });
      return done({ said: 'hunter2!' });
    };
    const engine = makeEngine({ work, redact });
    await (await engine.start(request(), { whenWaiting: 'leave' })).ended;
    await engine.signal('r1', { type: 'answer', key: 'go on', answer: { text: 'yes' } });
    const end = await (await engine.resume('r1')).ended;
    const outcome: TaskOutcome = { task: 'hunter2!', status: 'failed', reason: 'saw [redacted]' };
    expect({ handed, end }).toEqual({
      handed: [[outcome], [outcome]],
      end: { status: 'done', reason: '', output: { said: '[redacted]' } },
    });
    expect(await (await engine.resume('r1')).ended).toEqual(end);
  });
});

describe('schedules', () => {
  it('refuses to schedule the same task a second time without a key prefix of its own', async () => {
    const ran: string[] = [];
    const round = (bench: Bench, keyPrefix?: string) =>
      bench.schedule([task('T1')], { limit: 1, ...(keyPrefix === undefined ? {} : { keyPrefix }) }, async ({ id }) => {
        ran.push(`${keyPrefix ?? ''}${id}`);
        return { task: id, status: 'done', reason: '' };
      });
    const scoped = makeEngine({
      work: async (bench) => {
        await round(bench);
        await round(bench, 'again/');
        return done();
      },
    });
    expect(await (await scoped.start(request())).ended).toMatchObject({ status: 'done' });
    expect(ran).toEqual(['T1', 'again/T1']);
    const engine = makeEngine({
      work: async (bench) => {
        await round(bench);
        await round(bench);
        return done();
      },
    });
    expect(await (await engine.start(request())).ended).toMatchObject({
      status: 'stopped',
      error: { code: 'effect-key-reused' },
    });
  });
});
