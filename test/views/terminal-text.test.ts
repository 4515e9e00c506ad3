import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { clockTime, durationText, moneyText, spendText, tokensText } from '../../src/views/figures.ts';
import { displayWidth, fitText, plainLine, plainLines, toAscii, wrapText } from '../../src/views/terminal-text.ts';

const text = fc.string({ unit: 'binary', maxLength: 80 });

describe('terminal text', () => {
  it('counts cells as terminals do', () => {
    const width = { abc: 3, 漢字: 4, 'e\u0301': 1, '👩‍👩‍👧': 2, '⚠️': 2, '🇩🇪': 2, '': 0, ｱ: 1, '…': 1 };
    expect(Object.fromEntries(Object.keys(width).map((one) => [one, displayWidth(one)]))).toEqual(width);
  });

  it('takes out whatever is not text', () => {
    expect(plainLine('a\u001b[1;31mb\u001b]8;;http://x\u0007c\u001b(Bd\r\n\te\u202ef\u0000')).toBe('abcd e f');
    expect(plainLine('x\u009b31my\ud800z')).toBe('xy z');
    expect(plainLines('one\r\n  two \u001b[0m\n\nthree')).toEqual(['one', ' two', '', 'three']);
    fc.assert(
      fc.property(text, (any) => {
        expect(plainLine(any)).not.toMatch(/[\p{Cc}\p{Bidi_Control}\p{Surrogate}]/u);
      }),
    );
  });

  it('cuts and wraps to any width', () => {
    expect([fitText('漢字かな', 5), fitText('abcdef', 4, '...'), fitText('abc', 3), fitText('abc', 0)]).toEqual([
      '漢字…',
      'a...',
      'abc',
      '',
    ]);
    expect(wrapText('one two three-is-long four', 8, '  ')).toEqual(['one two', '  three-', '  is-lon', '  g four']);
    fc.assert(
      fc.property(text, fc.integer({ min: 4, max: 40 }), (any, columns) => {
        const line = plainLine(any);
        expect(displayWidth(fitText(line, columns))).toBeLessThanOrEqual(columns);
        const lines = wrapText(line, columns);
        for (const part of lines) expect(displayWidth(part)).toBeLessThanOrEqual(columns);
        expect(lines.join('').replaceAll(' ', '')).toBe(line.replaceAll(' ', ''));
      }),
    );
  });

  it('has an ASCII form', () => {
    expect(toAscii('a … b → 漢 é')).toBe('a ... b -> ? ?');
  });
});

describe('figures', () => {
  it('are short', () => {
    expect([clockTime(7400), clockTime(754_000), clockTime(3_723_000)]).toEqual(['0:07', '12:34', '1:02:03']);
    expect([
      durationText(400),
      durationText(7400),
      durationText(754_000),
      durationText(3_723_000),
      durationText(7_200_000),
    ]).toEqual(['0 s', '7 s', '12 min 34 s', '1 h 2 min', '2 h']);
    expect([
      moneyText(0.001),
      moneyText(1.5),
      tokensText(999),
      tokensText(1234),
      tokensText(156_000),
      tokensText(2_500_000),
    ]).toEqual(['<$0.01', '$1.50', '999', '1.2k', '156k', '2.5M']);
    expect(spendText({ inputTokens: 0, outputTokens: 0, costUsd: 0, turns: 4 })).toBe('');
  });
});
