/**
 * What the comparison of two versions of a test file needs to know of each: its tests with their number of
 * assertions, what is skipped or singled out, and assertions that cannot fail. Made by js-outline.ts (a
 * parse) and text-outline.ts (a lexer and patterns).
 */

export interface OutlinedTest {
  /** With the suites around it, joined by ` > `. */
  readonly name: string;
  readonly leaf: string;
  readonly line: number;
  /** Assertions that can run and can fail, helpers of the same file included. */
  readonly assertions: number;
  /** Those of them that stand in the test itself, as text to compare; see expectation.ts. */
  readonly expectations: readonly string[];
  /** Trimmed lines of the body, for recognising a renamed test. */
  readonly body: readonly string[];
  /** One declaration, any number of tests: a table of cases, a loop. */
  readonly repeated: boolean;
}

export interface Marker {
  readonly kind: 'skip' | 'only';
  /** As written, e.g. `it.skip`, `pytest.mark.xfail`; or what leaves it out, in words. */
  readonly word: string;
  readonly line: number;
  /** The test or suite it stands on; undefined for a whole file. */
  readonly test: string | undefined;
}

export interface Tautology {
  readonly line: number;
  readonly test: string | undefined;
  /** As written, white space folded. */
  readonly text: string;
}

export interface TestOutline {
  readonly tests: readonly OutlinedTest[];
  readonly markers: readonly Marker[];
  readonly tautologies: readonly Tautology[];
}

export const emptyOutline: TestOutline = { tests: [], markers: [], tautologies: [] };

const maxBodyLines = 200;
const maxBodyChars = 20_000;

/** The telling lines of a body. Tests within tests are read again with each, up to a total of a few file lengths. */
export function bodyReader(source: string): (start: number, end: number) => string[] {
  let left = 8 * source.length;
  return (start, end) => {
    const text = source.slice(start, Math.min(end, start + Math.min(maxBodyChars, left)));
    left -= text.length;
    return text
      .split('\n', maxBodyLines)
      .map((line) => line.trim())
      .filter((line) => !/^[\s{}()[\];,]*$/.test(line));
  };
}

export function foldSpaces(text: string): string {
  return text.slice(0, 200).replaceAll(/\s+/g, ' ').trim();
}

/** Line numbers from offsets, by binary search over the line starts. */
export function lineFinder(source: string): (offset: number) => number {
  const starts = [0];
  for (let at = source.indexOf('\n'); at !== -1; at = source.indexOf('\n', at + 1)) starts.push(at + 1);
  return (offset) => {
    let low = 0;
    let high = starts.length - 1;
    while (low < high) {
      const middle = (low + high + 1) >> 1;
      if ((starts[middle] ?? 0) <= offset) low = middle;
      else high = middle - 1;
    }
    return low + 1;
  };
}
