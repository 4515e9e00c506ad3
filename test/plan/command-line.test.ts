import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { parseCommandLine, resolveVerify } from '../../src/plan/command-line.ts';
import { quoteCommand } from '../../src/plan/quote-command.ts';
import type { VerifyEntry } from '../../src/plan/plan.ts';

describe('parseCommandLine', () => {
  it.each<[string, string[]]>([
    ['npm test', ['npm', 'test']],
    ['  npm \t run   test  ', ['npm', 'run', 'test']],
    [`grep -q 'a b' "c d" e\\ f`, ['grep', '-q', 'a b', 'c d', 'e f']],
    [`echo '$HOME \`id\` $(x) && | ; > *'`, ['echo', '$HOME `id` $(x) && | ; > *']],
    [`echo "\\$HOME \\"x\\" \\n"`, ['echo', '$HOME "x" \\n']],
    [`grep "end$" file$ $`, ['grep', 'end$', 'file$', '$']],
    [`a"b"'c'd`, ['abcd']],
    [`node -e '' ""`, ['node', '-e', '', '']],
    ['pytest tests/test_a.py::test_x[1]', ['pytest', 'tests/test_a.py::test_x[1]']],
    ['npm test -- --grep=a#b', ['npm', 'test', '--', '--grep=a#b']],
    [`npx eslint 'src/**/*.ts' a\\*b`, ['npx', 'eslint', 'src/**/*.ts', 'a*b']],
    ['"A=b" c', ['A=b', 'c']],
    ['./run.sh é\u00a0ü', ['./run.sh', 'é\u00a0ü']],
  ])('%s', (line, argv) => {
    expect(parseCommandLine(line)).toEqual({ status: 'parsed', argv });
  });

  it('reads back what quoteCommand writes', () => {
    const word = fc.oneof(
      fc.string({ unit: 'grapheme' }),
      fc.string({ unit: fc.constantFrom(...Array.from('a\'"\\$`&|;<>(){}*?~#=! ,')) }),
    );
    const argv = fc.array(
      word.filter((each) => !/\p{Cc}/u.test(each)),
      { minLength: 1, maxLength: 5 },
    );
    fc.assert(
      fc.property(argv, (words) => {
        expect(parseCommandLine(quoteCommand(words))).toEqual({ status: 'parsed', argv: words });
      }),
      { numRuns: 500 },
    );
  });

  it('refuses every line with an unquoted operator, whatever is around it', () => {
    const operators = [
      '&&',
      '||',
      '|',
      ';',
      '&',
      '<',
      '>',
      '>>',
      '2>&1',
      '`id`',
      '$(id)',
      '${x}',
      '$x',
      '\n',
      '(',
      ')',
      '*',
      '?',
    ];
    const words = fc.array(fc.constantFrom('npm', 'test', "'a b'", '"c"', 'x\\ y', '--flag'), { maxLength: 4 });
    fc.assert(
      fc.property(
        words,
        fc.constantFrom(...operators),
        words,
        fc.constantFrom('', ' '),
        (before, operator, after, gap) => {
          const line = `${before.join(' ')}${gap}${operator}${gap}${after.join(' ')}`;
          expect(parseCommandLine(line).status).toBe('refused');
        },
      ),
    );
  });

  it('answers any text with a value', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary', maxLength: 200 }), (line) => {
        expect(['parsed', 'refused']).toContain(parseCommandLine(line).status);
      }),
    );
  });
});

describe('refusals show the rewrite', () => {
  it.each<[string, string, string]>([
    ['npm run lint && npm test', 'operator &&', '"verify":["npm run lint","npm test"]'],
    ['npm test; rm -rf / && npm run lint', 'operator ;', '"verify":["npm test","rm -rf /","npm run lint"]'],
    ['cd packages/api && npm test', 'operator &&', '"verify":[{"run":"npm test","cwd":"packages/api"}]'],
    ['cd a; make', 'operator ;', '"verify":[{"run":"make","cwd":"a"}]'],
    ['cd in; cd the; make', 'operator ;', '"verify":[{"run":"make","cwd":"in/the"}]'],
    ['mkdir a; make', 'operator ;', '"verify":["mkdir a","make"]'],
    ['(cd a && cd b && A=1 make)', 'operator (', '"verify":[{"run":"make","cwd":"a/b","env":{"A":"1"}}]'],
    ['CI=1 NAME="a b" npm test', 'sets variables', '"verify":[{"run":"npm test","env":{"CI":"1","NAME":"a b"}}]'],
    ['export CI=1 && npm test', 'operator &&', '"verify":[{"run":"npm test","env":{"CI":"1"}}]'],
    ['npm test || true', 'operator ||', 'The exit code of the command alone decides. Write "verify":["npm test"]'],
    ['npm test 2>&1 | tee log', 'operator >&', '"verify":["npm test"]'],
    ['cat x | sh', 'operator |', '"verify":["cat x"]'],
    ['npm start &', 'operator &', '"verify":["npm start"]'],
    ['sort < in.txt', 'operator <', 'Give the file as an argument'],
    ['npm test\nnpm run lint', 'a line break', '"verify":["npm test","npm run lint"]'],
    ['echo `id`', 'substitution, "`id`"', 'single quotes'],
    ['echo $(id)', 'substitution, "$(id)"', 'Write the value itself'],
    ['echo "${HOME}"', 'substitution, "${HOME}\\""', `"echo '\${HOME}'"`],
    ['ls $DIR', 'substitution, "$DIR"', `"ls '$DIR'"`],
    ["echo $'a'", 'substitution', 'single quotes'],
    ['node --test test/*.test.js', 'No shell expands "test/*.test.js"', `"node --test 'test/*.test.js'"`],
    ['cat {a,b}.txt', 'No shell expands "{a,b}.txt"', `"cat '{a,b}.txt'"`],
    ['ls ~/x', 'No shell expands "~/x"', 'relative to the repository'],
    ['npm test # all', 'a comment, "#"', 'Remove it'],
    [`npm test "x`, 'never closed', 'Close it'],
    ['npm test \\', 'ends in a backslash', 'Remove it'],
    ['npm te\u0000st', 'control character "\\u0000"', 'Remove it'],
    ['npm "a\nb"', 'control character "\\n"', 'Remove it'],
    ['npm test\r', 'control character "\\r"', 'Remove it'],
    ['   ', 'is empty', 'npm test'],
    [`npm ${'x'.repeat(5000)}`, 'has 5004 characters', 'script of the repository'],
    ['Check that the login works properly', 'reads like prose', '"doneWhen"'],
    ["Don't break it", 'reads like prose', '"doneWhen"'],
    ['fix it; make it work', 'reads like prose', '"doneWhen"'],
    ['check the login; test it is not broken', 'reads like prose', '"doneWhen"'],
    ['make sure it builds', 'reads like prose', '"doneWhen"'],
  ])('%s', (line, problem, fix) => {
    const refusal = resolveVerify(line);
    expect(refusal).toMatchObject({
      status: 'refused',
      problem: expect.stringContaining(problem),
      fix: expect.stringContaining(fix),
    });
  });
});

