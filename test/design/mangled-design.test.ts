/** Whatever happens to the files of a design, reading them ends soon, throws nothing, and places every problem in a file. */
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { readDesign } from '../../src/design/read-design.ts';
import { resolveLink } from '../../src/design/source-tree.ts';
import { readMarkdown } from '../../src/markdown/markdown-document.ts';
import { damage, damaged } from './damage.ts';
import { designDir, exampleFiles, memoryTree } from './design-files.ts';

const files = exampleFiles();
const names = Object.keys(files).filter((name) => name.startsWith('docs/'));

it('a damaged design is read or reported, never thrown', () => {
  const changes = fc.array(fc.tuple(fc.constantFrom(...names), fc.option(damage)), { minLength: 1, maxLength: 4 });
  fc.assert(
    fc.property(changes, (list) => {
      const copy: Record<string, string> = { ...files };
      for (const [name, how] of list) {
        if (how === null) delete copy[name];
        else copy[name] = damaged(copy[name] ?? '', how);
      }
      const { problems, design } = readDesign(memoryTree(copy), designDir);
      for (const { file, line, problem, fix } of problems) {
        expect(file.startsWith('docs/') && !file.includes('..')).toBe(true);
        expect(line).toBeGreaterThan(0);
        expect(`${problem} ${fix}`).not.toContain('undefined');
      }
      // What could be read never names a module twice.
      const ids = (design?.modules ?? []).map(({ id }) => id);
      expect(new Set(ids).size).toBe(ids.length);
    }),
    { numRuns: 20 },
  );
});

describe('text made to hang a parser is refused or read at once', () => {
  it.each([
    ['emphasis', '*a_ '.repeat(50_000)],
    ['emphasis over lines', '*a_ *b_\n'.repeat(20_000)],
    ['brackets', '['.repeat(100_000)],
    ['links', '[a]('.repeat(50_000)],
    ['quotes', '>'.repeat(50_000)],
    ['lists on a line', '- '.repeat(50_000)],
    ['lists below each other', Array.from({ length: 400 }, (_, at) => `${'  '.repeat(at)}- a\n`).join('')],
    ['rows', `| a | b |\n|---|---|\n${'| x | y |\n'.repeat(50_000)}`],
    ['code marks', Array.from({ length: 700 }, (_, at) => '`'.repeat(at)).join(' ')],
    ['definitions', '[a]: b\n'.repeat(30_000)],
  ])('%s', (_name, text) => {
    const reading = readMarkdown(text);
    // A parser that hangs ends the test by its limit of time.
    expect(reading.status === 'refused' ? reading.line : 1).toBeGreaterThan(0);
  });
});

it('no link leads out of the repository', () => {
  const part = fc.constantFrom('..', '.', 'a', 'b%2e%2e', '%2e%2e', '%2F..', '\\..', '', 'README.md', '#x', '?y', '\0');
  fc.assert(
    fc.property(fc.array(part, { maxLength: 8 }), fc.boolean(), (parts, rooted) => {
      const link = resolveLink('docs/raw/design/x/README.md', `${rooted ? '/' : ''}${parts.join('/')}`);
      if (link.status !== 'inside') return;
      expect(link.path.split('/')).not.toContain('..');
      expect(link.path.startsWith('/')).toBe(false);
    }),
  );
});
