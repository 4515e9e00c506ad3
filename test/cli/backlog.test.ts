/** Commands about a backlog that need no run: new tasks and bugs, where things stand, and requests that cannot work. */
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, describe, expect, it } from 'vitest';
import { projectRecords } from '../../src/store/project-records.ts';
import { backlog, idOf, sprint, storedRecord, taskRecord } from './pipeline-story.ts';
import { makeProject, type Project } from './support.ts';

describe('a project with one open sprint', () => {
  let project: Project;
  beforeAll(() => {
    project = makeProject({ files: backlog([taskRecord('T01')]) });
  });

  it('takes new tasks into it, at once from several people, and loses none', async () => {
    const made = await Promise.all(
      ['one', 'two', 'three', 'four'].map((title) => project.forge('task', 'new', title, '--estimate', 'm', '--json')),
    );
    const ids = made.map(({ stdout }) => (JSON.parse(stdout) as { taskId: string }).taskId);
    expect(new Set(ids).size).toBe(4);
    expect([...ids].sort()).toEqual(['T02', 'T03', 'T04', 'T05'].map(idOf));
    const listed = storedRecord(project, 'sprints', sprint)['taskIds'] as readonly string[];
    expect([...listed].sort()).toEqual(['T01', 'T02', 'T03', 'T04', 'T05'].map(idOf));
    expect(storedRecord(project, 'tasks', idOf('T02'))).toMatchObject({ status: 'draft', estimate: 'M' });
  });

  it('refuses a task whose fields do not fit, and writes nothing', async () => {
    const { code, stderr } = await project.forge('task', 'new', 'Bad', '--estimate', 'huge');
    expect(code).toBe(1);
    expect(stderr).toContain('estimate');
    expect(storedRecord(project, 'sprints', sprint)['taskIds']).not.toContain(idOf('T06'));
    expect(existsSync(join(project.root, `.forge/store/tasks/${idOf('T06')}.json`))).toBe(false);
  });

  it('reports bugs, and shows where a task stands', async () => {
    const bug = await project.forge('bug', 'new', 'Sums are wrong', '--severity', 'minor');
    expect(bug.stdout).toBe('Wrote BUG-001: Sums are wrong\nNext: forge bug fix BUG-001\n');
    const shown = await project.forge('task', 'status', idOf('T01'));
    expect(shown.stdout).toContain(`${idOf('T01')}: Function T01 (draft)`);
    const unknown = await project.forge('task', 'status', 'T01');
    expect(unknown.code).toBe(1);
    expect(unknown.stderr).toContain(`Did you mean "${idOf('T01')}"?`);
  });

  it('names every verb of the store in its help, and shows a pipeline phase by phase', async () => {
    const { stdout: help } = await project.forge('store', '--help');
    const docs = readFileSync(join(import.meta.dirname, '../../docs/store.md'), 'utf8');
    const verbs = [...docs.matchAll(/^\| `forge store ([a-z-]+)/gm)].map(([, verb]) => verb);
    expect(verbs.length).toBeGreaterThan(14);
    expect(verbs.filter((verb) => !new RegExp(`\\b${verb}\\b`).test(help))).toEqual([]);
    const slip = await project.forge('store', 'validate', 'tsk');
    expect([slip.code, slip.stderr.includes('Did you mean "task"?')]).toEqual([1, true]);
    const { stdout: shown } = await project.forge('pipeline', 'show', 'bug');
    expect(shown).toContain('\n\n  review-plan (supervisor, heavy, at most 3 rounds)\n    forbids ');
    expect(shown).toContain('\n\n  triage (bug-fixer, standard)\n    forbids ');
  });

  it('begins no run for ids, modes and parts that do not exist', async () => {
    const typed: readonly (readonly string[])[] = [
      ['task', 'run', 'T01'],
      ['sprint', 'plan', 'S01'],
      ['bug', 'fix', 'BUG-100'],
      ['pipeline', `${sprint} ${idOf('T99')}`],
    ];
    for (const words of typed) {
      const { code, stderr } = await project.forge(...words, '--yes');
      expect(code, words.join(' ')).toBe(1);
      expect(stderr).toContain('There is no record');
    }
    const mode = await project.forge('sprint', 'run', sprint, '--mode', 'sequental', '--yes');
    expect(mode.code).toBe(2);
    expect(mode.stderr).toContain('Did you mean "sequential"?');
    const part = await project.forge('pipeline', sprint, '--do', 'nothing', '--yes');
    expect(part.code).toBe(2);
    expect(project.runs()).toEqual([]);
  });
});

it('without a sprint, a task is refused before anything is asked', async () => {
  const project = makeProject();
  const { code, stderr } = await project.forge('task', 'new', 'A task');
  expect(code).toBe(1);
  expect(stderr).toContain('There is no open sprint');
  expect(existsSync(join(project.root, '.forge/store'))).toBe(false);
});

it('records that belong together are written together or not at all', async () => {
  const project = makeProject({ files: backlog([taskRecord('T01')]) });
  const fresh = taskRecord('T02');
  const write = (isWhole: boolean) =>
    projectRecords(project.root, {
      at: '2026-01-01T00:00:00.000Z',
      isWhole,
      events: [],
      progress: [],
      ownPhases: [],
      records: [
        { entity: 'task', id: idOf('T02'), before: null, after: fresh, via: [] },
        { entity: 'task', id: idOf('T01'), before: null, after: { ...taskRecord('T01'), title: 'Other' }, via: [] },
      ],
    });
  expect((await write(true)).records.map(({ status }) => status)).toEqual(['written', 'conflict']);
  expect(existsSync(join(project.root, `.forge/store/tasks/${idOf('T02')}.json`))).toBe(false);
  await write(false);
  expect(storedRecord(project, 'tasks', idOf('T02'))).toEqual(fresh);
  expect(storedRecord(project, 'tasks', idOf('T01'))['title']).toBe('Function T01');
});
