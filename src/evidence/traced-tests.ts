/**
 * Tests that name a requirement, found by reading test files: their names, lines and what they assert. Where a file does not
 * parse it is read as text. Pure.
 */
import { namesRequirement, type TracedTest } from '../policy/traced-test.ts';
import { outlineOf } from './weakened.ts';

export interface TestText {
  readonly path: string;
  readonly text: string;
  /** Every test of the file is wanted, whether it names a requirement or not. */
  readonly isWhole?: boolean;
}

export function tracedTests(files: readonly TestText[]): TracedTest[] {
  return files.flatMap(({ path, text, isWhole = false }) => {
    const { tests, markers } = outlineOf(path, text);
    const skips = markers.filter(({ kind }) => kind === 'skip').map(({ test }) => test);
    const isSkipped = (name: string): boolean =>
      skips.some((test) => test === undefined || name === test || name.startsWith(`${test} > `));
    return tests
      .filter(({ name }) => isWhole || namesRequirement(name))
      .map(({ name, leaf, line, assertions }) => ({
        name: name.slice(0, 500),
        leaf: leaf.slice(0, 500),
        file: path,
        line,
        assertions,
        isSkipped: isSkipped(name),
      }));
  });
}
