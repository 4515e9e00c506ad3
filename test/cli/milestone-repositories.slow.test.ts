/** One milestone over several repositories: each gets its own branch, and if one cannot take part, nothing runs. */
import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { expect, it } from 'vitest';
import { repoAt } from '../git/support.ts';
import { built, done, job, reply, roadmap, script, slice, slicePlan, task, tellMilestone } from './milestone-story.ts';
import { makeProject, type Project } from './support.ts';

const serverTest = `import assert from 'node:assert';
import test from 'node:test';
import { server } from './server.js';
test('server', () => assert.equal(server(), 1));
`;

const jobs = [
  { when: { role: 'milestone-planner' }, do: [reply(roadmap([slice('S01')]))] },
  job(
    'S01/plan#1',
    reply(
      slicePlan(
        task('T01', 'one'),
        task('T02', 'server', {
          writes: ['api/server.js', 'api/server.test.js'],
          mustHaves: { truths: [], artifacts: [{ path: 'api/server.js', provides: 'server', minLines: 1 }] },
        }),
      ),
    ),
  ),
  { when: { role: 'executor', task: 'S01/T01' }, do: [...built('one'), done('one is there')] },
  {
    when: { role: 'executor', task: 'S01/T02' },
    do: [
      { write: { path: 'api/server.js', content: 'export const server = () => 1;\n' } },
      { write: { path: 'api/server.test.js', content: serverTest } },
      done('the server is there'),
    ],
  },
];

function beside(project: Project, name: string) {
  const root = join(dirname(project.root), name);
  mkdirSync(root, { recursive: true });
  const made = repoAt(root);
  made.git('init', '-q', '-b', 'main');
  made.commit('first', { 'server.js': '\n', 'README.md': `# ${name}\n` });
  return made;
}

const flags = ['--yes', '--skip-research', '--skip-discuss', '--plan-check', 'disabled'];

it('works on all of them, and leaves a branch in each that changed', async () => {
  const files = { '.gitignore': '/inner/\n', 'package.json': '{"type":"module"}\n' };
  const project = makeProject({ script: script(jobs), files });
  const api = beside(project, 'api');
  const inner = beside(project, join(project.root.split('/').at(-1) ?? '', 'inner'));
  const ran = await project.forge('milestone', 'Numbers', ...flags, '--with', '../api,inner');
  const { code, run, stdout } = tellMilestone(project, ran);
  if (code !== 0) throw new Error(stdout);
  expect([code, ran.stderr]).toEqual([0, '']);
  expect(stdout).toContain(`api: forge/${run}`);
  // Each has its own files only, on top of where it stood.
  const filesIn = (one: { git: Project['git'] }): readonly string[] =>
    one.git('ls-tree', '-r', '--name-only', `forge/${run}`).split('\n');
  expect(filesIn(project)).toEqual(expect.arrayContaining(['.gitignore', 'package.json', 'src/one.js']));
  expect(filesIn(project).filter((path) => /^(?:api|inner)/.test(path))).toEqual([]);
  expect(project.git('show', `forge/${run}:.gitignore`)).toBe('/inner/');
  expect(filesIn(api)).toEqual(['README.md', 'server.js', 'server.test.js']);
  expect(api.git('show', `forge/${run}:server.js`)).toBe('export const server = () => 1;');
  expect(api.git('rev-parse', `forge/${run}^`)).toBe(api.git('rev-parse', 'main'));
  expect(inner.git('branch', '--format=%(refname:short)')).toBe('main');
  expect([project, api, inner].map((one) => one.git('status', '--porcelain', '-uno'))).toEqual(['', '', '']);
  // What is looked at is the whole, what lands is the project's own part.
  expect((await project.forge('diff', run)).stdout).toContain('api/server.js');
  expect((await project.forge('land', run, '--into', 'main')).code).toBe(0);
  expect(project.git('ls-tree', '-r', '--name-only', 'main')).toContain('src/one.js');
  expect(project.git('ls-tree', '--name-only', 'main').split('\n')).not.toContain('api');
});

it('starts nothing when one of them cannot take part', async () => {
  const project = makeProject({ script: script(jobs) });
  beside(project, 'api');
  writeFileSync(join(dirname(project.root), 'not-one'), 'a file');
  const start = (named: string) => project.forge('milestone', 'Numbers', ...flags, '--with', named);
  for (const named of ['../api,../missing', '../api,../not-one', '.', '../api,../api/../api']) {
    const ran = await start(named);
    expect([named, ran.code, project.runs()]).toEqual([named, 2, []]);
  }
});
