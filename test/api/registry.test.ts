/**
 * Every operation as data: it has a name, a kind, a description and schemas that any transport can show. In a whole
 * scripted run, what operations give is plain JSON that fits their own schema.
 */
import { beforeAll, describe, expect, it } from 'vitest';
import { z } from 'zod';
import { type ApiContext, openContext } from '../../src/api/context.ts';
import { followOperation, performOperation } from '../../src/api/operation.ts';
import { type AnyOperation, loadOperation, type OperationName, operationNames } from '../../src/api/registry.ts';
import type { RunHandle } from '../../src/engine/engine.ts';
import { makeProject, type Project } from '../cli/support.ts';

async function load(name: OperationName): Promise<AnyOperation> {
  const operation = await loadOperation(name);
  if (operation === undefined) throw new Error(`no operation ${name}`);
  return operation;
}

describe('the registry', () => {
  it.each(operationNames)('%s says what it is, with schemas that convert to JSON Schema', async (name) => {
    const operation = await load(name);
    expect(operation.name).toBe(name);
    expect(['query', 'command', 'stream']).toContain(operation.kind);
    expect(operation.description).toMatch(/^[A-Z].*\.$/s);
    expect(z.toJSONSchema(operation.input, { io: 'input' })).toMatchObject({ type: 'object' });
    // It says what it gives: a schema that allows anything is none.
    const { $schema: _, ...output } = z.toJSONSchema(operation.output, { io: 'output' });
    expect(output).not.toEqual({});
    for (const field of operation.tool?.hidden ?? []) expect(Object.keys(operation.input.shape)).toContain(field);
  });

  it('gives every tool a name of its own', async () => {
    const tools = (await Promise.all(operationNames.map(load))).flatMap(({ tool }) => tool?.name ?? []);
    expect(new Set(tools).size).toBe(tools.length);
  });

  it('knows no other name', async () => {
    expect(await loadOperation('constructor')).toBeUndefined();
  });
});

