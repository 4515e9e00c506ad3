/** Journals of earlier versions replay forever: every finished key answers, nothing is performed again. */
import { copyFileSync, cpSync, existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import type { RunInfo } from '../../src/engine/bench.ts';
import { type EffectKind, effectMap } from '../../src/engine/effect-map.ts';
import { FilesEngine } from '../../src/engine/files/files-engine.ts';
import { Journal } from '../../src/engine/files/journal.ts';
import { readJournalFile } from '../../src/engine/files/journal-file.ts';
import type { Performers } from '../../src/engine/performer.ts';
import { foldRun, type RunState } from '../../src/engine/run-state.ts';
import { builtinDefinitions } from '../../src/workflows/registry.ts';
import { runnableWorkflow } from '../../src/workflows/runnable-workflow.ts';
import { fakeHost, identity } from '../engine/support.ts';
import { everything } from '../proof/everything.ts';
import { countingClock } from '../support/clock.ts';
import { tempDir } from '../support/temp.ts';

const workflows = [everything, ...(await Promise.all(builtinDefinitions.map(runnableWorkflow)))];
const journals = readdirSync(import.meta.dirname).filter((name) => name.endsWith('.jsonl'));

describe('golden journals', () => {
  it('are there', () => {
    expect(journals.length).toBeGreaterThan(0);
  });

  it.each(journals)('%s reads as it was', (name) => {
    const { facts, tornBytes } = readJournalFile(join(import.meta.dirname, name));
    expect(tornBytes).toBe(0);
    expect(['done', 'failed']).toContain(foldRun(facts).status);
  });

  it.each(journals)('%s replays to the same end without performing anything', async (name) => {
    const golden = join(import.meta.dirname, name);
    const state = foldRun(readJournalFile(golden).facts);
    const runs = tempDir();
    mkdirSync(join(runs, 'proof', 'inbox'), { recursive: true });
    const lines = readFileSync(golden, 'utf8').trimEnd().split('\n');
    writeFileSync(join(runs, 'proof', 'journal.jsonl'), `${lines.slice(0, -1).join('\n')}\n`);
    const blobs = join(import.meta.dirname, 'blobs');
    if (existsSync(blobs)) cpSync(blobs, join(runs, 'proof', 'blobs'), { recursive: true });
    const performed: string[] = [];
    const engine = engineThatRefuses(runs, performed);
    const end = await (await engine.resume('proof')).ended;
    expect({ end, performed }).toEqual({
      end: endOf(state),
      performed: [],
    });
  });

  it.each(journals)('%s answers every key of every task when the tasks themselves are done again', async (name) => {
    const { facts } = readJournalFile(join(import.meta.dirname, name));
    const state = foldRun(facts);
    const runs = tempDir();
    mkdirSync(join(runs, 'proof', 'inbox'), { recursive: true });
    // As if the process had died before it could write that any task was over.
    const journal = Journal.create({ file: join(runs, 'proof', 'journal.jsonl'), clock: countingClock() });
    for (const { type, key, data } of facts) {
      if (type !== 'task.ended' && type !== 'run.ended') journal.append(type, key, data);
    }
    journal.close();
    const performed: string[] = [];
    const end = await (await engineThatRefuses(runs, performed).resume('proof')).ended;
    expect({ end, performed }).toEqual({ end: endOf(state), performed: [] });
    const after = readJournalFile(join(runs, 'proof', 'journal.jsonl')).facts;
    expect(answers(foldRun(after))).toEqual(answers(state));
  });

  it('is refused when a line is altered', async () => {
    const runs = tempDir();
    mkdirSync(join(runs, 'proof'), { recursive: true });
    const file = join(runs, 'proof', 'journal.jsonl');
    copyFileSync(join(import.meta.dirname, journals[0] ?? ''), file);
    writeFileSync(file, readFileSync(file, 'utf8').replace('"attempt":1', '"attempt":2'));
    await expect(engineThatRefuses(runs, []).resume('proof')).rejects.toMatchObject({ code: 'journal-corrupt' });
  });
});

/** A run that could not do everything ends as failed, and a replay of it does too. */
function endOf({ status, reason, output }: RunState): object {
  return { status, reason, output };
}

/** But for the numbers of facts: some were left out. */
function answers({ effects }: Pick<RunState, 'effects'>) {
  return [...effects].map(([key, answer]) => [key, { ...answer, startedSeq: 0 }]);
}

function engineThatRefuses(runs: string, performed: string[]): FilesEngine {
  const perform = (_request: unknown, { key }: { key: string }): Promise<never> => {
    performed.push(key);
    return Promise.reject(new Error(`${key} was performed again`));
  };
  const kinds = Object.keys(effectMap) as EffectKind[];
  return new FilesEngine({
    runs,
    host: fakeHost(identity(1)),
    clock: countingClock(),
    workflow: (name) => workflows.find((workflow) => workflow.name === name) ?? everything,
    performers: async (_run: RunInfo) =>
      Object.fromEntries(kinds.map((kind) => [kind, { perform }])) as unknown as Performers,
    forge: '0.0.0',
    jail: 'none',
  });
}
