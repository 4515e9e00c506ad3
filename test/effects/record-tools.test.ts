/** Records for agents at work: through the store's own rules, side by side with others, and never by a file. */
import { describe, expect, it } from 'vitest';
import { recordTools } from '../../src/effects/record-tools.ts';
import type { RoleToolDeps } from '../../src/effects/role-tool.ts';
import type { EffectContext } from '../../src/engine/performer.ts';
import { createRedactor } from '../../src/process/redact.ts';
import { writeRecord } from '../../src/store/change-records.ts';
import { listEntries } from '../../src/store/record-files.ts';
import { tempDir } from '../support/temp.ts';

const at = '2026-01-01T00:00:00.000Z';

function openTools(storeRoot: string, key: string) {
  const context = { key, clock: { now: () => new Date(at) } } as unknown as EffectContext;
  const deps = { storeRoot, redactor: createRedactor({}) } as unknown as RoleToolDeps;
  const tools = recordTools.map((make) => make(context, deps));
  return async (name: string, args: unknown): Promise<unknown> => {
    const tool = tools.find((one) => one.name === name);
    const answer = await tool?.call(args, new AbortController().signal);
    return JSON.parse(answer?.text ?? 'null') as unknown;
  };
}

describe('agents that report at the same moment', () => {
  it('get an id each, and nothing is written over', async () => {
    const root = tempDir('records');
    const agents = ['A', 'B', 'C'].map((name) => ({ name, call: openTools(root, `${name}/implement#1/agent`) }));
    const made = await Promise.all(
      agents.flatMap(({ name, call }) =>
        [1, 2, 3, 4].map((number) => call('record_bug', { title: `${name} ${number}`, severity: 'minor' })),
      ),
    );
    const ids = made.map((answer) => (answer as { readonly id: string }).id);
    expect(new Set(ids).size).toBe(12);
    const titles = listEntries(root, 'bug').entries.map(({ record }) => record['title']);
    expect(new Set(titles).size).toBe(12);
    expect(await agents[0]?.call('record_bug', { title: 'A 1', severity: 'minor' })).toMatchObject({
      ok: true,
      note: 'It was reported before.',
    });
  });

  it('read and list records, and have no tool that changes a state', async () => {
    const root = tempDir('records');
    const sprint = { sprintId: 'S1', title: 's', status: 'active', taskIds: [], createdAt: at };
    await writeRecord(root, { entity: 'sprint', value: sprint, options: { at } });
    const task = { taskId: 'S1-T1', sprintId: 'S1', title: 't', status: 'draft', path: 'p' };
    await writeRecord(root, { entity: 'task', value: task, options: { at } });
    const call = openTools(root, 'S1-T1/plan#1/agent');
    expect(await call('record_read', { entity: 'task', id: 'S1-T1' })).toEqual({ found: true, record: task });
    expect(await call('record_read', { entity: 'task', id: '../../etc/passwd' })).toMatchObject({ found: false });
    expect(await call('record_list', { entity: 'task', conditions: ['status=draft'] })).toEqual({
      total: 1,
      records: [{ id: 'S1-T1', title: 't', status: 'draft' }],
    });
    expect(await call('record_progress', { text: 'half | way' })).toEqual({ ok: true });
    expect(recordTools.map((make) => make({ key: 'x' } as never, {} as never).name)).toEqual([
      'record_read',
      'record_list',
      'record_progress',
      'record_bug',
    ]);
  });
});
