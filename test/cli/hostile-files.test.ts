/**
 * Files and words that nobody sane writes. Whatever a role, a lesson, a setting, a journal, a message, an operation or a
 * command line holds: a reader answers or refuses with a sentence, and no command ends as a bug (exit code 70).
 */
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import fc from 'fast-check';
import { beforeAll, describe, expect, it } from 'vitest';
import { commands } from '../../src/cli/commands.ts';
import { ForgeError } from '../../src/errors.ts';
import { readGsdDocument } from '../../src/gsd/gsd-text.ts';
import { parseLessons } from '../../src/memory/lesson-file.ts';
import { parseNotifySettings } from '../../src/notify/notify-settings.ts';
import { parseSettings } from '../../src/policy/settings.ts';
import { parseRole } from '../../src/roles/parse-role.ts';
import { makeProject, type Project } from './support.ts';

const pieces = [
  'a: ',
  'name: developer\n',
  'access: read\n',
  'model: {}\n',
  'channels:\n',
  '  - webhook: { url: "http://[" }\n',
  'on: [x]\n',
  'quiet: { from: 1 }\n',
  '&a ',
  '*a ',
  '<<: *a\n',
  '!!binary x\n',
  '!!map ',
  '---\n',
  '...\n',
  '- ',
  '[',
  ']',
  '{',
  '}',
  '"',
  "'",
  '|\n',
  '? ',
  '\0',
  '﻿',
  '\ud800',
  '	',
  '\n',
  '# x\n',
  '## Testing\n',
  '- Use it. #testing\n',
  'agents: ',
  'pipelines: ',
  'gates: ',
  '__proto__: ',
  'constructor: ',
  '{{x}}',
  '1e999',
  '~',
];
const strange = fc.array(fc.constantFrom(...pieces), { maxLength: 30 }).map((parts) => parts.join(''));

describe('a text', () => {
  const readers: Readonly<Record<string, (text: string) => unknown>> = {
    role: (text) => parseRole(text, 'developer.md'),
    'role with a front': (text) => parseRole(`---\n${text}\n---\nWork.`, 'developer.md'),
    lessons: (text) => parseLessons(text, 'testing.md'),
    notify: (text) => parseNotifySettings(text, 'notify.yaml'),
    settings: (text) => parseSettings(text, 'config.yaml'),
    'milestone document': (text) => readGsdDocument(`---\n${text}\n---\n# M001\n`),
  };
  it.each(Object.entries(readers))('as %s is read or refused', (_name, read) => {
    const examples = [['a: *a'], ['a: &a [*a]'], ['channels: &a [*a, *a]'], ['agents: &a { x: *a }']] as [string][];
    fc.assert(
      fc.property(strange, (text) => {
        try {
          read(text);
        } catch (error) {
          if (!(error instanceof ForgeError)) throw error;
        }
      }),
      { numRuns: 150, examples },
    );
  });
});

