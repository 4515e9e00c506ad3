/** What the square of evidence costs beside the check it is added to: red before green, old tests on new code, the canary. */
import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import type { CheckDeps } from '../src/checks/check.ts';
import { measureTests } from '../src/checks/measure.ts';
import { runChecks } from '../src/checks/run-checks.ts';
import { measureSquare } from '../src/checks/square.ts';
import { openRepository } from '../src/git/repository.ts';
import { openJail } from '../src/process/open-jail.ts';
import { type Figure, sideBySide } from './ratio.ts';

const tests = 24;

export async function squareFigures(quick: boolean): Promise<readonly Figure[]> {
  const area = realpathSync(mkdtempSync(join(tmpdir(), 'forge-bench-')));
  try {
    const root = join(area, 'repo');
    const base = commit(root, suite());
    const code = commit(root, { 'src/f.js': 'export const f = (x) => 2 * x;\n' });
    const tested = commit(root, {
      'src/g.js': 'export const g = (x) => x + 1;\n',
      'test/g.test.js': testOf('g', 'g(1)', 2),
      'test/t0.test.js': `${testOf('f', 'f(1)', 2)}// more\n`,
    });
    const repo = await openRepository(root, { dataDir: join(area, 'data') });
    const { jail } = await openJail({ mode: 'auto' });
    const deps: CheckDeps = { repo, jail, logs: join(area, 'logs') };
    const rounds = quick ? 1 : 5;
    return [
      await figure('only code changed', { deps, base, commit: code, rounds }),
      await figure('a test added and one changed', { deps, base, commit: tested, rounds }),
    ];
  } finally {
    rmSync(area, { recursive: true, force: true });
  }
}

async function figure(
  name: string,
  { deps, base, commit: at, rounds }: { deps: CheckDeps; base: string; commit: string; rounds: number },
): Promise<Figure> {
  const signal = new AbortController().signal;
  const about = { run: 'bench', base, commit: at, judge: base, entries: { settings: ['node --test'] } };
  const { ratio, subjectMs, referenceMs } = await sideBySide(
    rounds,
    async (round) => {
      const request = { ...about, name: `square${round + 1}` };
      const compared = await measureTests(deps.repo, base, at);
      await measureSquare(deps, { ...request, kind: 'feature' }, compared, signal);
    },
    async (round) => {
      await runChecks(deps, { ...about, name: `check${round + 1}` }, signal);
    },
  );
  return {
    name: `the square / the check it is added to, ${name}, ${tests} test files`,
    value: ratio,
    detail: `${subjectMs.toFixed(0)} ms against ${referenceMs.toFixed(0)} ms`,
  };
}

function suite(): Readonly<Record<string, string>> {
  const files = Array.from({ length: tests }, (_, at) => [`test/t${at}.test.js`, testOf('f', 'f(1)', 2)] as const);
  return {
    'package.json': '{"type":"module","scripts":{"test":"node --test"}}\n',
    'src/f.js': 'export const f = (x) => x * 2;\n',
    ...Object.fromEntries(files),
  };
}

function testOf(name: string, expression: string, value: number): string {
  return `import assert from 'node:assert';\nimport { test } from 'node:test';\nimport { ${name} } from '../src/${name}.js';\ntest('${name}', () => assert.equal(${expression}, ${value}));\n`;
}

function commit(root: string, files: Readonly<Record<string, string>>): string {
  for (const [path, text] of Object.entries(files)) {
    mkdirSync(dirname(join(root, path)), { recursive: true });
    writeFileSync(join(root, path), text);
  }
  const git = (...args: string[]): string =>
    execFileSync('git', ['-c', 'user.name=Bench', '-c', 'user.email=bench@example.com', ...args], {
      cwd: root,
      encoding: 'utf8',
    }).trim();
  git('init', '-q');
  git('add', '-A');
  git('commit', '-qm', 'work');
  return git('rev-parse', 'HEAD');
}
