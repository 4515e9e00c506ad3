/** What a run of `pipeline` does when somebody else is in its way: git hooks, other tasks, people who edit records. */
import { chmodSync, existsSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import {
  actionsOf,
  backlog,
  backlogScript,
  built,
  done,
  idOf,
  job,
  planned,
  sprint,
  storedEvents,
  storedRecord,
  taskRecord,
  usage,
} from './pipeline-story.ts';
import { makeProject, type Project } from './support.ts';

const config = (more = ''): string => `agents:
  rehearsal: { driver: scripted, script: .forge/script.yaml }
parallel: 3
${more}pipelines:
  short:
    phases: [{ command: implement, role: implement }, { command: commit, role: commit }]
`;

function placeHook(project: Project, name: string, text: string): void {
  const file = join(project.root, '.git/hooks', name);
  writeFileSync(file, `#!/bin/sh\n${text}\n`);
  chmodSync(file, 0o755);
}

const write = (path: string, content: string): object => ({ write: { path, content } });
const at = (name: string, rest: string): string => `${idOf(name)}/${rest}`;
const states = (project: Project, names: readonly string[]): Readonly<Record<string, unknown>> =>
  Object.fromEntries(names.map((name) => [name, storedRecord(project, 'tasks', idOf(name))['status']]));

it('git hooks and merge conflicts have their rules, and the sprint goes on', { timeout: 900_000 }, async () => {
  const names = ['T01', 'T02', 'T03', 'T04', 'T05', 'T06'];
  const shared = (name: string): object => write('src/shared.js', `export const owner = '${name}';\n`);
  const project = makeProject({
    config: config('checks: { hooks: [pre-commit, commit-msg] }\n'),
    files: backlog(names.map((name) => taskRecord(name, { pipeline: 'short' }))),
    script: backlogScript(names, [
      { when: { key: at('T01', 'implement#1/agent*') }, repeat: true, do: [...built('T01'), shared('T01'), done()] },
      { when: { key: at('T02', 'implement#1/agent*') }, repeat: true, do: [...built('T02'), shared('T02'), done()] },
      job(at('T03', 'implement#1/agent'), ...built('T03'), write('notes.md', 'FIXME\n'), usage, done()),
      job(at('T03', 'implement#1/repair#1/agent'), write('notes.md', 'Fixed\n'), usage, done()),
      job(at('T04', 'implement#1/agent'), ...built('T04'), write('other.md', 'FIXME\n'), done()),
      job(at('T04', 'implement#1/repair#1/agent'), done()),
      job(at('T05', 'commit#1/agent'), usage, done({ objective: 'Did it badly' })),
      job(at('T05', 'commit#1/reword#1/agent'), usage, done({ objective: 'Did it well' })),
      job(at('T06', 'commit#1/agent'), done({ objective: 'Did it badly' })),
      job(at('T06', 'commit#1/reword#1/agent'), done({ objective: 'Just as badly' })),
    ]),
  });
  placeHook(project, 'pre-commit', 'if git diff --cached | grep FIXME; then exit 1; fi');
  placeHook(project, 'commit-msg', 'if grep badly "$1"; then exit 1; fi');
  const { code, stdout } = await project.forge('sprint', 'run', sprint, '--yes');
  expect(code).toBe(1);
  const [run = ''] = project.runs();
  const [loser = ''] = ['T01', 'T02'].filter(
    (name) => storedRecord(project, 'tasks', idOf(name))['status'] !== 'committed',
  );
  const winner = loser === 'T01' ? 'T02' : 'T01';
  expect(states(project, names)).toEqual({
    [winner]: 'committed',
    [loser]: 'escalated',
    T03: 'committed',
    T04: 'escalated',
    T05: 'committed',
    T06: 'escalated',
  });
  expect(stdout).toContain(
    `${idOf(loser)} is escalated. Commit: it conflicts with what was merged before: merge conflict in src/shared.js.`,
  );
  expect(stdout).toContain(
    'Implement: a git hook does not let it through: the git hook pre-commit refuses it: it ended with 1.',
  );
  expect(stdout).toContain(
    'Commit: a git hook does not let it through: the git hook commit-msg refuses it: it ended with 1.',
  );
  expect(stdout).toContain(`Then: forge retry ${run} ${idOf(loser)}`);
  expect(actionsOf(project, idOf('T03'))).toEqual([
    'implement start',
    'implement hook_failed',
    'implement complete',
    'commit start',
    'commit complete',
  ]);
  expect(actionsOf(project, idOf('T05')).filter((one) => one === 'commit complete')).toHaveLength(2);
  const log = project.git('log', '--format=%s', `main..forge/${run}`).split('\n');
  expect(log).toContain(`${idOf('T05')}: Did it well`);
  expect(log).toHaveLength(3);
  // On top of what was merged meanwhile, the same work is no conflict any more.
  const again = await project.forge('retry', run, idOf(loser), '--yes');
  expect(states(project, [loser])).toEqual({ [loser]: 'committed' });
  expect(again.stdout).toContain(idOf(loser));
  expect(project.git('show', `forge/${run}:src/shared.js`)).toBe(`export const owner = '${loser}';`);
  expect((await project.forge('store', 'validate')).stdout).toBe('Every record fits.\n');
});

it('what people change in records meanwhile is kept, and a conflict is shown', { timeout: 900_000 }, async () => {
  const names = ['T01', 'T02'];
  const project = makeProject({
    config: config(),
    files: backlog(names.map((name) => taskRecord(name, { pipeline: 'short' }))),
    script: backlogScript(names, [
      // Both wait for a person: texts that agents obey are not changed by the way.
      job(at('T01', 'implement#1/agent'), ...built('T01'), write('src/AGENTS.md', 'Be brief.\n'), done()),
      job(at('T02', 'implement#1/agent'), ...built('T02'), write('test/AGENTS.md', 'Be exact.\n'), done()),
    ]),
  });
  const waiting = await project.forge('sprint', 'run', sprint);
  expect(waiting.stdout + waiting.stderr).toContain('Take it?');
  const [run = ''] = project.runs();
  const edited = { ...storedRecord(project, 'tasks', idOf('T01')), description: 'A person was here' };
  expect((await project.forge('store', 'write', 'task', JSON.stringify(edited))).code).toBe(0);
  expect((await project.forge('store', 'update-status', 'task', idOf('T02'), 'status', 'blocked')).code).toBe(0);
  for (const name of names) {
    const question = at(name, 'integrate#1/scope');
    expect((await project.forge('answer', run, question, '--option', 'accept', '--no-resume')).code).toBe(0);
  }
  const { code, stdout } = await project.forge('resume', run);
  expect(code).toBe(1);
  expect(storedRecord(project, 'tasks', idOf('T01'))).toMatchObject({
    status: 'committed',
    description: 'A person was here',
  });
  expect(storedRecord(project, 'tasks', idOf('T02'))['status']).toBe('blocked');
  expect(actionsOf(project, idOf('T02'))).toContain('commit conflict');
  expect(stdout).toContain(
    'someone else changed the record: status: on disk (blocked), in this run (implemented). Nothing was merged.',
  );
  expect(project.git('ls-tree', '-r', '--name-only', `forge/${run}`)).not.toContain('src/T02.js');
  const conflict = storedEvents(project).find(({ action }) => action === 'conflict');
  expect(conflict?.['notes']).toContain('on disk (blocked)');
});

it('records in a directory of the repository are worked on from there', { timeout: 900_000 }, async () => {
  const files = backlog([taskRecord('T01')]);
  const project = makeProject({
    files: Object.fromEntries(Object.entries(files).map(([path, text]) => [`app/${path}`, text])),
    script: backlogScript(
      [],
      [job(at('T01', 'plan#1/agent'), planned(`app/engineering/sprints/${sprint}/${idOf('T01')}`), done())],
    ),
  });
  const app = join(project.root, 'app');
  const typed = async (...args: string[]): Promise<string> => {
    const { code, stdout, stderr } = await project.start(args, {}, app).ended;
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
    return stdout;
  };
  await typed('task', 'plan', idOf('T01'), '--yes');
  expect(await typed('store', 'read', 'task', idOf('T01'), '--json')).toContain('"status":"plan-approved"');
  expect(existsSync(join(project.root, '.forge/store'))).toBe(false);
  const [run = ''] = project.runs();
  expect(await typed('pipeline', 'gate', idOf('T01'), 'implement', '--commit', `forge/${run}`)).toContain('may begin');
  await typed('collate');
  // The plan is on the run's branch and not in the checkout yet: health says that, and finds the store.
  const { code, stdout } = await project.start(['health'], {}, app).ended;
  expect(code).toBe(1);
  expect(stdout).toContain('✓ store: Every record fits');
  expect(stdout).toContain(`✗ links: No such directory or file: engineering/sprints/${sprint}/${idOf('T01')}`);
});
