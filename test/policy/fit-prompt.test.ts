/** A prompt fits the agent that gets it, and says what was left out. */
import fc from 'fast-check';
import { expect, it } from 'vitest';
import { fitPrompt } from '../../src/policy/fit-prompt.ts';

const section = (title: string, text: string): string => `## ${title}\n\n${text}\n`;
const long = (word: string, times: number): string => `${word} `.repeat(times).trim();

it('leaves a prompt alone that has room', () => {
  const prompt = `You are careful.\n\n${section('Work', 'Do it.')}`;
  expect(fitPrompt(prompt)).toBe(prompt);
  expect(fitPrompt(prompt, 4000)).toBe(prompt);
});

it('cuts the longest parts for a small context, keeps the end, and steers once', () => {
  const prompt = [
    'You are careful.\n',
    section('Architecture', long('stone', 4000)),
    section('Guidance', 'Be brief.'),
    section('How to end', long('exactly', 300)),
  ].join('\n');
  const fitted = fitPrompt(prompt, 4000);
  expect(fitted.startsWith('You are careful.\n')).toBe(true);
  expect(fitted).toContain(section('Guidance', 'Be brief.'));
  expect(fitted).toContain(section('How to end', long('exactly', 300)));
  expect(fitted).toMatch(/Left out: Architecture: [\d,]+ characters, to stay within the context window\./);
  expect(fitted).toMatch(/\nctx: 4k \/ 4k \(\d\d %\)\n/);
  expect(fitted.match(/Your context is nearly full/g)).toHaveLength(1);
  expect(fitted.length).toBeLessThan(4000 * 4);
});

it('fits whatever it is given, and never throws', () => {
  const part = fc.oneof(
    fc.string(),
    fc.constantFrom('## ', '\n## A\n', '\n', '##', 'x'.repeat(3000), '😀'.repeat(900)),
  );
  fc.assert(
    fc.property(fc.array(part, { maxLength: 12 }), fc.integer({ min: 1000, max: 3000 }), (parts, window) => {
      const prompt = parts.join('');
      const fitted = fitPrompt(prompt, window);
      if (prompt.length < window * 3) expect(fitted).toBe(prompt);
      const last = prompt.split(/^(?=## )/m).at(-1)?.length ?? 0;
      const first = prompt.split(/^(?=## )/m)[0]?.length ?? 0;
      expect(fitted.length).toBeLessThan(window * 4 + last + first + 2000);
    }),
    { numRuns: 100 },
  );
});