describe('resolveVerify', () => {
  it('fills in the surroundings', () => {
    expect(resolveVerify('npm test')).toEqual({
      status: 'resolved',
      argv: ['npm', 'test'],
      cwd: '.',
      env: {},
      timeoutMs: 120_000,
    });
    expect(resolveVerify('npm test', 5_000)).toMatchObject({ timeoutMs: 5_000 });
    expect(
      resolveVerify({
        run: ['node', '-e', 'a && b\n'],
        cwd: './packages\\api/',
        env: { CI: '1', PYTHONPATH: 'src' },
        timeout: 1.5,
      }),
    ).toEqual({
      status: 'resolved',
      argv: ['node', '-e', 'a && b\n'],
      cwd: 'packages/api',
      env: { CI: '1', PYTHONPATH: 'src' },
      timeoutMs: 1_500,
    });
    expect(resolveVerify({ run: ['MyTool'] })).toMatchObject({ argv: ['MyTool'] });
    expect(resolveVerify('bash scripts/verify.sh -c')).toMatchObject({ status: 'resolved' });
  });

  it.each<[VerifyEntry, string, string]>([
    [{ run: 'npm test', cwd: '../other' }, 'leaves the repository', 'packages/api'],
    [{ run: 'npm test', cwd: 'a/../../b' }, 'leaves the repository', 'packages/api'],
    [{ run: 'npm test', cwd: '/tmp' }, 'is absolute', 'packages/api'],
    [{ run: 'npm test', cwd: 'C:\\x' }, 'is absolute', 'packages/api'],
    [{ run: 'npm test', cwd: 'x/.GIT/hooks' }, "git's own directory", 'packages/api'],
    [{ run: 'npm test', cwd: '' }, 'is empty', 'packages/api'],
    [{ run: 'npm test', env: { 'A-B': '1' } }, '"A-B" is not the name', 'letters'],
    [{ run: 'npm test', env: { A: 'x\0' } }, 'NUL', 'Remove it'],
    [{ run: 'npm test', env: { LD_PRELOAD: './x.so' } }, '"LD_PRELOAD" would change', 'Remove LD_PRELOAD'],
    [{ run: 'npm test', env: { NODE_OPTIONS: '-r ./x' } }, '"NODE_OPTIONS" would change', 'Pass the options to node'],
    [{ run: 'npm test', env: { PATH: '.' } }, '"PATH" would change', 'Remove PATH'],
    [{ run: 'npm test', env: { GIT_DIR: '.' } }, '"GIT_DIR" would change', 'Remove GIT_DIR'],
    [{ run: 'npm test', env: { BASH_ENV: 'x' } }, '"BASH_ENV" would change', 'Remove BASH_ENV'],
    [{ run: 'npm test', env: { PYTHONSTARTUP: 'x' } }, '"PYTHONSTARTUP" would change', 'Remove'],
    [{ run: ['npm', 'te\0st'] }, 'NUL', 'Remove it'],
    [{ run: ['', 'x'] }, '"" is not a program', 'Begin with'],
    ['-x y', 'reads like prose', 'doneWhen'],
    ['cd packages', '"cd" belongs to a shell', 'cwd'],
    ['sh -c "npm test || true"', '"sh" would run a script', 'one entry per command'],
    [
      { run: ['/bin/bash', '-o', 'pipefail', '-ec', 'a | b'] },
      '"/bin/bash" would run a script',
      'one entry per command',
    ],
    ['env CI=1 npm test', '"env" hides', '{"run":["npm","test"],"env":{"CI":"1"}}'],
  ])('%j', (entry, problem, fix) => {
    expect(resolveVerify(entry)).toMatchObject({
      status: 'refused',
      problem: expect.stringContaining(problem),
      fix: expect.stringContaining(fix),
    });
  });
});
