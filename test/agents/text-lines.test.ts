import fc from 'fast-check';
import { expect, test } from 'vitest';
import { readLines, shownText, type TextLine } from '../../src/agents/text-lines.ts';
import { createRedactor } from '../../src/process/redact.ts';

function read(chunks: readonly Uint8Array[], maxLength = 1000): readonly TextLine[] {
  const lines: TextLine[] = [];
  const reader = readLines(maxLength, (some) => lines.push(...some));
  for (const chunk of chunks) reader.push(Buffer.from(chunk));
  reader.end();
  return lines;
}

test('lines are the same however the bytes arrive, split characters included', () => {
  const text = fc
    .array(fc.string({ unit: 'grapheme' }).map((line) => line.replaceAll('\n', ' ')))
    .map((lines) => lines.join('\n'));
  fc.assert(
    fc.property(text, fc.array(fc.nat(10)), (whole, sizes) => {
      const bytes = Buffer.from(whole);
      const chunks: Buffer[] = [];
      let at = 0;
      for (const size of sizes) chunks.push(bytes.subarray(at, (at += size)));
      chunks.push(bytes.subarray(at));
      const expected = whole.split('\n').map((line) => ({ text: line, cut: false }));
      if (expected.at(-1)?.text === '') expected.pop();
      expect(read(chunks)).toEqual(expected);
    }),
  );
});

test('a line longer than the limit is cut and marked; the next one is whole', () => {
  expect(read([Buffer.from('12345'), Buffer.from('6789\nab')], 8)).toEqual([
    { text: '12345678', cut: true },
    { text: 'ab', cut: false },
  ]);
});

test('a secret is not shown in half where a long line is cut', () => {
  const secret = 'swordfish-is-the-password';
  const redactor = createRedactor({ PASSWORD: secret });
  const [line] = read([Buffer.from(`${'x'.repeat(9990)}${secret}`)], 10_000);
  const shown = shownText(line === undefined ? [] : [line], redactor);
  expect(line).toEqual({ text: `${'x'.repeat(9990)}swordfish-`, cut: true });
  expect(shown).toBe(`${'x'.repeat(10_000 - 4096)} […]`);
  expect(
    shownText(
      [
        { text: `a ${secret}`, cut: false },
        { text: 'b', cut: false },
      ],
      redactor,
    ),
  ).toBe('a [redacted:PASSWORD]\nb');
});
