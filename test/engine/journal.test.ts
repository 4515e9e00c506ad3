import { appendFileSync, closeSync, fstatSync, readFileSync, renameSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { Journal } from '../../src/engine/files/journal.ts';
import { JournalTail, readJournalFile } from '../../src/engine/files/journal-file.ts';
import type { Fact } from '../../src/engine/facts.ts';
import { type RawLine, readJournal, writeLine } from '../../src/engine/files/read-journal.ts';
import { ForgeError } from '../../src/errors.ts';
import { countingClock } from '../support/clock.ts';
import { tempDir } from '../support/temp.ts';

function freshFile(): string {
  return join(tempDir(), 'journal.jsonl');
}

function written(texts: readonly string[], file = freshFile()): string {
  const journal = Journal.create({ file, clock: countingClock() });
  for (const [index, text] of texts.entries()) journal.append('note.recorded', `n${index}`, { text });
  journal.close();
  return file;
}

/** As if the disk had gone: the file descriptor that is open on this file works no more. */
function closeFileOf(file: string): void {
  const { ino, dev } = statSync(file);
  for (let fd = 3; fd < 256; fd += 1) {
    try {
      const open = fstatSync(fd);
      if (open.ino === ino && open.dev === dev) closeSync(fd);
    } catch {
      // Not open.
    }
  }
}

function codeOf(action: () => unknown): string {
  try {
    action();
  } catch (error) {
    if (error instanceof ForgeError) return `${error.code}: ${error.message}`;
    throw error;
  }
  return 'no error';
}

describe('journal', () => {
  it('reads back what was appended, in order', () => {
    const { facts } = readJournalFile(written(['one', 'two\nlines', 'drei ✓']));
    expect(facts.map(({ seq, key, at, type, data }) => ({ seq, key, at, type, data }))).toEqual([
      { seq: 1, key: 'n0', at: '2026-01-01T00:00:01.000Z', type: 'note.recorded', data: { text: 'one' } },
      { seq: 2, key: 'n1', at: '2026-01-01T00:00:02.000Z', type: 'note.recorded', data: { text: 'two\nlines' } },
      { seq: 3, key: 'n2', at: '2026-01-01T00:00:03.000Z', type: 'note.recorded', data: { text: 'drei ✓' } },
    ]);
  });

  it('gives the same in pieces of any size as at once, and after a move to another file only what is new', () => {
    const file = written(['one', 'x'.repeat(900), 'two', 'drei ✓', 'y'.repeat(40)]);
    const { facts } = readJournalFile(file);
    for (const size of [1, 50, 300, 1000, 100_000]) {
      const tail = new JournalTail(file);
      const seen = [];
      for (let piece = tail.read(size); piece.length > 0; piece = tail.read(size)) seen.push(...piece);
      expect(seen, `pieces of ${size}`).toEqual(facts);
      if (tail.place === undefined) throw new Error('it read nothing');
      // Where somebody read before, hashes are not made again, and after that they are.
      const again = new JournalTail(file, { verified: tail.place });
      expect(again.read(100_000)).toEqual(facts);
      const moved = `${file}.moved`;
      writeFileSync(moved, readFileSync(file));
      renameSync(moved, file);
      expect(tail.read(size)).toEqual([]);
    }
  });

  it('cuts off a torn last line at every possible length, and goes on after it', () => {
    const file = written(['one', 'two']);
    const whole = readFileSync(file);
    const firstEnd = whole.indexOf(0x0a) + 1;
    for (let cut = firstEnd; cut < whole.length; cut += 7) {
      writeFileSync(file, whole.subarray(0, cut));
      expect(readJournalFile(file).facts).toHaveLength(1);
      const { journal, facts } = Journal.open({ file, clock: countingClock() });
      expect(facts).toHaveLength(1);
      journal.append('note.recorded', 'again', { text: 'again' });
      journal.close();
      expect(readJournalFile(file).facts.map((fact) => fact.key)).toEqual(['n0', 'again']);
    }
  });

  it('reports anything else that is wrong with its line and changes nothing', () => {
    const good = readFileSync(written(['one', 'two', 'three']), 'utf8').split('\n');
    const cases: [string, string[], string][] = [
      ['an edited word', [good[0]!, good[1]!.replace('two', 'TWO'), good[2]!], 'line 2: its hash'],
      ['a missing line', [good[0]!, good[2]!], 'line 2: its hash'],
      ['swapped lines', [good[1]!, good[0]!, good[2]!], 'line 1: its hash'],
      ['not JSON', [good[0]!, 'garbage', good[2]!], 'line 2: it is not JSON'],
      ['an empty line', [good[0]!, '', good[1]!], 'line 2: it is not JSON'],
      ['not a fact', [good[0]!, '[]', good[2]!], 'line 2: it is not a fact'],
    ];
    for (const [name, lines, message] of cases) {
      const file = freshFile();
      const text = `${lines.join('\n')}\n`;
      writeFileSync(file, text);
      expect(
        codeOf(() => Journal.open({ file, clock: countingClock() })),
        name,
      ).toContain(`journal-corrupt: ${file}, ${message}`);
      expect(readFileSync(file, 'utf8')).toBe(text);
    }
  });

  it('refuses a newer format with a sentence and upgrades an older one step by step', () => {
    const file = written(['one']);
    const content = readFileSync(file);
    expect(codeOf(() => readJournal(content, { file, format: 0 }))).toContain('journal-newer');
    const upgraded = readJournal(content, {
      file,
      format: 5,
      upgrades: {
        3: (line: RawLine) => ({ ...line, data: { text: `${(line['data'] as { text: string }).text} step1` } }),
        4: (line: RawLine) => ({ ...line, data: { text: `${(line['data'] as { text: string }).text} step2` } }),
      },
    });
    expect(upgraded.facts.map((fact) => [fact.v, fact.data])).toEqual([[5, { text: 'one step1 step2' }]]);
    expect(codeOf(() => readJournal(content, { file, format: 4, upgrades: {} }))).toContain('format 3 is not known');
  });

  it('reads lines of format 2, which say apart from the input what makes an effect this work', () => {
    const file = freshFile();
    const data = { kind: 'agent.run', attempt: 1, identity: { role: 'worker' }, input: { role: 'worker' } };
    const body = { v: 2, seq: 1, at: '2026-01-01T00:00:00.000Z', type: 'effect.started', key: 'a', data };
    writeFileSync(file, writeLine(body as unknown as Omit<Fact, 'hash'>, '0'.repeat(64)).text);
    const { journal, facts } = Journal.open({ file, clock: countingClock() });
    expect(facts[0]?.data).toEqual({ kind: 'agent.run', attempt: 1, input: { role: 'worker' } });
    journal.append('note.recorded', 'b', { text: 'b' });
    journal.close();
    expect(readJournalFile(file).facts.map(({ v, type }) => [v, type])).toEqual([
      [3, 'effect.started'],
      [3, 'note.recorded'],
    ]);
  });

  it('does not write once the file was taken over', () => {
    const file = freshFile();
    const journal = Journal.create({ file, clock: countingClock() });
    journal.append('note.recorded', 'a', { text: 'a' });
    renameSync(file, `${file}.old`);
    appendFileSync(file, '');
    expect(codeOf(() => journal.append('note.recorded', 'b', { text: 'b' }))).toContain('lease-lost');
    expect(readJournalFile(`${file}.old`).facts).toHaveLength(1);
    journal.close();
  });

  it('is not written again after a write has failed, whatever the failure was', () => {
    const file = freshFile();
    let fails = false;
    const journal = Journal.create({
      file,
      clock: countingClock(),
      probe: { before: () => (fails ? closeFileOf(file) : undefined), after: () => {} },
    });
    journal.append('note.recorded', 'a', { text: 'a' });
    fails = true;
    expect(codeOf(() => journal.append('note.recorded', 'b', { text: 'b' }))).toContain('journal-write-failed');
    fails = false;
    expect(codeOf(() => journal.append('note.recorded', 'c', { text: 'c' }))).toContain('journal-write-failed');
    expect(readJournalFile(file).facts.map((fact) => fact.key)).toEqual(['a']);
  });

  it('takes secrets out of every string, however deep', () => {
    const file = freshFile();
    const journal = Journal.create({
      file,
      clock: countingClock(),
      redact: (text) => text.replaceAll('hunter2', '[redacted]'),
    });
    const fact = journal.append('note.recorded', 'n', { text: 'hunter2', data: { deep: ['x hunter2 y', 3, null] } });
    journal.close();
    expect(fact.data).toEqual({ text: '[redacted]', data: { deep: ['x [redacted] y', 3, null] } });
    expect(readFileSync(file, 'utf8')).not.toContain('hunter2');
  });

  it('never accepts a journal with a flipped byte inside a whole line', () => {
    const file = written(['alpha', 'beta', 'gamma']);
    const content = readFileSync(file);
    fc.assert(
      fc.property(fc.nat(content.length - 2), fc.integer({ min: 1, max: 255 }), (index, flip) => {
        const changed = Buffer.from(content);
        changed[index] = changed[index]! ^ flip;
        // A newline inside a line makes two lines; one made of the last newline would only tear it.
        expect(codeOf(() => readJournal(changed, { file }))).toMatch(/^journal-(corrupt|newer)/);
      }),
      { numRuns: 300 },
    );
  });

  it('turns arbitrary bytes into facts or a clear error, never anything else', () => {
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 400 }), (bytes) => {
        const result = codeOf(() => readJournal(Buffer.from(bytes), { file: 'j' }));
        expect(result === 'no error' || result.startsWith('journal-')).toBe(true);
      }),
    );
  });
});
