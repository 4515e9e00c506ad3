/** Runs through the server: begun by a client that leaves, followed, asked about, answered, paused, ended and read. */
import { describe, expect, it } from 'vitest';
import { makeProject, type Project, script, until } from '../cli/support.ts';
import { connect, type Connection } from './client.ts';

const requirement = 'Add a multiplication';

async function start({ call }: Connection, more: object = {}): Promise<string> {
  const told = await call('forge_run', { requirement, workflow: 'waves', ...more });
  expect(told.text).not.toContain('"error"');
  const { run, pid } = told.json() as { run: string; pid: number };
  expect(pid).toBeGreaterThan(0);
  return run;
}

const endOf = (project: Project, run: string) => project.facts(run).find((fact) => fact.type === 'run.ended');

describe('a run', () => {
  it('asks through one client, which leaves; goes on to its end for another; and can be read', async () => {
    const project = makeProject();
    const first = await connect(project);
    const run = await start(first);
    const heard: string[] = [];
    const asked = (await first.call('forge_wait', { run }, (message) => heard.push(message))).json();
    expect(asked).toMatchObject({ run, questions: [{ key: 'approve' }], timedOut: false });
    const { questions } = (await first.call('forge_questions')).json() as { questions: object[] };
    expect(questions).toMatchObject([
      { run, key: 'approve', options: [{ id: 'yes' }, { id: 'modify' }, { id: 'no' }] },
    ]);
    // Whoever is to approve it can see it, and change it.
    expect(questions).toMatchObject([
      { plan: expect.stringContaining('src/mul.js'), editablePlan: expect.stringMatching(/^ +- id: T1$/m) },
    ]);
    expect(asked).toMatchObject({ questions: [{ plan: expect.stringContaining('Multiply two numbers') }] });
    const wrong = await first.call('forge_answer', { run, option: 'perhaps' });
    expect(wrong.json()).toMatchObject({ code: 'bad-input', hint: expect.stringContaining('yes') });
    expect((await first.call('forge_answer', { run, option: 'yes' })).json()).toEqual({
      run,
      answers: [{ question: 'approve', answer: { option: 'yes' } }],
    });
    await first.close();

    const second = await connect(project);
    const ended = (await second.call('forge_wait', { until: 'end', run }, (message) => heard.push(message))).json();
    expect(ended).toMatchObject({ run, status: 'done', questions: [] });
    expect(heard.join('\n')).toMatch(/./);
    expect(project.git('rev-parse', '--verify', `forge/${run}`)).toMatch(/^[0-9a-f]{40}$/);
    expect((await second.call('forge_list')).json()).toMatchObject({ runs: [{ run, status: 'done' }] });
    expect((await second.call('forge_status', { run: run.slice(0, -1) })).json()).toMatchObject({
      run,
      status: 'done',
    });
    expect((await second.call('forge_report', { run })).text).toContain(`forge/${run}`);
    expect((await second.call('forge_report', { run, format: 'json' })).json()).toMatchObject({ run, status: 'done' });
    const logs = (await second.call('forge_logs', { phase: 'validation' })).json() as {
      runId: string;
      entries: object[];
    };
    expect(logs.runId).toBe(run);
    expect(logs.entries).toContainEqual(expect.objectContaining({ event: 'effect.finished', severity: 'info' }));
    expect((await second.call('session_state', { action: 'list' })).json()).toMatchObject({
      sessions: [{ runId: run, currentPhase: 'done', completedCount: 1, totalCount: 1 }],
    });

    const { resources } = await second.client.listResources();
    const plan = resources.find((resource) => resource.name.endsWith('-plan.md'));
    expect(plan).toMatchObject({
      mimeType: 'text/markdown',
      uri: `forge://runs/${run}/documents/add-multiplication-plan.md`,
    });
    const { contents } = await second.client.readResource({ uri: plan?.uri ?? '' });
    expect(contents).toMatchObject([{ uri: plan?.uri, text: expect.stringContaining('Multiply two numbers') }]);
    const made = resources.filter((resource) => ['plan.txt', 'report.md', 'findings.sarif'].includes(resource.name));
    const texts = await Promise.all(made.map(({ uri }) => second.client.readResource({ uri })));
    expect(texts.map((one) => one.contents)).toMatchObject([
      [{ mimeType: 'text/plain', text: expect.stringContaining('src/mul.js') }],
      [{ mimeType: 'text/markdown', text: expect.stringContaining(`forge/${run}`) }],
      [{ mimeType: 'application/json', text: expect.stringContaining('"version": "2.1.0"') }],
    ]);
    expect((await second.call('forge_pause', { run })).json()).toMatchObject({
      hint: expect.stringContaining(`forge show ${run}`),
    });
    const { resourceTemplates } = await second.client.listResourceTemplates();
    expect(resourceTemplates.map((template) => template.uriTemplate)).toEqual(['forge://runs/{run}/documents/{name}']);
    for (const uri of [
      `forge://runs/${run}/documents/..%2Fjournal.jsonl`,
      `forge://runs/${run}/documents/none.md`,
      'forge://runs/../documents/x',
      'forge://else',
      'file:///etc/passwd',
    ]) {
      await expect(second.client.readResource({ uri })).rejects.toThrow();
    }
  });

  it('goes on although its client vanished while it was at work, and tells what happens', async () => {
    const slow = [{ sleep: '2s' }, { say: 'Writing mul' }];
    const project = makeProject({ script: slowly(slow) });
    const first = await connect(project);
    const run = await start(first, { yes: true });
    await until(() => project.facts(run).some((fact) => fact.key === 'W1/develop#1'), 'the developer');
    const heard: string[] = [];
    // It leaves in the middle of a call, without a word.
    void first.call('forge_wait', { run }, (message) => heard.push(message)).catch(() => undefined);
    await first.close();
    await until(() => endOf(project, run), 'the end of the run');
    const second = await connect(project);
    expect((await second.call('forge_wait', { run })).json()).toMatchObject({ status: 'done', timedOut: false });
  });

  it('tells what happens while somebody waits, and is paused, resumed and ended', async () => {
    const project = makeProject({ script: slowly([{ sleep: '600s' }]) });
    const { call } = await connect(project);
    const run = await start(await connect(project), { yes: true });
    const heard: string[] = [];
    const waiting = call('forge_wait', { run, until: 'end' }, (message) => heard.push(message));
    // Not before: the plan names its waves too, and its question is open for a moment.
    await until(() => heard.some((line) => line.includes('› developer: developing')), 'news of the developer');
    expect((await call('forge_wait', { run, timeoutSeconds: 0.2 })).json()).toMatchObject({
      status: 'running',
      timedOut: true,
    });
    expect((await call('forge_pause', { run })).json()).toMatchObject({ run, status: 'paused' });
    expect((await waiting).json()).toMatchObject({ status: 'paused' });
    expect((await call('forge_pause', { run })).json()).toMatchObject({ code: 'bad-input', hint: expect.any(String) });
    expect((await call('forge_resume', { run })).json()).toMatchObject({ run });
    // The same request goes on with what it began.
    expect((await call('forge_cancel', { run, reason: 'enough' })).json()).toMatchObject({ run, status: 'cancelled' });
    expect((await call('forge_status', { run })).json()).toMatchObject({ status: 'cancelled', reason: 'enough' });
    expect((await call('forge_resume', { run })).json()).toMatchObject({ code: 'bad-input' });
  });
});

/** A script in which the developer takes its time first. */
function slowly(first: readonly object[]): readonly object[] {
  return script().map((entry) => {
    const { when, do: steps } = entry as { when: { role: string }; do: readonly object[] };
    return when.role === 'developer' ? { when, do: [...first, ...steps] } : entry;
  });
}