describe('a command', () => {
  let project: Project;
  let run = '';
  beforeAll(async () => {
    project = makeProject();
    expect((await project.forge('run', 'Add a multiplication', '--plan-only', '--yes')).code).toBe(0);
    [run = ''] = project.runs();
  }, 120_000);

  const endsWell = async (args: readonly string[], about: string): Promise<void> => {
    const { code, stderr } = await project.forge(...args);
    expect(code, `${JSON.stringify(args)} ${about}: ${stderr}`).not.toBe(70);
    expect(stderr).not.toMatch(/^ +at /m);
  };

  /** With another file in place, and then as it was. */
  const withFile = async (file: string, text: string, work: () => Promise<void>): Promise<void> => {
    const before = existsSync(file) ? readFileSync(file) : undefined;
    mkdirSync(dirname(file), { recursive: true });
    writeFileSync(file, text);
    try {
      await work();
    } finally {
      if (before === undefined) rmSync(file, { force: true });
      else writeFileSync(file, before);
    }
  };

  const broken = ['', '\u0000', 'null', '[]', '{', '{"projects":{"x":[1]}}', '['.repeat(20_000), 'a: &a [*a]'];

  it.each([
    ['trusted.json', '.config/forge/trusted.json', ['trust']],
    ['notify.yaml', '.config/forge/notify.yaml', ['notify', 'test']],
    ['lessons of the person', '.local/share/forge/memory/a.md', ['memory']],
  ])('with a broken %s', { timeout: 120_000 }, async (_name, path, args) => {
    for (const text of broken)
      await withFile(join(project.env['HOME'] ?? '', path), text, () => endsWell(args, text.slice(0, 40)));
  });

  it('with a broken operation or message', { timeout: 120_000 }, async () => {
    const operations = join(project.env['HOME'] ?? '', '.local/share/forge/operations');
    const [folder = 'none'] = existsSync(operations) ? readdirSync(operations) : [];
    for (const text of [...broken, '{"version":2,"id":"x","moves":[{"ref":"refs/heads/main"}]}']) {
      const file = join(operations, folder, '11111111-1111-1111-1111-111111111111.json');
      await withFile(file, text, () => endsWell(['undo', run], text.slice(0, 40)));
      const message = join(project.directory(run), 'inbox', '1.json');
      await withFile(message, text, () => endsWell(['status', run], text.slice(0, 40)));
    }
  });

  it('with a journal that somebody changed', { timeout: 240_000 }, async () => {
    const file = join(project.directory(run), 'journal.jsonl');
    const lines = readFileSync(file, 'utf8').trimEnd().split('\n');
    const value = fc.constantFrom(null, -1, '', 'x', '../../x', [], {}, [null], true, '__proto__');
    const readers = [
      ['list'],
      ['status', run],
      ['show', run],
      ['logs', run],
      ['report', run],
      ['diff', run],
      ['land', run],
    ];
    const change = fc.record({
      at: fc.nat(lines.length - 1),
      field: fc.constantFrom('seq', 'type', 'key', 'data', 'hash', 'time', 'format'),
      value,
      inner: fc.nat(20),
      how: fc.constantFrom('field', 'data', 'torn', 'twice', 'gone'),
      args: fc.constantFrom(...readers),
    });
    await fc.assert(
      fc.asyncProperty(change, async ({ at, field, value: put, inner, how, args }) => {
        const fact = JSON.parse(lines[at] ?? '{}') as Record<string, unknown>;
        const data = fact['data'] as Record<string, unknown> | undefined;
        const name = Object.keys(data ?? {})[inner];
        if (how === 'field') fact[field] = put;
        else if (name !== undefined && data !== undefined) data[name] = put;
        const text = { torn: '{"seq":', twice: `${lines[at]}\n${lines[at]}`, gone: '' }[how as 'torn'];
        const all = lines.with(at, text ?? JSON.stringify(fact)).filter((line) => line !== '');
        await withFile(file, `${all.join('\n')}\n`, () => endsWell(args, `${how} ${field} ${at}`));
      }),
      { numRuns: 25 },
    );
  });

  it('with words that nobody means', { timeout: 240_000 }, async () => {
    const words = [
      '',
      ' ',
      '-',
      '..',
      '/',
      '/etc/passwd',
      'a'.repeat(300),
      'a/'.repeat(2e3),
      '\n',
      '\x1B[31m',
      '%00',
      'NaN',
      '-1',
      '1e999',
      '9'.repeat(40),
      '{}',
      '[]',
      'null',
      '"',
      '$(id)',
      '**',
      '[',
      '\\',
      'HEAD~99',
      '--upload-pack=x',
      'main..',
      '__proto__',
      'constructor',
      '😀',
      '\ud800',
      '{"__proto__":{"x":1}}',
      'src/add.js',
      '.git',
      '@{-1}',
      ':/x',
      '^',
    ];
    // Those start a server, a run or an agent, or wait for one.
    const busy =
      /^(?:ui|watch|mcp|demo|doctor|agents|accounts|supervise|statusline|rehearse|run|attach|resume|retry|answer|task|bug|sprint|enhance|milestone (?:run|next))/;
    const quiet = commands.filter(({ name }) => !busy.test(name));
    const line = fc.record({
      command: fc.constantFrom(...quiet),
      words: fc.array(fc.constantFrom(...words), { maxLength: 4 }),
      flags: fc.array(fc.tuple(fc.nat(20), fc.constantFrom(...words)), { maxLength: 3 }),
      isKnown: fc.boolean(),
    });
    await fc.assert(
      fc.asyncProperty(line, async ({ command, words: typed, flags, isKnown }) => {
        const names = Object.keys(command.flags).filter((name) => !['follow', 'html', 'sarif'].includes(name));
        const given = flags.flatMap(([at, word]) => {
          const name = names[at % Math.max(1, names.length)];
          if (name === undefined) return [];
          return [command.flags[name]?.value === undefined ? `--${name}` : `--${name}=${word}`];
        });
        const first =
          isKnown && command.choices !== undefined
            ? [command.choices[typed.length % command.choices.length] ?? '']
            : [];
        await endsWell([...command.name.split(' '), ...first, ...typed, ...given], 'typed');
      }),
      { numRuns: 60 },
    );
  });
});
