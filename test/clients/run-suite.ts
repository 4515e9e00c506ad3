/**
 * Whole runs through the real binary with a real client in every role: a red check that goes back to the session that
 * caused it, and a kill of Forge itself in the middle of a job. What the run says it used is what the model told; nothing
 * is left running, and the provider's key is in no file.
 */
import { readdirSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { stringify } from 'yaml';
import { afterEach, describe, expect, it } from 'vitest';
import { makeProject, plan, type Project, until } from '../cli/support.ts';
import { models, processesOf, providerKey } from './client-bench.ts';
import { type ClientName, findClient } from './install.ts';
import type { Answer, Script } from './model-server/script.ts';
import { type ModelServer, startModelServer } from './model-server/server.ts';

const wrong = 'export const mul = (a, b) => a + b;\n';
const right = 'export const mul = (a, b) => a * b;\n';
const test =
  "import assert from 'node:assert';\nimport test from 'node:test';\nimport { mul } from '../src/mul.js';\ntest('mul', () => assert.equal(mul(2, 3), 6));\n";
const handedIn = { status: 'success', summary: 'Added mul', handoff: { filesModified: ['src/mul.js'] } };
const end = { text: 'That is all.' };
const submit = (result: Record<string, unknown>): Answer => ({ calls: [{ submit: result }] });

function everyRole(implement: readonly Answer[]): Script {
  return [
    { name: 'planner', now: '# Planner', answers: [submit(plan), end] },
    {
      name: 'fix',
      now: ['# Developer', 'Mode: bug fix'],
      answers: [
        { calls: [{ edit: { path: 'src/mul.js', from: wrong.trimEnd(), to: right.trimEnd() } }] },
        submit(handedIn),
        end,
      ],
    },
    { name: 'developer', now: '# Developer', answers: [...implement, end] },
    { name: 'tester', now: '# Tester', answers: [submit({ result: 'pass', unit: { passed: 2, total: 2 } }), end] },
    { name: 'learner', now: '# Learner', answers: [submit({ lessons: [] }), end] },
  ];
}

export function describeRuns(name: ClientName): void {
  let model: ModelServer;
  let project: Project;
  const open = async (script: Script) => {
    model = await startModelServer(script);
    const worker = { driver: 'acp', agent: name, model: models[name], baseUrl: model.url, key: 'MODEL_KEY' };
    project = makeProject({
      config: stringify({ agents: { worker }, checks: { run: ['node --test'], timeout: 600 } }),
      env: { PATH: `${findClient(name)}:${process.env['PATH'] ?? ''}`, MODEL_KEY: providerKey },
    });
    // A key, and where it goes, are the person's to allow.
    expect(await project.forge('trust', '--yes')).toMatchObject({ code: 0 });
  };
  describe(`${name}, a whole run`, { timeout: 900_000 }, () => {
    afterEach(async () => {
      const left = project.runs().flatMap(processesOf);
      await model.close();
      expect(left).toEqual([]);
    });

    it('mends a red check in the same session', async () => {
      const files = [
        { write: { path: 'src/mul.js', content: wrong } },
        { write: { path: 'test/mul.test.js', content: test } },
      ];
      const twice = [submit({ status: 'finished', summary: 'no such status' }), submit(handedIn)];
      await open(everyRole([...files.map((call) => ({ calls: [call] })), ...twice]));
      const { code, stderr, stdout } = await project.forge('run', 'Add a multiplication', '--yes', '--json');
      expect({ code, stderr }, stdout.slice(-4000)).toEqual({ code: 0, stderr: '' });
      const [run = ''] = project.runs();
      expect(project.git('show', `forge/${run}:src/mul.js`)).toBe(right.trimEnd());
      expect(model.calls.flatMap(({ problem }) => problem ?? [])).toEqual([]);
      expect(JSON.stringify(model.calls.find(({ rule }) => rule === 'fix')?.request.turns)).toContain(
        'Mode: implement',
      );
      expect(roles(model)).toEqual(['planner', 'developer', 'tester', 'fix', 'tester', 'learner']);
      expect(model.calls.map(({ key }) => key)).toEqual(model.calls.map(() => providerKey));
      const { inputTokens, outputTokens } = model.tally();
      expect(spent(project, run)).toEqual({ inputTokens, outputTokens });
      expect(filesWith(dirname(project.root), providerKey)).toEqual([]);
    });

    it('goes on in the same session after Forge was killed', async () => {
      const whole = { calls: [{ write: { path: 'src/mul.js', content: right } }] };
      const tests = { calls: [{ write: { path: 'test/mul.test.js', content: test } }] };
      const silent = { text: 'thinking about it', silence: 'within' } as const;
      await open(everyRole([whole, { tries: [silent, tests] }, submit(handedIn)]));
      const started = project.start(['run', 'Add a multiplication', '--yes', '--json']);
      await Promise.race([
        model.until((calls) => calls.some(({ state }) => state === 'silent')),
        started.ended.then(({ stderr }) => Promise.reject(new Error(`it ended too early: ${stderr}`))),
      ]);
      const [run = ''] = project.runs();
      expect(processesOf(run)).not.toEqual([]);
      started.child.kill('SIGKILL');
      await started.ended;
      await until(() => processesOf(run).length === 0, 'the end of the agent that Forge left');

      const { code, stderr, stdout } = await project.forge('resume', run, '--yes', '--json');
      expect({ code, stderr }, stdout.slice(-4000)).toEqual({ code: 0, stderr: '' });
      expect(project.git('show', `forge/${run}:src/mul.js`)).toBe(right.trimEnd());
      const developer = model.calls.filter(({ rule }) => rule === 'developer');
      expect(developer.at(-1)?.prompts).toBe(2);
      expect(roles(model)).toEqual(['planner', 'developer', 'tester', 'learner']);
    });
  });
}

/** Who asked the model, in order, each once per turn of theirs. */
function roles({ calls }: ModelServer): readonly string[] {
  const asked = calls.flatMap(({ rule }) => rule ?? []);
  return asked.filter((rule, at) => asked[at - 1] !== rule);
}

/** The sum of what every job of the run is recorded to have used. */
function spent(project: Project, run: string): { inputTokens: number; outputTokens: number } {
  const lines = readFileSync(join(project.directory(run), 'journal.jsonl'), 'utf8')
    .trimEnd()
    .split('\n');
  const used = lines.flatMap((line) => {
    const { type, data } = JSON.parse(line) as {
      type: string;
      data: { output?: { outcome?: { usage?: { inputTokens: number; outputTokens: number } } } };
    };
    return type === 'effect.finished' ? (data.output?.outcome?.usage ?? []) : [];
  });
  return {
    inputTokens: used.reduce((sum, usage) => sum + usage.inputTokens, 0),
    outputTokens: used.reduce((sum, usage) => sum + usage.outputTokens, 0),
  };
}

function filesWith(directory: string, text: string): readonly string[] {
  return readdirSync(directory, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name))
    .filter((path) => readFileSync(path).includes(text));
}
