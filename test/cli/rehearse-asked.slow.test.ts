/** Three histories, and on how many of their commits the default rules would have asked a person. */
import { describe, expect, it } from 'vitest';
import { makeProject, type Project } from './support.ts';

const head = "import assert from 'node:assert';\nimport { test } from 'node:test';\n";
const testOf = (name: string, expected: number): string =>
  `${head}import { ${name} } from '../src/${name}.js';\ntest('${name}s', () => assert.equal(${name}(4), ${expected}));\n`;
const codeOf = (name: string, body: string): string => `export const ${name} = (x) => ${body};\n`;

type Step = (project: Project) => void;
const write =
  (files: Readonly<Record<string, string>>): Step =>
  (project) =>
    project.write(files);

/** Features with their tests, a fix with a regression test, documentation, a refactoring, formatting. */
const growth: readonly Step[] = [
  write({ 'src/double.js': codeOf('double', 'x * 2'), 'test/double.test.js': testOf('double', 8) }),
  write({ 'src/half.js': codeOf('half', 'x / 2'), 'test/half.test.js': testOf('half', 2) }),
  write({ 'docs/use.md': '# Use\n' }),
  write({ 'src/double.js': codeOf('double', 'x + x') }),
  write({
    'src/half.js': codeOf('half', '(x ?? 0) / 2'),
    'test/half-none.test.js': `${head}import { half } from '../src/half.js';\ntest('none', () => assert.equal(half(), 0));\n`,
  }),
  write({ 'test/double.test.js': testOf('double', 8).replaceAll("'", '"') }),
];

/** Tests are renamed, moved, split and extended, fixtures are moved. */
const tidying: readonly Step[] = [
  write({ 'src/double.js': codeOf('double', 'x * 2'), 'test/double.test.js': testOf('double', 8) }),
  write({ 'test/double.test.js': testOf('double', 8).replace("'doubles'", "'doubles a number'") }),
  (project) => {
    project.write({
      'test/unit/double.test.js': testOf('double', 8)
        .replace("'doubles'", "'doubles a number'")
        .replace('../src', '../../src'),
    });
    project.git('rm', '-q', 'test/double.test.js');
  },
  write({
    'test/unit/more.test.js': testOf('double', 8).replace("'doubles'", "'again'").replace('../src', '../../src'),
  }),
];

/** Behaviour changes with its tests, a test is skipped, one goes, and what runs the tests is replaced. */
const upheaval: readonly Step[] = [
  write({ 'src/double.js': codeOf('double', 'x * 2'), 'test/double.test.js': testOf('double', 8) }),
  write({ 'src/half.js': codeOf('half', 'x / 2'), 'test/half.test.js': testOf('half', 2) }),
  write({ 'src/double.js': codeOf('double', 'x * 2 + 1'), 'test/double.test.js': testOf('double', 9) }),
  write({ 'test/half.test.js': testOf('half', 2).replace("test('halfs'", "test.skip('halfs'") }),
  (project) => void project.git('rm', '-q', 'test/half.test.js'),
  write({ 'package.json': '{"name":"sums","type":"module","scripts":{"test":"node --test test/"}}\n' }),
  write({ 'README.md': '# Sums\n' }),
];

describe('a history tells how often a person would have been asked', () => {
  it.each<[string, readonly Step[], number]>([
    ['growth', growth, 0],
    ['tidying', tidying, 0],
    ['upheaval', upheaval, 4],
  ])('%s', async (_name, steps, asked) => {
    const project = makeProject({ config: null, files: { '.forge/.gitignore': '*\n' } });
    const first = project.git('rev-parse', 'HEAD');
    for (const [at, step] of steps.entries()) {
      step(project);
      project.commit(`Step ${at + 1}`);
    }
    const tree = project.git('rev-parse', 'HEAD^{tree}');
    const { stdout, code } = await project.forge('rehearse', '--from-history', `${first}..`, '--parallel', '2');
    expect(stdout).toContain(`The same tree: ${tree}`);
    const percent = Math.round((100 * asked) / steps.length);
    expect(stdout).toContain(
      `The default rules would have asked a person about ${asked} of ${steps.length} commits (${percent} %).`,
    );
    // The checks have run on every commit; texts alone are not what counts.
    expect(stdout).not.toContain('compares texts only');
    expect(code).toBe(0);
  });
});
