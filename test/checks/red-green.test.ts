import { describe, expect, it } from 'vitest';
import { measureRedGreen, type RedGreenRequest } from '../../src/checks/red-green.ts';
import { makeScene, never, nodeProject, testFile } from './support.ts';

const fixed = 'export const sum = (a, b = 0) => a + b;\nexport const half = (a) => a / 2;\n';
const uses = (name: string, expression: string, value: unknown) =>
  testFile(name, expression, value).replace('{ sum }', '{ half }');

async function measure(
  files: Readonly<Record<string, string>>,
  more: Partial<RedGreenRequest> & { readonly base?: never; readonly files?: Readonly<Record<string, string>> } = {},
) {
  const { files: before = nodeProject, ...others } = more;
  const scene = await makeScene(before);
  const commit = scene.repo.commit('work', files);
  const { base } = scene;
  const request = { run: 'r', name: 'T1', kind: 'feature', base, commit, judge: base, entries: {}, ...others } as const;
  return { results: await measureRedGreen(scene.deps, request, never), scene };
}

describe('tests against the code before', () => {
  it('are red, absent or green, each file by itself', async () => {
    const { results, scene } = await measure({
      'src/sum.js': fixed,
      'test/default.test.js': testFile('default', 'sum(2)', 2),
      'test/half.test.js': uses('halves', 'half(4)', 2),
      'test/vacuous.test.js': testFile('same', 'sum(1, 1)', 2),
    });
    expect(results).toEqual([
      {
        files: ['test/default.test.js'],
        result: 'red',
        reason: '1 test fails against the code before, first: test/default.test.js > default.',
      },
      {
        files: ['test/half.test.js'],
        result: 'absent',
        reason: 'Did not load against the code before: test/half.test.js.',
      },
      {
        files: ['test/vacuous.test.js'],
        result: 'green',
        reason: 'The test passes against the code before.',
        finding: {
          kind: 'vacuous-test',
          claim: 'The added or changed tests pass without the change, so they do not prove it.',
        },
      },
    ]);
    expect(scene.started).toHaveLength(3);
  });

  it('of a refactoring may be green', async () => {
    const { results } = await measure({ 'test/more.test.js': testFile('more', 'sum(2, 2)', 4) }, { kind: 'refactor' });
    expect(results).toEqual([
      { files: ['test/more.test.js'], result: 'green', reason: 'The test passes against the code before.' },
    ]);
  });

  it('are not measured where a command cannot be narrowed to files', async () => {
    const { results, scene } = await measure(
      { 'test/more.test.js': testFile('more', 'sum(2, 2)', 5) },
      { entries: { part: 'plan', plan: ['make check', 'node --version'] } },
    );
    expect(results).toEqual([
      {
        files: ['test/more.test.js'],
        result: 'not-measured',
        reason: 'The command cannot be narrowed to single test files.',
      },
    ]);
    expect(scene.started).toEqual([]);
  });

  it('are not measured when they do not end', async () => {
    const hanging =
      "import { test } from 'node:test';\ntest('hangs', () => new Promise((done) => setTimeout(done, 60_000)));\n";
    const { results } = await measure(
      { 'test/hang.test.js': hanging },
      { entries: { part: 'plan', plan: [{ run: 'node --test', timeout: 1 }] } },
    );
    expect(results).toEqual([
      {
        files: ['test/hang.test.js'],
        result: 'not-measured',
        reason: 'The tests did not end in time against the code before.',
      },
    ]);
  });

  it('are run together when there are many, once each, and never with the judge’s changed by the commit', async () => {
    const many = Object.fromEntries(
      Array.from({ length: 13 }, (_, index) => [`test/t${index}.test.js`, testFile(`t${index}`, 'sum(1, 1)', 2)]),
    );
    const { results, scene } = await measure(
      { ...many, 'package.json': '{"type":"module","scripts":{"test":"false"}}\n' },
      { entries: { part: 'plan', plan: ['npm test', 'node --test'] } },
    );
    expect(results.map(({ files, result }) => [files.length, result])).toEqual([[13, 'green']]);
    expect(scene.started).toHaveLength(1);
  });

  it('are none when only code changes, or a test is deleted or becomes a link', async () => {
    const { results, scene } = await measure({ 'src/sum.js': fixed });
    expect(results).toEqual([]);
    scene.repo.git('rm', '-q', 'test/sum.test.js');
    const commit = scene.repo.commit('gone');
    const { deps, base } = scene;
    const request = { run: 'r', name: 'T1', kind: 'feature', base, commit, judge: base, entries: {} } as const;
    expect(await measureRedGreen(deps, request, never)).toEqual([]);
  });
});