describe('in a whole run', () => {
  let project: Project;
  let run: string;
  const taken: RunHandle[] = [];
  const open = (): ApiContext =>
    openContext({
      cwd: project.root,
      env: project.env,
      worker: { where: 'here', options: { whenWaiting: 'leave' }, take: (handle) => taken.push(handle) },
    });

  /** What it gives, checked as it would leave: JSON that its own schema reads. */
  async function call(name: OperationName, input: object): Promise<unknown> {
    const operation = await load(name);
    const values: unknown[] = [];
    if (operation.kind === 'stream')
      for await (const value of followOperation(operation, open(), input)) values.push(value);
    else values.push(await performOperation(operation, open(), input));
    for (const value of values) {
      expect(notJson(value, name)).toEqual([]);
      const sent: unknown = JSON.parse(JSON.stringify(value));
      expect(operation.output.safeParse(sent).error?.issues ?? []).toEqual([]);
    }
    return operation.kind === 'stream' ? values : values[0];
  }

  beforeAll(async () => {
    project = makeProject();
    const started = await call('start-run', { requirement: 'Add a multiplication' });
    expect(started).toMatchObject({ status: 'started', interrupted: [] });
    run = taken[0]?.run ?? '';
    expect(await taken[0]?.ended).toMatchObject({ status: 'waiting' });
  });

  it('a run is started, asks, is answered, and every operation that looks at it gives JSON', async () => {
    expect(await call('start-run', { requirement: 'Add a multiplication', whenInterrupted: 'same' })).toMatchObject({
      status: 'interrupted',
      interrupted: [{ run, isSame: true }],
    });
    expect(await call('list-questions', {})).toMatchObject({ questions: [{ run, key: 'approve' }] });
    expect(await call('run-status', { run })).toMatchObject({ run, status: 'waiting', isHeld: false });
    const answered = await call('answer-question', { run, option: 'yes' });
    expect(answered).toMatchObject({ run, answers: [{ question: 'approve' }], work: { run } });
    expect(await taken.at(-1)?.ended).toMatchObject({ status: 'done' });

    expect(await call('list-runs', {})).toMatchObject([{ run, status: 'done' }]);
    const { seq } = (await call('run-status', { run })) as { seq: number };
    expect(await call('show-run', { run })).toMatchObject({ line: { run }, summary: { run } });
    expect(await call('diff-run', { run, text: 'patch' })).toMatchObject({ merged: true, text: /^diff/ });
    expect(await call('report-run', { run, format: 'json' })).toMatchObject({ run, format: 'json' });
    expect(await call('follow-run', { run })).toMatchObject({ status: 'done', timedOut: false });
    expect(await call('run-events', { runId: run })).toMatchObject({ runId: run });
    expect(await call('list-documents', {})).toContainEqual(expect.objectContaining({ run, name: 'report.md' }));
    expect(await call('read-document', { run, name: 'report.md' })).toMatchObject({ run, name: 'report.md' });
    expect(await call('session-state', { action: 'list' })).toMatchObject({ sessions: [{ runId: run }] });
    for (const name of ['runs-place', 'list-lessons', 'doctor', 'list-agents', 'trust-project'] as const) {
      expect(await call(name, {})).toBeTypeOf('object');
    }
    expect(await call('iteration-state', { moduleId: 'M1', action: 'get' })).toMatchObject({ action: 'get' });
    expect(await call('validate-plan', { plan: { modules: [] } })).toMatchObject({ valid: false });

    // What displays show of it.
    const whole = (await call('watch-run', { run, follow: false })) as {
      position: string;
      nodes: { type: string }[];
    }[];
    expect(whole).toMatchObject([{ isWhole: true, page: { run, status: 'done', isLive: false }, questions: [] }]);
    expect(whole[0]?.nodes.some(({ type }) => type === 'task')).toBe(true);
    expect(await call('watch-runs', { follow: false })).toMatchObject([{ runs: [{ line: { run } }] }]);
    const details = (await call('inspect-run', { run })) as { sessions: { key: string }[]; report: object };
    expect(details).toMatchObject({ run, seq, report: { run } });
    const actions = (await call('run-actions', { run })) as { actions: { id: string; isFinal: boolean }[] };
    expect(actions.actions.map(({ id }) => id)).toEqual(['land', 'undo', 'cleanup']);
    expect(await call('read-journal', { run, from: 2, count: 1 })).toMatchObject({
      total: seq,
      lines: [{ number: 2 }],
    });
    expect(await call('read-journal', { run, type: 'question' })).toMatchObject({ found: 2 });
    expect(await call('verify-journal', { run })).toMatchObject({ isWhole: true, facts: seq });
    const session = details.sessions.at(-1)?.key ?? '';
    expect(await call('read-transcript', { run, key: session })).toMatchObject({ lines: expect.any(Array) as unknown });
    expect(await call('watch-transcript', { run, key: session })).toMatchObject([{ isOpen: false }]);
    const { files } = (await call('diff-run', { run })) as { files: { path: string }[] };
    const path = files[0]?.path ?? '';
    expect(await call('diff-file', { run, path })).toMatchObject({ path, text: expect.stringMatching(/^diff --git/) });
    expect(await call('describe-start', {})).toMatchObject({
      root: project.root,
      agents: expect.any(Array) as unknown,
    });
    expect(await call('report-run', { run, format: 'html' })).toMatchObject({
      text: expect.stringMatching(/^<!doctype/),
    });

    // Streams go on where somebody stopped reading.
    const facts = (await call('attach-run', { run })) as { seq: number }[];
    expect(facts.map((fact) => fact.seq)).toEqual(Array.from({ length: seq }, (_, at) => at + 1));
    const later = (await call('attach-run', { run, after: seq - 2 })) as { seq: number }[];
    expect(later.map((fact) => fact.seq)).toEqual([seq - 1, seq]);
    const logs = (await call('run-logs', { run })) as { key: string; number: number }[];
    const [first] = logs;
    const after = { [first?.key ?? '']: first?.number ?? 0 };
    expect(await call('run-logs', { run, after })).toEqual(logs.slice(1));

    expect(await call('land-run', { run, into: 'main' })).toMatchObject({ run, branch: 'main', isOpen: false });
    expect(await call('undo-run', { run })).toMatchObject({ run, left: [] });
    expect(await call('record-run', { run, file: 'recording.yaml' })).toMatchObject({ run });
    expect(await call('cleanup-run', { run, force: true })).toMatchObject({ run });
  });
});

/** Places of what is no JSON: closures, Maps, dates, undefined in lists. A property without a value is left out. */
function notJson(value: unknown, place: string): readonly string[] {
  if (value === null || typeof value === 'string' || typeof value === 'boolean') return [];
  if (typeof value === 'number') return Number.isFinite(value) ? [] : [place];
  if (Array.isArray(value)) return value.flatMap((item: unknown, at) => notJson(item, `${place}[${at}]`));
  if (typeof value !== 'object' || Object.getPrototypeOf(value) !== Object.prototype) return [place];
  return Object.entries(value).flatMap(([name, item]) => (item === undefined ? [] : notJson(item, `${place}.${name}`)));
}
