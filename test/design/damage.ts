/** What goes wrong with texts that people and tools write, for tests that mangle files. */
import fc from 'fast-check';

/** One thing that goes wrong with a text. */
export const damage = fc.oneof(
  fc.record({
    kind: fc.constant('cut' as const),
    from: fc.double({ min: 0, max: 1, noNaN: true }),
    length: fc.nat(400),
  }),
  fc.record({
    kind: fc.constant('insert' as const),
    from: fc.double({ min: 0, max: 1, noNaN: true }),
    text: fc.oneof(
      fc.string({ maxLength: 40 }),
      fc.constantFrom(
        '|',
        '\\|',
        '\r\n',
        '\r',
        '|---|',
        '# ',
        '\n\n## Module Index\n',
        '`',
        '```\n',
        '<!--',
        '\0',
        '\u202e',
        'M-001',
        '[x](../../../../..)',
        '](',
        '> ',
        '- ',
      ),
    ),
  }),
  fc.record({
    kind: fc.constant('swap' as const),
    from: fc.constantFrom('|', '\n', '-', '#', 'M-', '✦'),
    to: fc.constantFrom('', ' ', '\\|', '\r\n', 'F-'),
  }),
);
export type Damage = typeof damage extends fc.Arbitrary<infer T> ? T : never;

export function damaged(text: string, how: Damage): string {
  if (how.kind === 'swap') return text.replaceAll(how.from, how.to);
  const at = Math.floor(how.from * text.length);
  return how.kind === 'cut'
    ? text.slice(0, at) + text.slice(at + how.length)
    : text.slice(0, at) + how.text + text.slice(at);
}
