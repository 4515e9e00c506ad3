/** Trees read, compared and edited as objects say what git itself says about them. */
import { execFileSync } from 'node:child_process';
import fc from 'fast-check';
import { beforeAll, describe, expect, it } from 'vitest';
import type { Repository } from '../../src/git/git.ts';
import { decodePath, encodePath, type RawPath } from '../../src/git/raw-path.ts';
import { compareTrees, findInTree, listTree, parseTree, readTrees } from '../../src/git/tree-objects.ts';
import { type TreeEdit, writeEditedTree } from '../../src/git/write-trees.ts';
import { makeRepo, type TestRepo } from './support.ts';

type Files = Readonly<Record<string, { readonly mode: string; readonly id: string }>>;

let repo: TestRepo;
let opened: Repository;
let blobs: readonly string[];

beforeAll(async () => {
  repo = makeRepo();
  opened = await repo.open();
  blobs = ['one', 'two', 'three'].map((text) =>
    execFileSync('git', ['hash-object', '-w', '--stdin'], { cwd: repo.root, input: text, encoding: 'utf8' }).trim(),
  );
});

const names = ['a', 'a.b', 'a-', 'ab', 'B', 'ü', 'with space', '"quoted"', 'tab\tnew\nline'];
const path = fc.array(fc.constantFrom(...names), { minLength: 1, maxLength: 3 }).map((parts) => parts.join('/'));
const entry = fc.record({ mode: fc.constantFrom('100644', '100755', '120000', '160000'), blob: fc.nat(2) });
const someFiles = fc.dictionary(path, entry, { maxKeys: 12 });

describe('trees as objects', () => {
  it('lists and compares what git lists and compares', async () => {
    await fc.assert(
      fc.asyncProperty(someFiles, someFiles, async (one, other) => {
        const [from, to] = [makeTree(filesOf(one)), makeTree(filesOf(other))];
        expect((await listTree(opened, from)).map(({ mode, id, raw }) => `${mode} ${id} ${decodePath(raw)}`)).toEqual(
          records(['ls-tree', '-r', '-z', '--full-tree', from]).map((line) =>
            line.replace(/ (?:blob|commit) (\w+)\t/, ' $1 '),
          ),
        );
        const changes = await compareTrees(opened, from, to);
        const zero = { mode: '000000', id: '0'.repeat(40) };
        const shown = changes.flatMap(({ raw, before = zero, after = zero }) => [
          `:${before.mode} ${after.mode} ${before.id} ${after.id}`,
          decodePath(raw),
        ]);
        const said = records(['diff-tree', '-r', '-z', '--raw', '--no-renames', '--full-index', from, to]);
        expect(shown).toEqual(said.map((field) => field.replace(/^(:[^\n]*) [ADMT]$/, '$1')));
      }),
      { numRuns: 12 },
    );
  });

  it('makes the tree that an index with the same edits makes', async () => {
    await fc.assert(
      fc.asyncProperty(someFiles, someFiles, fc.array(path, { maxLength: 5 }), async (one, put, gone) => {
        const from = makeTree(filesOf(one));
        const added = filesOf(put);
        const removed = gone.filter((each) => !Object.keys(added).some((kept) => kept === each));
        const edits: TreeEdit[] = [
          ...removed.map((each) => ({ raw: encodePath(each), entry: undefined })),
          ...Object.entries(added).map(([each, kept]) => ({ raw: encodePath(each), entry: kept })),
        ];
        expect(await writeEditedTree(opened, from, edits)).toBe(throughIndex(from, edits));
      }),
      { numRuns: 12 },
    );
  });

  it('finds one entry by its path', async () => {
    const tree = makeTree(filesOf({ 'a/b': { mode: '100755', blob: 1 }, c: { mode: '100644', blob: 0 } }));
    expect(await findInTree(opened, tree, 'a/b' as RawPath)).toMatchObject({ mode: '100755', id: blobs[1] });
    expect((await findInTree(opened, tree, 'a' as RawPath))?.mode).toBe('040000');
    for (const none of ['b', 'a/c', 'c/d', 'a/b/c'])
      expect(await findInTree(opened, tree, none as RawPath)).toBeUndefined();
  });

  it('refuses a tree that is not there, is cut off or leads elsewhere', async () => {
    await expect(listTree(opened, 'f'.repeat(40))).rejects.toThrow(
      `the tree ${'f'.repeat(40)} is not in the repository`,
    );
    expect(await readTrees(opened, ['f'.repeat(40)])).toEqual(new Map());
    const line = (name: string): Buffer => Buffer.concat([Buffer.from(`100644 ${name}\0`), Buffer.alloc(20)]);
    expect(parseTree('t', line('a'), 20)).toHaveLength(1);
    for (const name of ['', '.', '..', 'a/b', '../b'])
      expect(() => parseTree('t', line(name), 20)).toThrow('is damaged');
    for (const cut of [3, 8, 20]) expect(() => parseTree('t', line('a').subarray(0, cut), 20)).toThrow('is damaged');
  });
});

/** A file that is a directory elsewhere in the same tree cannot be. */
function filesOf(some: Readonly<Record<string, { readonly mode: string; readonly blob: number }>>): Files {
  const paths = Object.keys(some).filter((each) => !Object.keys(some).some((other) => other.startsWith(`${each}/`)));
  return Object.fromEntries(
    paths.map((each) => {
      const { mode = '100644', blob = 0 } = some[each] ?? {};
      // A submodule names a commit that is not here.
      return [each, { mode, id: mode === '160000' ? String(blob + 1).repeat(40) : (blobs[blob] ?? '') }];
    }),
  );
}

function makeTree(files: Files): string {
  return throughIndex(
    undefined,
    Object.entries(files).map(([each, kept]) => ({ raw: encodePath(each), entry: kept })),
  );
}

let indexes = 0;

/** What git does with an index of its own. */
function throughIndex(from: string | undefined, edits: readonly TreeEdit[]): string {
  indexes += 1;
  const env = { ...process.env, GIT_INDEX_FILE: `${repo.root}/../index-${indexes}` };
  const git = (args: readonly string[], input?: Buffer): string =>
    execFileSync('git', [...args], {
      cwd: repo.root,
      env,
      encoding: 'utf8',
      ...(input === undefined ? {} : { input }),
    }).trim();
  git(from === undefined ? ['read-tree', '--empty'] : ['read-tree', from]);
  const lines = edits.map(({ raw, entry: kept }) => `${kept?.mode ?? '0'} ${kept?.id ?? '0'.repeat(40)}\t${raw}\0`);
  git(['update-index', '-z', '--add', '--replace', '--index-info'], Buffer.from(lines.join(''), 'latin1'));
  return git(['write-tree']);
}

function records(args: readonly string[]): string[] {
  const text = execFileSync('git', [...args], { cwd: repo.root, encoding: 'utf8' });
  return text.split('\0').slice(0, -1);
}
