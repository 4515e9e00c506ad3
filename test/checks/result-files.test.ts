import { existsSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { namedFiles, readResultFiles } from '../../src/checks/result-files.ts';
import { runChecks } from '../../src/checks/run-checks.ts';
import { scratch } from '../git/support.ts';
import { makeScene, never, nodeProject, onlyCommand, testFile } from './support.ts';

it.each([
  [['pytest', '--junitxml=out/a.xml', '-q'], ['out/a.xml']],
  [['pytest', '--junit-xml', 'a.xml'], ['a.xml']],
  [['vitest', 'run', '--outputFile=r.json', '--outputFile', 'r.json'], ['r.json']],
  [['pytest', '--junitxml=/etc/a.xml', '--junitxml', '--outputFile=secrets.txt'], []],
] as const)('%j names %j', (argv, files) => {
  expect(namedFiles(argv)).toEqual(files);
});

it('explains a run by the file that the command line names', async () => {
  const { deps, base } = await makeScene({ ...nodeProject, 'test/old.test.js': testFile('old', 'sum(1, 1)', 3) });
  const entries = {
    part: 'plan' as const,
    plan: ['node --test --test-reporter=junit --test-reporter-destination=out.xml'],
  };
  const report = await runChecks(deps, { run: 'r', name: 'T1', commit: base, judge: base, entries }, never);
  const { reader, counts, output } = onlyCommand(report);
  expect({ reader, counts, output }).toEqual({
    reader: 'junit',
    counts: { passed: 1, failed: 1, skipped: 0, failing: [expect.stringContaining('old')] },
    output: '',
  });
});

it('reads plain files of this run only, and follows nothing', async () => {
  const outside = scratch('outside');
  writeFileSync(join(outside, 'a.xml'), 'secret');
  const tree = scratch('tree');
  const read = (file: string, since = 0) => readResultFiles({ tree, cwd: '.', argv: [`--junitxml=${file}`], since });
  writeFileSync(join(tree, 'a.xml'), 'mine');
  symlinkSync(join(outside, 'a.xml'), join(tree, 'b.xml'));
  symlinkSync(outside, join(tree, 'c'));
  expect(await read('a.xml')).toEqual([{ path: 'a.xml', content: 'mine' }]);
  expect(await read('a.xml', Date.now() + 60_000)).toEqual([]);
  expect(await read('b.xml')).toEqual([]);
  expect(await read('c/a.xml')).toEqual([]);
  expect(await read('../outside/a.xml')).toEqual([]);
  expect(await read('missing.xml')).toEqual([]);
  rmSync(join(tree, 'c'));
  expect(existsSync(join(outside, 'a.xml'))).toBe(true);
});
