/**
 * The real binary with words, settings and run files that nobody would write in good faith: random mixes of commands,
 * flags and values, and broken configurations, journals and stores. Whatever comes in, Forge says a sentence and an exit
 * code it documents. It never ends with 70, never prints a stack, and never changes the checkout.
 */
import { cpSync, mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import fc from 'fast-check';
import { beforeAll, expect, it } from 'vitest';
import { commands } from '../../src/cli/commands.ts';
import { makeProject, type Ended, type Project } from './support.ts';

const time = { timeout: 900_000 };
/** FORGE_FUZZ=500 for so many random calls, other ones each time, and every command with every file. */
const fuzz = process.env['FORGE_FUZZ'];
/** Those that stay, serve, or make something elsewhere are tried by their own tests. */
const staying = new Set(['demo', 'mcp', 'attach', 'completion', 'init', 'serve', 'dashboard', 'watch']);
const tried = commands.filter(({ name }) => !staying.has(name));

const nasty = fc.constantFrom(
  '',
  ' ',
  '-',
  '--',
  '---',
  '..',
  '../../../etc/passwd',
  '/dev/null',
  '/',
  '\u0000'.slice(1),
  '\u001b[2J',
  '\n\n',
  '$(touch pwned)',
  '`id`',
  '; rm -rf .',
  '%s%n',
  '__proto__',
  'constructor',
  'NaN',
  '-1',
  '1e999',
  '9'.repeat(400),
  'ä\u0301\u202e',
  '\ud83d\ude00',
  '{}',
  '[]',
  'refs/heads/main',
  'HEAD',
  'a..b',
  '@{-1}',
  'x'.repeat(5000),
);

const call = fc.constantFrom(...tried).chain((command) => {
  const names = Object.keys(command.flags);
  const flag = names.length === 0 ? fc.constant('--json') : fc.constantFrom(...names).map((name) => `--${name}`);
  const word = fc.oneof({ weight: 3, arbitrary: nasty }, { weight: 2, arbitrary: flag });
  return fc.array(word, { maxLength: 5 }).map((words) => [command.name, ...words]);
});

let project: Project;
let whole: string;

/** What a person has in the checkout and in its refs. */
function checkout(): string {
  return [project.git('status', '--porcelain'), project.git('for-each-ref'), project.git('rev-parse', 'HEAD')].join(
    '\n',
  );
}

function expectPlain({ code, stdout, stderr }: Ended, what: string): void {
  expect({ what, code: [0, 1, 2, 3, 4, 5, 6, 130].includes(code ?? -1), was: code }).toMatchObject({ code: true });
  expect(`${what}\n${stdout}${stderr}`).not.toMatch(
    /\n\s+at .*(?:\.js|node:)|bug in Forge|\[object Object\]|undefined is not/,
  );
}

beforeAll(async () => {
  project = makeProject();
  expect(await project.forge('run', 'Add a multiplication', '--yes')).toMatchObject({ code: 0 });
  project.git('add', '-A');
  project.git('commit', '-qm', 'all');
  const [run = ''] = project.runs();
  whole = project.directory(run);
  cpSync(whole, `${whole}.whole`, { recursive: true });
});

it('words', time, async () => {
  const before = checkout();
  await fc.assert(
    fc.asyncProperty(call, async (words) => {
      const ended = await project.start(words.map((word) => word.replaceAll('\u0000', ''))).ended;
      expectPlain(ended, JSON.stringify(words));
      expect(checkout()).toBe(before);
    }),
    fuzz === undefined ? { numRuns: 60, seed: 20_261_118 } : { numRuns: Number(fuzz), endOnFailure: true },
  );
});

/** Every file meets a third of the commands, and every command a third of the files. */
let turn = 0;
function someOf(calls: readonly (readonly string[])[]): readonly (readonly string[])[] {
  turn += 1;
  return fuzz === undefined ? calls.filter((_, place) => place % 3 === turn % 3) : calls;
}

const looking = [['list'], ['status'], ['show'], ['logs'], ['doctor'], ['trust'], ['memory'], ['resume'], ['diff']];

it.each([
  ['no YAML', '{{{'],
  ['a list', '- 1\n- 2\n'],
  ['a number', '7'],
  ['an alias without end', `a: &a [${'*a,'.repeat(3)}]\n`],
  [
    'many aliases',
    `a: &a [1,2]\n${Array.from({ length: 12 }, (_, at) => `b${at}: &b${at} [*${at === 0 ? 'a' : `b${at - 1}`}, *${at === 0 ? 'a' : `b${at - 1}`}]`).join('\n')}\n`,
  ],
  ['wrong types', 'agents: 7\nchecks: { run: { a: 1 }, timeout: soon }\nparallel: -4\njail: yes\n'],
  ['a key of every object', '__proto__: { polluted: true }\nconstructor: 1\n'],
  ['binary', '\u0001\u0002\u00ff'],
  ['deep', `${'a: {'.repeat(2000)}${'}'.repeat(2000)}`],
])('settings: %s', time, async (_name, text) => {
  const file = join(project.root, '.forge/config.yaml');
  const kept = project.git('show', 'HEAD:.forge/config.yaml');
  const before = checkout();
  writeFileSync(file, text);
  try {
    for (const words of someOf([...looking, ['run', 'x'], ['agents'], ['cleanup', '--all']]))
      expectPlain(await project.forge(...words), `${words.join(' ')} with ${JSON.stringify(text.slice(0, 60))}`);
  } finally {
    writeFileSync(file, `${kept}\n`);
  }
  expect(checkout()).toBe(before);
});

it.each<[string, (directory: string) => void]>([
  ['an empty journal', (at) => writeFileSync(join(at, 'journal.jsonl'), '')],
  ['a journal of zeros', (at) => writeFileSync(join(at, 'journal.jsonl'), Buffer.alloc(4096))],
  ['a journal of other JSON', (at) => writeFileSync(join(at, 'journal.jsonl'), '{"a":1}\n[]\nnull\n"x"\n')],
  [
    'a journal that is a directory',
    (at) => {
      rmSync(join(at, 'journal.jsonl'), { force: true });
      mkdirSync(join(at, 'journal.jsonl'));
    },
  ],
  ['no journal', (at) => rmSync(join(at, 'journal.jsonl'), { force: true })],
])('a run with %s', time, async (_name, breakIt) => {
  rmSync(whole, { recursive: true, force: true });
  cpSync(`${whole}.whole`, whole, { recursive: true });
  breakIt(whole);
  const before = checkout();
  const name = whole.split('/').at(-1) ?? '';
  for (const words of someOf([
    ...looking,
    ['land', name],
    ['undo', name],
    ['retry', name],
    ['cleanup', name],
    ['report', name],
  ]))
    expectPlain(await project.forge(...words), words.join(' '));
  expect(checkout()).toBe(before);
});
