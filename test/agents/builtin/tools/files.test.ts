import { execFileSync } from 'node:child_process';
import {
  chmodSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  realpathSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import fc from 'fast-check';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { confinePath, isWithin } from '../../../../src/agents/builtin/tools/confine.ts';
import { editTool, replaceText } from '../../../../src/agents/builtin/tools/edit.ts';
import { listTool } from '../../../../src/agents/builtin/tools/list.ts';
import { numberLines, readTool } from '../../../../src/agents/builtin/tools/read.ts';
import { searchTool } from '../../../../src/agents/builtin/tools/search.ts';
import type { BuiltinTool } from '../../../../src/agents/builtin/tools/tool.ts';
import { writeTool } from '../../../../src/agents/builtin/tools/write.ts';

let base: string;
let root: string;
beforeEach(() => {
  base = realpathSync(mkdtempSync(join(tmpdir(), 'forge-tools-')));
  root = join(base, 'tree');
  mkdirSync(join(root, 'src'), { recursive: true });
  mkdirSync(join(base, 'outside'));
  writeFileSync(join(base, 'outside/secret'), 'secret\n');
});
afterEach(() => rmSync(base, { recursive: true, force: true }));

const never = new AbortController().signal;
const use = <Input>(tool: BuiltinTool<Input>, input: unknown) =>
  tool.run(tool.schema.parse(input), { root, env: {} }, never);
const inTree = (path: string) => join(root, path);

describe('confine', () => {
  test('gives real paths inside, also of files that do not exist yet', () => {
    symlinkSync('src', inTree('link'));
    expect(['a', 'src/b', 'link/c/d', './x/../y', '.', inTree('abs')].map((path) => confinePath(root, path))).toEqual(
      ['a', 'src/b', 'src/c/d', 'y', '', 'abs'].map((path) => join(root, path)),
    );
  });

  test.each(['../outside/secret', '/etc/passwd', 'out/secret', 'out', 'src/../../x', 'up/outside/secret'])(
    'refuses %s',
    (path) => {
      symlinkSync(join(base, 'outside'), inTree('out'));
      symlinkSync('..', inTree('up'));
      expect(() => confinePath(root, path)).toThrow('is outside the workspace');
    },
  );

  test('refuses what would be created through a link, below a file, or with a NUL', () => {
    symlinkSync(join(base, 'outside/new'), inTree('dangling'));
    writeFileSync(inTree('file'), '');
    expect(() => confinePath(root, 'dangling')).toThrow('a symbolic link that leads nowhere');
    expect(() => confinePath(root, 'dangling/x')).toThrow('a symbolic link that leads nowhere');
    expect(() => confinePath(root, 'file/x')).toThrow('a part of this path is a file');
    expect(() => confinePath(root, 'a\0b')).toThrow('NUL');
  });

  test('nothing written from pieces leads out', () => {
    symlinkSync(base, inTree('out'));
    symlinkSync('/', inTree('top'));
    const piece = fc.constantFrom('..', '.', 'src', 'out', 'top', 'x', '', 'outside', 'tree');
    fc.assert(
      fc.property(fc.array(piece, { maxLength: 8 }), fc.boolean(), (pieces, absolute) => {
        const path = `${absolute ? '/' : ''}${pieces.join('/')}` || '.';
        let real: string;
        try {
          real = confinePath(root, path);
        } catch {
          return;
        }
        expect(isWithin(root, existsSync(real) ? realpathSync(real) : real)).toBe(true);
      }),
    );
  });
});

describe('read', () => {
  test('numbers lines and says how to go on', async () => {
    writeFileSync(inTree('a'), 'one\ntwo\nthree\n');
    expect(await use(readTool, { path: 'a' })).toEqual({ text: '1\tone\n2\ttwo\n3\tthree' });
    expect(await use(readTool, { path: 'a', from: 2, lines: 1 })).toEqual({
      text: '2\ttwo\n[1 more lines; continue with from: 3]',
    });
  });

  test('bounds long lines and long files', () => {
    const wish = { path: 'a', from: 1, lines: 5000 };
    expect(numberLines('x'.repeat(2003), wish)).toBe(`1\t${'x'.repeat(2000)} [3 more characters in this line]`);
    expect(numberLines(`${'y'.repeat(1000)}\n`.repeat(1000), wish).length).toBeLessThan(61_000);
    expect(numberLines('', wish)).toBe('a is empty.');
  });

  test.each([
    ['missing', 'missing does not exist'],
    ['src', 'src is a directory; use list'],
    ['pipe', 'pipe is not a regular file'],
    ['binary', 'binary is a binary file of 3 bytes'],
    ['latin', 'latin is not UTF-8 text (2 bytes)'],
    ['../outside/secret', 'is outside the workspace'],
  ])('tells why %s cannot be read', async (path, why) => {
    execFileSync('mkfifo', [inTree('pipe')]);
    writeFileSync(inTree('binary'), Buffer.from([1, 0, 2]));
    writeFileSync(inTree('latin'), Buffer.from([0xe4, 0x0a]));
    await expect(use(readTool, { path })).rejects.toThrow(why);
  });
});

describe('write', () => {
  test('creates with directories, replaces and keeps the mode', async () => {
    expect(await use(writeTool, { path: 'new/deep/a.sh', content: 'ä\n' })).toEqual({
      text: 'Created new/deep/a.sh (3 bytes).',
      diff: { path: inTree('new/deep/a.sh'), oldText: undefined, newText: 'ä\n' },
    });
    chmodSync(inTree('new/deep/a.sh'), 0o755);
    expect(await use(writeTool, { path: 'new/deep/a.sh', content: '' })).toEqual({
      text: 'Replaced new/deep/a.sh (0 bytes).',
      diff: { path: inTree('new/deep/a.sh'), oldText: 'ä\n', newText: '' },
    });
    expect(statSync(inTree('new/deep/a.sh')).mode & 0o777).toBe(0o755);
  });

  test('refuses directories and the outside', async () => {
    symlinkSync(join(base, 'outside'), inTree('out'));
    await expect(use(writeTool, { path: 'src', content: '' })).rejects.toThrow('src is not a regular file');
    await expect(use(writeTool, { path: 'out/secret', content: '' })).rejects.toThrow('is outside the workspace');
    expect(readFileSync(join(base, 'outside/secret'), 'utf8')).toBe('secret\n');
  });
});

describe('edit', () => {
  const edit = (text: string, old: string, next: string, all = false) =>
    replaceText(text, { path: 'f', old, new: next, all });

  test('replaces the one piece, taken literally', async () => {
    writeFileSync(inTree('a'), 'a $& b\n');
    expect(await use(editTool, { path: 'a', old: '$&', new: '$1' })).toEqual({
      text: 'Replaced one piece of a.',
      diff: { path: inTree('a'), oldText: 'a $& b\n', newText: 'a $1 b\n' },
    });
    expect(readFileSync(inTree('a'), 'utf8')).toBe('a $1 b\n');
  });

  test('explains what does not fit', () => {
    expect(() => edit('a\nb\nx\nb\n', 'b', 'c')).toThrow('occurs 2 times in f (lines 2, 4)');
    expect(() => edit('  if (a)\n    b();\n', 'if (a)\n  b();', 'c')).toThrow('line 1, exactly:\n  if (a)\n    b();');
    expect(() => edit('a', 'zzz', 'c')).toThrow('Read the file again');
    expect(() => edit('a', '', 'c')).toThrow('`old` is empty');
    expect(() => edit('a', 'a', 'a')).toThrow('nothing would change');
    expect(edit('b b', 'b', 'c', true)).toEqual({ text: 'c c', count: 2 });
  });

  test('takes the line ends of the file', () => {
    expect(edit('a\r\nb\r\nc\r\n', 'a\nb', 'x\ny')).toEqual({ text: 'x\r\ny\r\nc\r\n', count: 1 });
  });

  test('does not choose between two that overlap', () => {
    expect(() => edit('aaa', 'aa', 'b')).toThrow('occurs twice');
  });

  test('changes exactly the piece', () => {
    const word = fc.string({ unit: fc.constantFrom('a', 'b', '\n', '$', 'é'), maxLength: 12 });
    fc.assert(
      fc.property(
        word,
        word.filter((text) => text !== ''),
        word,
        word,
        (head, old, tail, next) => {
          const text = `${head}${old}${tail}`;
          fc.pre(text.indexOf(old) === text.lastIndexOf(old) && old !== next);
          expect(edit(text, old, next)).toEqual({ text: `${head}${next}${tail}`, count: 1 });
        },
      ),
    );
  });
});

describe('list and search', () => {
  beforeEach(() => {
    for (const path of ['.git/config', 'node_modules/x/index.js', 'src/deep/b.ts', 'src/a.ts', 'README.md']) {
      mkdirSync(join(inTree(path), '..'), { recursive: true });
      writeFileSync(inTree(path), `first\nsecond ${path}\n`);
    }
    symlinkSync('../outside', inTree('out'));
  });

  test('lists levels, and finds by glob', async () => {
    expect(await use(listTool, {})).toEqual({
      text: '.git/\nREADME.md\nnode_modules/\nout\nsrc/\nsrc/a.ts\nsrc/deep/',
    });
    expect(await use(listTool, { files: '*.ts' })).toEqual({ text: 'src/a.ts\nsrc/deep/b.ts' });
    expect(await use(listTool, { files: 'src/*.ts' })).toEqual({ text: 'src/a.ts' });
    await expect(use(listTool, { path: 'README.md' })).rejects.toThrow('README.md is not a directory');
    await expect(use(listTool, { path: 'out' })).rejects.toThrow('is outside the workspace');
  });

  test('bounds what it lists', async () => {
    mkdirSync(inTree('many'));
    for (let index = 0; index < 1100; index += 1) writeFileSync(inTree(`many/${index}`), '');
    const { text } = await use(listTool, { path: 'many' });
    expect(text.split('\n')).toHaveLength(1001);
    expect(text).toMatch(/There is more/);
  });

  test('searches text, not links, repositories or packages', async () => {
    expect(await use(searchTool, { pattern: '^SECOND', ignoreCase: true })).toEqual({
      text: 'README.md:2:second README.md\nsrc/a.ts:2:second src/a.ts\nsrc/deep/b.ts:2:second src/deep/b.ts',
    });
    expect(await use(searchTool, { pattern: 'second', files: '*.md' })).toEqual({
      text: 'README.md:2:second README.md',
    });
    expect(await use(searchTool, { pattern: 'first', path: 'src/a.ts' })).toEqual({ text: 'src/a.ts:1:first' });
    expect(await use(searchTool, { pattern: 'nowhere' })).toEqual({ text: 'Nothing found.' });
    await expect(use(searchTool, { pattern: '(' })).rejects.toThrow('is not a regular expression');
  });

  test('an expression that takes forever is stopped', async () => {
    writeFileSync(inTree('src/a.ts'), `${'a'.repeat(60)}!\n`);
    await expect(use(searchTool, { pattern: '^(a+)+$', path: 'src/a.ts' })).rejects.toThrow('takes too long');
  });
});
