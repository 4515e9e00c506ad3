/**
 * The plugin in the real Claude Code, against a model that says what a script says: it is valid, its commands lead to the
 * tools of the server, what these answer reaches the model, and what acts is not done without the person.
 */
import { afterEach, describe, expect, it } from 'vitest';
import { parse } from 'yaml';
import { makeProject, type Project, until } from '../cli/support.ts';
import type { Answer, Script } from '../clients/model-server/script.ts';
import { type ModelServer, startModelServer } from '../clients/model-server/server.ts';
import { converse, pluginFolder, processesOf, runClaude } from './claude-session.ts';
import { script } from './modules-script.ts';

const tool = (name: string): string => `mcp__plugin_forge_forge__${name}`;
/** The client keeps the tools of servers back until the model asks for them. */
const load = (...names: string[]): Answer => ({
  calls: [{ tool: 'ToolSearch', args: { query: `select:${names.map(tool).join(',')}`, max_results: 20 } }],
});
const use = (name: string, args: Record<string, unknown> = {}): Answer => ({ calls: [{ tool: tool(name), args }] });
const say = (text: string): Answer => ({ text });
const command = (name: string, answers: readonly Answer[]): Script => [
  { name, now: `<command-name>/forge:${name}</command-name>`, answers: [...answers] },
];
const requirement = 'Add a multiplication';

let project: Project;
let model: ModelServer | undefined;
const open = async (rules: Script): Promise<ModelServer> => {
  model = await startModelServer(rules);
  return model;
};

afterEach(async () => {
  await model?.close();
  model = undefined;
  await until(() => processesOf(project).length === 0, `the end of ${processesOf(project).join(', ')}`);
});

describe('the plugin', () => {
  it('is valid for the pinned client, strictly', async () => {
    project = makeProject();
    expect(await runClaude(project, ['--version'])).toMatchObject({ code: 0, stdout: '2.1.312 (Claude Code)\n' });
    const { code, stdout } = await runClaude(project, ['plugin', 'validate', '--strict', '--json', pluginFolder]);
    const { success, strict, manifest, contents } = JSON.parse(stdout) as Record<string, unknown>;
    expect({ code, success, strict, contents }).toEqual({ code: 0, success: true, strict: true, contents: [] });
    expect(manifest).toMatchObject({ type: 'plugin', errors: [], warnings: [] });
  });
});

describe('/forge-status', () => {
  it('asks the server, and the answer reaches the model', async () => {
    project = makeProject({ script });
    await project.forge('run', requirement, '--workflow', 'modules', '--plan-only', '--yes');
    const [run = ''] = project.runs();
    const server = await open(
      command('forge-status', [
        load('forge_list', 'forge_status'),
        use('forge_list'),
        use('forge_status'),
        say('Shown.'),
      ]),
    );
    const { servers, commands, agents, used, result } = await converse(project, {
      model: server,
      prompt: '/forge-status',
    });
    expect(servers).toMatchObject([{ name: 'plugin:forge:forge', status: 'connected' }]);
    expect(commands).toEqual(expect.arrayContaining(['forge:forge', 'forge:forge-status', 'forge:forge-resume']));
    expect(agents).toEqual(expect.arrayContaining(['forge:architect', 'forge:worker', 'forge:auditor']));
    expect(result).toEqual({ text: 'Shown.', failed: false, denials: [] });
    const [, list, status] = used;
    expect(list).toMatchObject({ tool: tool('forge_list'), failed: false });
    expect(status).toMatchObject({ tool: tool('forge_status'), failed: false });
    expect(parse(status?.text ?? '')).toMatchObject({ run, status: 'waiting', questions: [{ key: 'approve' }] });
    // The client adds remarks of its own to what the server said.
    const told = server.calls.at(-1)?.request.turns.filter(({ role }) => role === 'tool') ?? [];
    const heard = told.slice(-2).map(({ text }) => text.replace(/\s*<system-reminder>.*/s, ''));
    expect(heard).toEqual([list?.text, status?.text]);
    expect(server.calls.flatMap(({ problem }) => problem ?? [])).toEqual([]);
  });
});

describe('/forge', () => {
  it('begins a run, brings its question, and ends with a branch', async () => {
    project = makeProject({ script });
    const server = await open(
      command('forge', [
        load('forge_list', 'forge_run', 'forge_wait', 'forge_answer', 'forge_report'),
        use('forge_list'),
        use('forge_run', { requirement, workflow: 'modules' }),
        use('forge_wait', { timeoutSeconds: 600 }),
        use('forge_answer', { option: 'yes' }),
        use('forge_wait', { timeoutSeconds: 600 }),
        use('forge_report'),
        say('There is a branch.'),
      ]),
    );
    const { used, result } = await converse(project, {
      model: server,
      prompt: `/forge ${requirement}`,
      allowed: [tool('forge_run'), tool('forge_answer')],
    });
    expect(used.filter(({ failed }) => failed)).toEqual([]);
    expect(result).toEqual({ text: 'There is a branch.', failed: false, denials: [] });
    const [run = ''] = project.runs();
    const [, listed, begun, asked, , over, report] = used.map(({ text }) => text);
    expect(parse(listed ?? '')).toEqual({ runs: [] });
    expect(parse(begun ?? '')).toMatchObject({ run, status: 'started' });
    expect(parse(asked ?? '')).toMatchObject({ run, questions: [{ key: 'approve' }], timedOut: false });
    expect(parse(over ?? '')).toMatchObject({
      run,
      status: 'done',
      output: { outcomes: [{ task: 'm1', status: 'done' }] },
    });
    expect(report).toContain(`forge/${run}`);
    expect(project.git('show', `forge/${run}:src/mul.js`)).toBe('export const mul = (a, b) => a * b;');
    expect(server.calls.flatMap(({ problem }) => problem ?? [])).toEqual([]);
  });

  it('does not begin or answer without the person', async () => {
    project = makeProject({ script });
    const server = await open(
      command('forge', [
        load('forge_run', 'forge_answer'),
        use('forge_run', { requirement, yes: true }),
        say('Refused.'),
      ]),
    );
    const { used, result } = await converse(project, { model: server, prompt: `/forge ${requirement}` });
    expect(used.at(-1)).toMatchObject({ tool: tool('forge_run'), failed: true });
    expect(result.denials).toMatchObject([{ tool_name: tool('forge_run') }]);
    expect(project.runs()).toEqual([]);
  });
});

describe('/forge-resume', () => {
  it('answers a run that another client left, which goes on after this one has left too', async () => {
    project = makeProject({ script });
    // Without a terminal it leaves its question and ends.
    await project.forge('run', requirement, '--workflow', 'modules');
    const [run = ''] = project.runs();
    const server = await open(
      command('forge-resume', [
        load('forge_questions', 'forge_answer'),
        use('forge_questions', { run }),
        use('forge_answer', { run, question: 'approve', option: 'yes' }),
        say('It goes on.'),
      ]),
    );
    const { used } = await converse(project, {
      model: server,
      prompt: `/forge-resume ${run}`,
      allowed: [tool('forge_answer')],
    });
    expect(parse(used[1]?.text ?? '')).toMatchObject({ questions: [{ run, key: 'approve' }] });
    expect(parse(used[2]?.text ?? '')).toMatchObject({ run, answers: [{ question: 'approve' }] });
    await until(() => project.facts(run).some(({ type }) => type === 'run.ended'), 'the end of the run');
    expect(project.git('show', `forge/${run}:src/mul.js`)).toBe('export const mul = (a, b) => a * b;');
  });
});
