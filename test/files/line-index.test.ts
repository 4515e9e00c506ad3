import { appendFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { readLines, searchLines } from '../../src/files/line-index.ts';
import { tempDir } from '../support/temp.ts';

describe('pages of lines', () => {
  it('gives any page of any file, as it grows', () => {
    const directory = tempDir();
    let file = 0;
    const line = fc.string({ maxLength: 40 }).map((text) => text.replaceAll('\n', ' '));
    fc.assert(
      fc.property(
        fc.array(line, { maxLength: 300 }),
        fc.array(line, { maxLength: 50 }),
        fc.integer({ min: 1, max: 320 }),
        fc.integer({ min: 1, max: 200 }),
        (first, more, from, count) => {
          file += 1;
          const path = join(directory, `${file}.jsonl`);
          writeFileSync(path, first.map((text) => `${text}\n`).join(''));
          expect(readLines(path, from, count)).toEqual(expected(first, from, count));
          appendFileSync(path, `${more.map((text) => `${text}\n`).join('')}torn`);
          expect(readLines(path, from, count)).toEqual(expected([...first, ...more], from, count));
        },
      ),
      { numRuns: 60 },
    );
  });

  it('finds lines, and counts those it does not give', async () => {
    const path = join(tempDir(), 'lines');
    writeFileSync(path, Array.from({ length: 5000 }, (_, at) => `line ${at + 1}\n`).join(''));
    const found = await searchLines(path, (text) => text.endsWith('7'), 2);
    expect(found).toEqual({
      total: 5000,
      found: 500,
      lines: [
        { number: 7, text: 'line 7' },
        { number: 17, text: 'line 17' },
      ],
    });
    expect(readLines(join(tempDir(), 'none'), 1, 10)).toMatchObject({ total: 0, lines: [] });
  });
});

function expected(lines: readonly string[], from: number, count: number) {
  const page = lines.slice(from - 1, from - 1 + count).map((text, at) => ({ number: from + at, text }));
  return { total: lines.length, lines: page };
}
