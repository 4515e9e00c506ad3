/** A commit that brings its own runner is judged by the installed one, and the attempt is for a person to see. */
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { runChecks } from '../../src/checks/run-checks.ts';
import type { VerifyEntry } from '../../src/plan/plan.ts';
import { makeScene, never, nodeProject, onlyCommand, type Scene } from './support.ts';

/** A python of the system: the jail hides homes. */
const python = '/usr/bin/python3';
const project = {
  'calc.py': 'def add(a, b):\n    return a + b\n',
  'test_calc.py':
    'import unittest\nfrom calc import add\n\nclass T(unittest.TestCase):\n    def test_add(self):\n        self.assertEqual(add(1, 2), 3)\n',
};
const broken = { 'calc.py': 'def add(a, b):\n    return a - b\n' };

async function check({ deps, base }: Scene, commit: string, entry: VerifyEntry) {
  const report = await runChecks(
    deps,
    { run: 'r', name: 'T1', commit, judge: base, entries: { part: 'plan', plan: [entry] } },
    never,
  );
  return [report.status, ...report.checkChanged.map(({ path, what }) => `${path}: ${what}`)];
}

describe('python', () => {
  it.each([
    ['unittest.py', 'import sys\nsys.exit(0)\n', 'would take the place of the module unittest, which checks may run'],
    ['unittest/__init__.py', '', 'would take the place of the module unittest, which checks may run'],
    ['argparse.py', 'raise SystemExit(0)\n', 'would take the place of the module argparse, which checks may run'],
    ['sitecustomize.py', 'import os\nos._exit(0)\n', 'added'],
  ])('does not run the commit’s %s', async (path, content, what) => {
    const scene = await makeScene(project);
    const commit = scene.repo.commit('cheat', { ...broken, [path]: content, 'unittest/__main__.py': '' });
    const found = await check(scene, commit, { run: [python, '-m', 'unittest'], env: { PYTHONPATH: '.' } });
    expect(found).toContain('failed');
    expect(found).toContain(`${path}: ${what}`);
  });

  it('does not run a module that only the commit has, of whatever name', async () => {
    const scene = await makeScene(project);
    const commit = scene.repo.commit('cheat', { ...broken, 'lib/greenish/__main__.py': '' });
    const entry = { run: [python, '-m', 'greenish'], env: { PYTHONPATH: 'lib' } };
    expect(await check(scene, commit, entry)).toEqual([
      'failed',
      `lib/greenish/__main__.py: is started by the check "${python} -m greenish" and is added`,
    ]);
  });

  it('runs the project’s own module, and a person is told of its change', async () => {
    const scene = await makeScene({ ...project, 'run_tests.py': 'raise SystemExit(1)\n' });
    const commit = scene.repo.commit('fix', { 'run_tests.py': 'raise SystemExit(0)\n' });
    expect(await check(scene, commit, `${python} -m run_tests`)).toEqual([
      'passed',
      `run_tests.py: is started by the check "${python} -m run_tests" and is changed`,
    ]);
  });

  it('finds no package that an earlier command planted', async () => {
    const scene = await makeScene({
      ...project,
      'plant.sh': 'mkdir unittest .cargo && touch unittest/__init__.py kept\n',
    });
    const request = { run: 'r', name: 'T1', commit: scene.base, judge: scene.base };
    const plan = ['sh plant.sh', 'ls -A'];
    await runChecks(scene.deps, { ...request, entries: { plan } }, never);
    expect(scene.log('T1/2-first.log').split('\n').slice(0, -1).sort()).toEqual([
      '.git',
      'calc.py',
      'kept',
      'plant.sh',
      'test_calc.py',
    ]);
  });
});

describe('installed packages under version control', () => {
  it('change like any dependency, but for the runners', async () => {
    const files = { 'node_modules/left/index.js': 'old\n', 'node_modules/vitest/index.js': 'old\n' };
    const scene = await makeScene({ ...nodeProject, ...files });
    const bin = join(scene.repo.root, 'node_modules/.bin');
    mkdirSync(bin, { recursive: true });
    writeFileSync(join(bin, 'node'), '#!/bin/sh\nexit 0\n', { mode: 0o755 });
    const commit = scene.repo.commit('cheat', {
      'src/sum.js': 'export const sum = (a, b) => a - b;\n',
      'node_modules/left/index.js': 'new\n',
      'node_modules/vitest/index.js': 'new\n',
      '.venv/bin/pytest': '#!/bin/sh\nexit 0\n',
    });
    expect(await check(scene, commit, 'npm test')).toEqual([
      'failed',
      '.venv: 1 installed files are part of the commit',
      'node_modules: 2 installed files are part of the commit',
    ]);
  });
});

describe('make', () => {
  it('that finds a file of the target’s name has tested nothing', async () => {
    const scene = await makeScene({ Makefile: 'test:\n\tfalse\n' });
    const commit = scene.repo.commit('cheat', { test: '' });
    const request = { run: 'r', name: 'T1', commit, judge: scene.base, entries: {} };
    const { exit, status, reason } = onlyCommand(await runChecks(scene.deps, request, never));
    expect({ exit, status, reason }).toEqual({ exit: 0, status: 'unverified', reason: 'exit 0, but no test ran' });
  });
});
