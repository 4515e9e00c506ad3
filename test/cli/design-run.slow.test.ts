/** The example design through the binary: plans alone, then built from the plan directory, asked about and given up. */
import { cpSync, readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { expect, it } from 'vitest';
import { makeProject } from './support.ts';

const example = resolve(import.meta.dirname, '../../examples/design-demo');
const design = 'docs/raw/design/2026-05-04-tally';

/** The set-up builds, but has none of what a project needs besides. */
const halfSetUp = `- when: { key: 'bootstrap/agent#1' }
  do:
  - write: { path: package.json, content: '{ "name": "tally", "type": "module" }' }
  - write: { path: scripts/lint.mjs, content: 'process.exitCode = 0;' }
  - reply: { summary: Half of it }
`;

it('plans, executes, answers why, and gives up what was not landed', { timeout: 900_000 }, async () => {
  const project = makeProject();
  project.git('rm', '-rq', 'package.json', 'src', 'test');
  cpSync(join(example, 'repository'), project.root, { recursive: true });
  project.write({
    '.forge/script.yaml': halfSetUp + readFileSync(join(example, 'script.yaml'), 'utf8'),
    '.forge/config.yaml': 'agents: { actor: { driver: scripted, script: .forge/script.yaml } }\n',
  });
  const base = project.commit('a design');
  const planned = await project.forge('design', design, '--plan-only', '--yes');
  expect(planned.code).toBe(0);
  expect(planned.stderr).toContain('The plan is ready, and nothing is built yet.');
  const [plan = ''] = project.runs();
  const planDir = `docs/raw/plans/2026-05-04-tally-${base.slice(0, 4)}`;
  const status = await project.forge('design', '--status', planDir);
  expect(status.stdout).toContain(`${planDir} (on the branch of ${plan})`);
  expect(status.stdout).toContain('5 modules and 3 phases remain.');
  expect(project.git('status', '--porcelain')).toBe('');
  // Only plans: nothing is built yet.
  expect(
    project
      .git('diff', '--name-only', `main..forge/${plan}`)
      .split('\n')
      .every((path) => path.startsWith(planDir)),
  ).toBe(true);
  project.git('merge', '-q', '--ff-only', `forge/${plan}`);
  const built = await project.forge('design', '--execute', planDir, '--yes');
  expect({ code: built.code, done: built.stdout.includes('Acceptance: PASS, 7 of 7 criteria') }).toEqual({
    code: 0,
    done: true,
  });
  const run = project.runs().find((name) => name !== plan) ?? '';
  const keys = project.facts(run).map(({ key }) => key);
  expect(keys).toContain('bootstrap/agent#2');
  expect(keys).not.toContain('bootstrap/agent#3');
  expect(project.git('ls-tree', '--name-only', `forge/${run}`).split('\n')).toEqual(
    expect.arrayContaining(['.env.example', 'CLAUDE.md', 'scripts']),
  );
  const why = await project.forge('why', 'F-001/AC3', '--run', run, '--json');
  expect(JSON.parse(why.stdout)).toMatchObject({
    planDir,
    criteria: [{ id: 'F-001/AC3', status: 'PASS' }],
    owners: [{ id: 'M-004', lines: [{ file: 'bin/tally.js' }], sessions: [{ role: 'module-developer' }, {}, {}] }],
  });
  const history = project.git('log', '--format=%s %p', `main..forge/${run}`).split('\n');
  expect(history.every((line) => line.split(' ').at(-1)?.length === 7)).toBe(true);
  expect(history.filter((line) => line.startsWith('feat(M-'))).toHaveLength(6);
  const gate = await project.forge('check-plan', planDir, '--gate', 'plan');
  expect(gate.code).toBe(0);
  const cleaned = await project.forge('design', '--cleanup', planDir, '--yes');
  expect(cleaned.stdout).toContain('Removed 2 runs, 2 branches, 0 worktrees.');
  expect(project.runs()).toEqual([]);
  expect(project.git('branch', '--format=%(refname:short)')).toBe('main');
});
