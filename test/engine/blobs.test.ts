/** What is large lies beside the journal: whole, checked, redacted, and there before the fact that names it. */
import { existsSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { extractBlobs, restoreBlobs } from '../../src/engine/files/blob-content.ts';
import { Journal } from '../../src/engine/files/journal.ts';
import { readJournalFile } from '../../src/engine/files/journal-file.ts';
import { countingClock } from '../support/clock.ts';
import { tempDir } from '../support/temp.ts';

const large = 'a long prompt '.repeat(1000);
const started = (input: unknown) => ({ kind: 'agent.run', attempt: 1, input: input as null });
const blobsOf = (file: string): readonly string[] => {
  const folder = join(dirname(file), 'blobs');
  return existsSync(folder) ? readdirSync(folder) : [];
};
const inputIn = (file: string): Readonly<Record<string, string>> => {
  const [fact] = readJournalFile(file).facts;
  if (fact?.type !== 'effect.started') throw new Error('no effect was started');
  return fact.data.input as Readonly<Record<string, string>>;
};
const freshJournal = (options: Partial<Parameters<typeof Journal.create>[0]> = {}) =>
  Journal.create({ file: join(tempDir(), 'journal.jsonl'), clock: countingClock(), ...options });

describe('blobs', () => {
  it('keep large content out of the journal, once, and give it back', () => {
    const journal = freshJournal();
    journal.append('effect.started', 'a', started({ prompt: large, small: 'word' }));
    journal.append('effect.started', 'b', started({ prompt: large }));
    journal.close();
    expect(readFileSync(journal.file, 'utf8').length).toBeLessThan(2000);
    expect(blobsOf(journal.file)).toHaveLength(1);
    const [first] = readJournalFile(journal.file).facts;
    expect(JSON.parse(JSON.stringify(first?.data))).toEqual(started({ prompt: large, small: 'word' }));
  });

  it('keep once what every job of a role says again', () => {
    const schema = {
      type: 'object',
      properties: Object.fromEntries(Array.from('abcdefghijklmnopqrstuvwxyz').map((name) => [name, { name }])),
    };
    const journal = freshJournal();
    for (const key of ['a', 'b', 'c']) journal.append('effect.started', key, started({ key, resultSchema: schema }));
    journal.append('effect.started', 'd', started({ resultSchema: { type: 'object' } }));
    journal.close();
    expect(blobsOf(journal.file)).toHaveLength(1);
    expect(readFileSync(journal.file, 'utf8')).not.toContain('properties');
    const inputs = readJournalFile(journal.file).facts.map(({ data }) => (data as { input?: unknown }).input);
    expect(JSON.parse(JSON.stringify(inputs))).toEqual([
      ...['a', 'b', 'c'].map((key) => ({ key, resultSchema: schema })),
      { resultSchema: { type: 'object' } },
    ]);
  });

  it('keep the page of a question and the output of a run, and what is read is checked as before', () => {
    const journal = freshJournal();
    const page = {
      title: 'Plan',
      sections: [{ title: 'Tasks', isBrief: false, blocks: [{ type: 'text' as const, text: large }] }],
    };
    journal.append('question.asked', 'approve', { title: 'Approve?', page, draft: large });
    journal.append('run.ended', '', { status: 'done', output: { text: large } });
    journal.close();
    expect(readFileSync(journal.file, 'utf8').length).toBeLessThan(2000);
    const { journal: again, facts } = Journal.open({ file: journal.file, clock: countingClock() });
    again.close();
    for (const [asked, ended] of [facts, readJournalFile(journal.file).facts]) {
      expect(asked?.data).toMatchObject({ title: 'Approve?', page, draft: large });
      expect(ended?.data).toMatchObject({ output: { text: large } });
    }
  });

  it('are redacted as the journal is', () => {
    const journal = freshJournal({ redact: (text) => text.replaceAll('swordfish', '[redacted]') });
    journal.append('effect.started', 'a', started({ prompt: `${large} swordfish` }));
    journal.close();
    const [name = ''] = blobsOf(journal.file);
    const text = readFileSync(join(dirname(journal.file), 'blobs', name), 'utf8');
    expect(text).toContain('[redacted]');
    expect(text).not.toContain('swordfish');
  });

  it('are there before the fact that names them, and a process that dies in between leaves a journal that can be read', () => {
    const seen: number[] = [];
    const file = join(tempDir(), 'journal.jsonl');
    const dying = Journal.create({
      file,
      clock: countingClock(),
      probe: {
        before: () => {
          seen.push(blobsOf(file).length);
          throw new Error('the process is gone');
        },
        after: () => {},
      },
    });
    expect(() => dying.append('effect.started', 'a', started({ prompt: large }))).toThrow('gone');
    dying.close();
    expect(seen).toEqual([1]);
    expect(readJournalFile(file).facts).toEqual([]);
    const { journal } = Journal.open({ file, clock: countingClock() });
    journal.append('effect.started', 'a', started({ prompt: large }));
    journal.close();
    expect(blobsOf(file)).toHaveLength(1);
    expect(inputIn(file)['prompt']).toBe(large);
  });

  it('say so when one is gone or changed, and everything else can still be read', () => {
    const journal = freshJournal();
    journal.append('effect.started', 'a', started({ prompt: large, small: 'word' }));
    journal.close();
    const [name = ''] = blobsOf(journal.file);
    const blob = join(dirname(journal.file), 'blobs', name);
    const input = () => inputIn(journal.file);
    writeFileSync(blob, 'something else');
    expect(input()['small']).toBe('word');
    expect(() => input()['prompt']).toThrow(expect.objectContaining({ code: 'blob-unreadable' }));
    rmSync(blob);
    expect(() => input()['prompt']).toThrow(expect.objectContaining({ code: 'blob-unreadable' }));
  });

  it('give back any JSON as it was, also what looks like a name of a blob', () => {
    const kept = new Map<string, string>();
    const store = {
      put: (content: string) => {
        kept.set(String(kept.size), content);
        return String(kept.size - 1);
      },
      read: (name: string) => kept.get(name) ?? '',
    };
    const word = fc.oneof(fc.string(), fc.constant(large), fc.constant('$blob'));
    const value = fc.letrec((tie) => ({
      any: fc.oneof(
        { depthSize: 'small' },
        word,
        fc.integer(),
        fc.boolean(),
        fc.constant(null),
        tie('list'),
        tie('object'),
      ),
      list: fc.array(tie('any')),
      object: fc.dictionary(fc.oneof(fc.string(), fc.constant('$blob')), tie('any')),
    })).any;
    fc.assert(
      fc.property(value, (input) => {
        const plain = JSON.parse(JSON.stringify({ input })) as unknown;
        const small = extractBlobs('effect.started', plain, store);
        expect(JSON.parse(JSON.stringify(restoreBlobs(small, store)))).toEqual(plain);
        expect(JSON.stringify(small).length).toBeLessThan(20_000);
      }),
    );
  });
});
