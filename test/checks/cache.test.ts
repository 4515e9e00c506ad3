import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { runChecks } from '../../src/checks/run-checks.ts';
import type { VerifyEntry } from '../../src/plan/plan.ts';
import { makeScene, never, nodeProject, steady, testFile } from './support.ts';

const entriesIn = (directory = ''): string[] => readdirSync(directory).filter((name) => /^[0-9a-f]{64}$/.test(name));

async function twice(plan: readonly VerifyEntry[], change: Parameters<typeof makeScene>[1] = {}) {
  const scene = await makeScene({ ...nodeProject, 'test/old.test.js': testFile('old', 'sum(1, 1)', 3) }, change);
  const request = {
    run: 'r',
    name: 'T1',
    commit: scene.base,
    judge: scene.base,
    entries: { part: 'plan' as const, plan },
  };
  const first = await runChecks(scene.deps, request, never);
  const runs = scene.started.length;
  const second = await runChecks(scene.deps, { ...request, name: 'T2', run: 'other' }, never);
  return { scene, request, first, second, runs, again: scene.started.length - runs };
}

describe('a result', () => {
  it('is remembered, passed or failed, and says so', async () => {
    const { first, second, runs, again, scene } = await twice(['node --version', 'node --test']);
    expect([runs, again]).toEqual([4, 0]);
    expect(second).toEqual({ ...first, commands: first.commands.map((command) => ({ ...command, cached: true })) });
    expect(first.commands.map(({ status, cached }) => [status, cached])).toEqual([
      ['passed', false],
      ['failed', false],
    ]);
    expect(readdirSync(scene.deps.cache ?? '').length).toBe(2);
  });

  it('is not remembered when it was a limit of ours or nothing started', async () => {
    const { again, scene } = await twice([{ run: ['sleep', '60'], timeout: 0.05 }, 'no-such-program-here']);
    expect(again).toBe(2);
    expect(entriesIn(scene.deps.cache)).toEqual([]);
  });

  it('is not remembered when a program was missing inside', async () => {
    const scene = await makeScene({ 'package.json': '{"scripts":{"test":"no-such-runner-here"}}\n' });
    const request = { run: 'r', name: 'T1', commit: scene.base, judge: scene.base, entries: {} };
    expect((await runChecks(scene.deps, request, never)).status).toBe('failed');
    expect(entriesIn(scene.deps.cache)).toEqual([]);
  });

  it('is asked for by everything that decides it', async () => {
    const { scene, request } = await twice([{ run: 'node --version', env: { A: '1' } }]);
    const { deps, repo, started } = scene;
    const runs = async (more: Partial<typeof request>, others: Partial<typeof deps> = {}): Promise<number> => {
      const before = started.length;
      await runChecks({ ...deps, ...others }, { ...request, ...more }, never);
      return started.length - before;
    };
    const plan = (entry: VerifyEntry) => ({ entries: { part: 'plan' as const, plan: [entry] } });
    const other = repo.commit('other', { 'README.md': 'x\n' });
    const judged = repo.commit('judge', { 'package.json': nodeProject['package.json'].replace('--test', '--test .') });
    const setup = (key: string) => ({
      setup: {
        outputs: [],
        decides: () => false,
        key: () => Promise.resolve(key),
        prepareTree: () => Promise.resolve(),
      },
    });
    expect({
      same: await runs({}),
      tree: await runs({ commit: other }),
      judge: await runs({ commit: other, judge: judged }),
      argv: await runs(plan({ run: 'node --v8-options', env: { A: '1' } })),
      env: await runs(plan({ run: 'node --version', env: { A: '2' } })),
      timeout: await runs(plan({ run: 'node --version', env: { A: '1' }, timeout: 9 })),
      cwd: await runs(plan({ run: 'node --version', env: { A: '1' }, cwd: 'src' })),
      before: await runs({
        entries: { part: 'plan' as const, plan: ['true', { run: 'node --version', env: { A: '1' } }] },
      }),
      network: await runs({}, { network: 'off' }),
      setup: await runs({}, setup('1')),
      sameSetup: await runs({}, setup('1')),
      otherSetup: await runs({}, setup('2')),
      readable: await runs({}, { readable: [deps.logs] }),
      noCache: await runs({}, { cache: undefined }),
      still: await runs({}),
    }).toEqual({
      same: 0,
      tree: 1,
      judge: 1,
      argv: 1,
      env: 1,
      timeout: 1,
      cwd: 1,
      before: 2,
      network: 1,
      setup: 1,
      sameSetup: 0,
      otherSetup: 1,
      readable: 1,
      noCache: 1,
      still: 0,
    });
  });

  it('is found when another commit has the same judged tree', async () => {
    const scene = await makeScene(nodeProject);
    const { repo, deps, base, started } = scene;
    const cheat = repo.commit('cheat', { '.npmrc': 'script-shell=/bin/true\n' });
    const request = { run: 'r', name: 'T1', judge: base, entries: {} };
    const passed = await runChecks(deps, { ...request, commit: base }, never);
    const same = await runChecks(deps, { ...request, commit: cheat }, never);
    expect([passed.status, same.status, same.commands[0]?.cached, started.length]).toEqual([
      'passed',
      'passed',
      true,
      1,
    ]);
  });

  it('that failed as before on a red base is settled by a second run once that matters', async () => {
    const { scene, request, first } = await twice(['node --test']);
    const { deps, repo, started } = scene;
    const commit = repo.commit('other', { 'README.md': 'x\n' });
    const known = await runChecks(deps, { ...request, commit, baseline: first }, never);
    const before = started.length;
    const alone = await runChecks(deps, { ...request, commit }, never);
    expect([known.status, alone.status, started.length - before]).toEqual(['passed', 'failed', 2]);
    expect((await runChecks(deps, { ...request, commit }, never)).commands[0]?.cached).toBe(true);
  });
});

describe('an entry that cannot be read', () => {
  it.each(['', '{', '{"first":{"exit":0}}', '{"first":{"exit":0,"durationMs":1,"output":"","extra":1}}'])(
    'is ignored: %s',
    async (text) => {
      const scene = await makeScene({ 'a.txt': 'a\n' });
      const request = {
        run: 'r',
        name: 'T1',
        commit: scene.base,
        judge: scene.base,
        entries: { part: 'plan' as const, plan: ['false'] },
      };
      const first = await runChecks(scene.deps, request, never);
      const [name = ''] = entriesIn(scene.deps.cache);
      const file = join(scene.deps.cache ?? '', name);
      const good = readFileSync(file, 'utf8');
      writeFileSync(file, text);
      expect(steady(await runChecks(scene.deps, request, never))).toEqual(steady(first));
      expect(JSON.parse(readFileSync(file, 'utf8')).first.exit).toBe(JSON.parse(good).first.exit);
    },
  );
});
