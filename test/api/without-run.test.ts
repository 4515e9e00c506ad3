/** Operations that need no run, on real files: what each gives is plain JSON that fits its own schema. */
import { cpSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { beforeAll, expect, it } from 'vitest';
import { openContext } from '../../src/api/context.ts';
import { performOperation } from '../../src/api/operation.ts';
import { loadOperation, type OperationName } from '../../src/api/registry.ts';
import { makeRepo } from '../git/support.ts';

let root: string;
let commit: string;

function write(path: string, text: string): void {
  mkdirSync(dirname(join(root, path)), { recursive: true });
  writeFileSync(join(root, path), text);
}

async function call(name: OperationName, input: object): Promise<unknown> {
  const operation = await loadOperation(name);
  if (operation === undefined || operation.kind === 'stream') throw new Error(`no operation ${name}`);
  const value = await performOperation(
    operation,
    openContext({ cwd: root, env: { PATH: process.env['PATH'] } }),
    input,
  );
  const sent: unknown = JSON.parse(JSON.stringify(value));
  expect(operation.output.safeParse(sent).error?.issues ?? []).toEqual([]);
  // Nothing is in it that its schema does not say.
  expect(operation.output.parse(sent)).toEqual(sent);
  return sent;
}

beforeAll(() => {
  const repo = makeRepo({ files: { 'README.md': '# A project\n' } });
  ({ root } = repo);
  cpSync(join(import.meta.dirname, '../../examples/design'), root, { recursive: true });
  repo.git('add', '-A');
  repo.git('-c', 'user.name=T', '-c', 'user.email=t@example.org', 'commit', '-qm', 'design');
  commit = repo.git('rev-parse', 'HEAD');
});

const sprint = { sprintId: 'S1', title: 'First', status: 'planning', taskIds: ['T1'] };

it('records', async () => {
  const template = JSON.stringify(await call('store-template', { entity: 'sprint' }));
  expect(template).toContain('sprintId');
  expect(await call('store-describe', { entity: 'task' })).toBeTypeOf('object');
  const made = { ...(JSON.parse(template) as object), ...sprint, taskIds: [] };
  expect(await call('store-write', { entity: 'sprint', json: JSON.stringify(made) })).toMatchObject({ id: 'S1' });
  expect(await call('store-read', { entity: 'sprint', id: 'S1' })).toMatchObject({ record: { sprintId: 'S1' } });
  expect(await call('store-query', { entity: 'sprint', conditions: [] })).toHaveLength(1);
  expect(await call('store-validate', { entity: 'sprint', json: '{}' })).not.toEqual([]);
  expect(await call('store-inspect', {})).toBeInstanceOf(Array);
  expect(await call('collate-store', {})).toMatchObject({ skipped: [] });
  expect(await call('project-health', {})).toContainEqual(expect.objectContaining({ area: 'store' }));
  expect(await call('store-migrate', { dryRun: true })).toMatchObject({ records: expect.any(Number) as number });
  expect(await call('new-task', { title: 'Sign in', sprint: 'S1', estimate: 'm' })).toMatchObject({ id: 'S1-T01' });
  expect(await call('new-bug', { title: 'It is slow' })).toMatchObject({ entity: 'bug', id: 'BUG-001' });
  expect(await call('sprint-status', {})).toMatchObject([{ id: 'S1', tasks: [{ id: 'S1-T01' }] }]);
  expect(await call('record-status', { id: 'BUG-001' })).toMatchObject({ entity: 'bug', summaries: {} });
  expect(await call('show-pipelines', {})).toContainEqual(expect.objectContaining({ name: 'default' }));
});

it('designs and plans', async () => {
  const [name = ''] = readdirSync(join(root, 'docs/raw/design')).slice(0, 1);
  const directory = `docs/raw/design/${name}`;
  expect(await call('check-design', { directory })).toMatchObject({ ok: true });
  const [module = ''] = readdirSync(join(root, directory, 'modules'));
  const file = `${directory}/modules/${module}`;
  write(file, readFileSync(join(root, file), 'utf8').replace(/^## .*Public Interfaces.*$/m, '$&\n\nChanged words.\n'));
  expect(await call('design-impact', { directory, since: commit })).toMatchObject({ directory });
  write(
    'plans/x/README.md',
    `# Plan

## Module Status

| Module | Phase | Plan | Dev | Test | Review | Merged | Notes |
|---|---|---|---|---|---|---|---|
| M-001 Core | 1 | Done | Done | Done | Approved | Yes | |
`,
  );
  expect(await call('design-status', { directory: 'plans/x' })).toMatchObject({ directory: 'plans/x' });
  expect(await call('check-plan', { planDir: 'plans/x' })).toMatchObject({ ok: false });
});

it('milestones', async () => {
  write(
    '.gsd/milestones/M001/M001-ROADMAP.md',
    '# M001: Shop\n\n## Slices\n\n- [ ] **S01: Cart** `risk:high` `depends:[]`\n  > After this: a cart\n',
  );
  expect(await call('milestone-status', {})).toMatchObject({ next: { milestone: 'M001' } });
});
