/**
 * A backlog for whole `pipeline` runs, and scripts for it: every task is one small function with its test, and everyone
 * answers well unless a job of the test's own says otherwise.
 */
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Project } from './support.ts';
import { job, reply } from './waves-story.ts';

export { job, reply };

export const sprint = 'ACME-S01';
export const idOf = (task: string): string => `${sprint}-${task}`;

type Json = Readonly<Record<string, unknown>>;

const file = (value: unknown): string => `${JSON.stringify(value, null, 2)}\n`;

export const taskRecord = (task: string, more: Json = {}): Json => ({
  taskId: idOf(task),
  sprintId: sprint,
  title: `Function ${task}`,
  status: 'draft',
  path: `engineering/sprints/${sprint}/${idOf(task)}`,
  ...more,
});

export const bugRecord = (id: string, more: Json = {}): Json => ({
  bugId: id,
  title: 'It is wrong',
  severity: 'major',
  status: 'reported',
  path: `engineering/bugs/${id}`,
  reportedAt: '2026-01-01T00:00:00.000Z',
  ...more,
});

/** Records as files of a repository. */
export function backlog(
  tasks: readonly Json[],
  bugs: readonly Json[] = [],
  more: Json = {},
): Readonly<Record<string, string>> {
  const record = {
    sprintId: sprint,
    title: 'Numbers',
    status: 'planning',
    taskIds: tasks.map((task) => task['taskId']),
    createdAt: '2026-01-01T00:00:00.000Z',
    executionMode: 'full-parallel',
    ...more,
  };
  return {
    '.forge/store/STORE.json': file({ version: 1 }),
    [`.forge/store/sprints/${sprint}.json`]: file(record),
    ...Object.fromEntries(tasks.map((task) => [`.forge/store/tasks/${String(task['taskId'])}.json`, file(task)])),
    ...Object.fromEntries(bugs.map((bug) => [`.forge/store/bugs/${String(bug['bugId'])}.json`, file(bug)])),
  };
}

export const done = (more: Json = {}): object => reply({ objective: 'Did it', ...more });
export const approved = (more: Json = {}): object => reply({ verdict: 'approved', objective: 'Good', ...more });
export const revision = (finding = 'Change it'): object =>
  reply({ verdict: 'revision', objective: 'Not yet', findings: [finding] });

export const planned = (directory: string): object => ({
  write: { path: `${directory}/PLAN.md`, content: `# Plan\n\n${'What will be built, file by file. '.repeat(10)}\n` },
});

/** A function that gives `value`, and a test that wants a positive one. */
export const built = (name: string, value = 1): readonly object[] => [
  { write: { path: `src/${name}.js`, content: `export const ${name} = () => ${value};\n` } },
  {
    write: {
      path: `test/${name}.test.js`,
      content: `import assert from 'node:assert';\nimport test from 'node:test';\nimport { ${name} } from '../src/${name}.js';\ntest('${name}', () => assert.ok(${name}() > 0));\n`,
    },
  },
];

export const usage = { usage: { inputTokens: 1000, outputTokens: 100, costUsd: 0.01 } };

/** The given jobs come first and so count instead. */
export function backlogScript(tasks: readonly string[], first: readonly object[] = []): readonly object[] {
  return [
    ...first,
    ...tasks.flatMap((task) => [
      {
        when: { key: `${idOf(task)}/plan#*/agent` },
        repeat: true,
        do: [planned(`engineering/sprints/${sprint}/${idOf(task)}`), usage, done()],
      },
      { when: { key: `${idOf(task)}/implement#*/agent` }, repeat: true, do: [...built(task), usage, done()] },
    ]),
    { when: { role: 'engineer' }, repeat: true, do: [usage, done()] },
    { when: { role: '{supervisor,qa-engineer,architect}' }, repeat: true, do: [usage, approved()] },
    { when: { role: 'collator' }, repeat: true, do: [done()] },
    { when: { role: 'halt-advisor' }, repeat: true, do: [reply({ what: 'It stopped.', next: ['Look at it'] })] },
  ];
}

export function storedRecord(project: Project, kind: 'tasks' | 'bugs' | 'sprints', id: string): Json {
  return JSON.parse(readFileSync(join(project.root, `.forge/store/${kind}/${id}.json`), 'utf8')) as Json;
}

export function storedEvents(project: Project, directory = sprint): readonly Json[] {
  const place = join(project.root, '.forge/store/events', directory);
  return readdirSync(place)
    .filter((name) => name.endsWith('.json'))
    .sort()
    .map((name) => JSON.parse(readFileSync(join(place, name), 'utf8')) as Json);
}

/** `phase action` of a record's events, in the order they happened. */
export function actionsOf(project: Project, id: string, directory = sprint): readonly string[] {
  return storedEvents(project, directory)
    .filter((event) => event['taskId'] === id || event['bugId'] === id)
    .map((event) => `${(event['phase'] as string | undefined) ?? '-'} ${event['action'] as string}`);
}
