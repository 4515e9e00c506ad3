/**
 * Planners that name checks which prove nothing, workflows that publish what nobody checked, and machines on which checks
 * cannot start: whole runs of the workflows that come with Forge, with agents that all say that everything is fine.
 */
import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { afterEach, describe, expect, it } from 'vitest';
import { openForge } from '../../src/compose.ts';
import type { Workflow } from '../../src/engine/bench.ts';
import { type CheckReport, checkReportSchema } from '../../src/policy/check-report.ts';
import { settingsSchema } from '../../src/policy/settings.ts';
import { moduleRoles } from '../../src/workflows/modules/roles.ts';
import { fingerprint, makeRepo, scratch, type TestRepo } from '../git/support.ts';

const files = {
  'package.json': `${JSON.stringify({ name: 'sample', type: 'module', scripts: { test: 'node --test' } })}\n`,
  'src/sum.js': 'export const sum = (a, b) => a + b;\n',
  'test/sum.test.js':
    "import assert from 'node:assert';\nimport test from 'node:test';\nimport { sum } from '../src/sum.js';\ntest('adds', () => assert.equal(sum(1, 2), 3));\n",
};
const wrong = { write: { path: 'src/sum.js', content: 'export const sum = () => 42;\n' } };
const right = { write: { path: 'src/sum.js', content: 'export const sum = (one, two) => one + two;\n' } };

const task = (verify: readonly string[]) => ({
  id: 'T1',
  title: 'Sum faster',
  objective: 'Make sum faster.',
  kind: 'refactor',
  complexity: 'S',
  depends: [],
  writes: ['src/sum.js'],
  verify,
  doneWhen: 'sum is faster',
});

/** Everybody is content, whatever was done. */
function script(verify: readonly string[], work: object): readonly object[] {
  const overview = { techStack: 'Node.js', architecture: 'one', businessLogic: 'sums', keyDecisions: [] };
  const always = (role: string, ...steps: readonly object[]) => ({ when: { role }, repeat: true, do: steps });
  return [
    always('planner', { reply: { overview, tasks: [task(verify)], waves: [['T1']] } }),
    always('architect', { reply: { tasks: [task(verify)] } }),
    always('developer', work, { reply: { status: 'success', summary: 'Done', handoff: {} } }),
    always('worker', work, { reply: { status: 'done', summary: 'Done' } }),
    always('debugger', work, { reply: { status: 'done', summary: 'Done', rootCause: 'none' } }),
    always('tester', { reply: { result: 'pass', unit: { passed: 1, total: 1 }, summary: 'All good' } }),
    always('overseer', { reply: { classification: 'stuck', evidence: 'none' } }),
    always('reviewer', { reply: { findings: [] } }),
    always('auditor', { reply: { findings: [] } }),
    always('learner', { reply: { lessons: [] } }),
  ];
}

interface Play {
  readonly workflow: 'waves' | 'modules' | 'careless';
  readonly verify?: readonly string[];
  readonly work?: object;
  readonly checks?: readonly string[];
  readonly files?: Readonly<Record<string, string>>;
  readonly answers?: Readonly<Record<string, string>>;
}

const roles = ['planner', 'developer', 'tester', 'learner'];

/** Publishes the first thing that an agent leaves. */
const careless: Workflow = {
  name: 'careless',
  version: 1,
  async run(bench) {
    const { commit } = await bench.perform('agent.run', 'T1/develop#1', {
      agent: 'worker',
      role: 'developer',
      attempt: 1,
      workspace: 'T1',
      commit: bench.run.base,
      prompt: 'Go.',
    });
    await bench.perform('branch.publish', 'publish', { commit });
    return { status: 'done' };
  },
};

async function open(repo: TestRepo, settings: object) {
  return openForge({
    cwd: repo.root,
    dataDir: repo.dataDir,
    workflows: [careless],
    settings: settingsSchema.parse(settings),
  });
}

async function play(how: Play) {
  const repo = makeRepo({ name: 'repo', files: how.files ?? files });
  const place = join(dirname(repo.root), 'script.json');
  writeFileSync(place, JSON.stringify(script(how.verify ?? ['true'], how.work ?? wrong)));
  const settings = {
    agents: { worker: { driver: 'scripted', script: place } },
    checks: { run: how.checks ?? [], timeout: 600 },
  };
  const before = fingerprint(repo);
  const { engine, repo: opened } = await open(repo, settings);
  const played = (names: readonly string[]) => Object.fromEntries(names.map((role) => [role, 'worker']));
  const common = { requirement: 'Faster sums', slug: 'faster-sums', checks: how.checks ?? [] };
  const input = {
    careless: {},
    waves: { ...common, agents: played(roles) },
    modules: { ...common, agents: played(Object.keys(moduleRoles)) },
  }[how.workflow];
  const handle = await engine.start(
    { run: 'plans', title: 'Plans', workflow: how.workflow, base: opened.head, root: repo.root, input, settings },
    {
      onFact: (fact) => {
        if (fact.type !== 'question.asked') return;
        const wanted = how.answers?.[fact.key] ?? (fact.key.startsWith('approve') ? 'yes' : 'refuse');
        void engine.signal('plans', { type: 'answer', key: fact.key, answer: { option: wanted } });
      },
    },
  );
  const end = await handle.ended;
  const { state } = handle;
  const reports = new Map(
    [...state.effects].flatMap(([key, { kind, result }]): [string, CheckReport][] =>
      kind === 'check.run' && result !== undefined ? [[key, checkReportSchema.parse(result.output)]] : [],
    ),
  );
  const kept = Object.entries(fingerprint(repo)).filter(
    ([path]) => !/^\.forge\/|^refs$|^logs\/refs\/heads\/forge/.test(path),
  );
  const was = Object.entries(before).filter(([path]) => !/^\.forge\/|^refs$|^logs\/refs\/heads\/forge/.test(path));
  expect(Object.fromEntries(kept)).toEqual(Object.fromEntries(was));
  return { end, state, reports, repo };
}

describe('a plan that checks nothing', () => {
  it.concurrent.each(['waves', 'modules'] as const)(
    'does not get wrong code through %s',
    { timeout: 600_000 },
    async (workflow) => {
      const { end, state, reports } = await play({ workflow, verify: ['true', 'node --version'] });
      expect([end.status, state.receipts]).toEqual(['failed', []]);
      expect(JSON.stringify(state.output)).not.toContain('"release":"clear"');
      // The base was looked at before anybody was asked for a plan.
      const [first] = state.effects.keys();
      expect([first, reports.get('baseline')?.status]).toEqual(['baseline', 'passed']);
      const approval = [...state.questions].find(([key]) => key.startsWith('approve'))?.[1].question.detail;
      expect(approval).toContain('npm run test (on the base: 1 test passes)');
      expect(approval).toContain('node --version (added by the plan)');
    },
  );

  it.concurrent.each(['waves', 'modules'] as const)(
    'lets right code through %s, checked as it is published',
    { timeout: 600_000 },
    async (workflow) => {
      const { end, state, reports } = await play({ workflow, work: right });
      expect([end.status, state.receipts.length]).toEqual(['done', 1]);
      const final = reports.get('final/check');
      expect(final).toMatchObject({ commit: state.integration, status: 'passed' });
      expect(final?.commands.map(({ label, origin, cached }) => [label, origin, cached])).toEqual([
        ['npm run test', 'discovery', true],
        ['true', 'plan', true],
      ]);
    },
  );

  it.concurrent('is told about where the project has no checks either', async () => {
    const { end, state } = await play({ workflow: 'waves', files: { 'src/sum.js': files['src/sum.js'] }, work: right });
    expect([end.status, state.receipts]).toEqual(['failed', []]);
    expect(state.questions.get('approve')?.question.detail).toContain('This project has no checks of its own.');
    expect(end.reason).toContain('unverified');
  });
});

it('a workflow that publishes what nobody checked is stopped', async () => {
  const { end } = await play({ workflow: 'careless' });
  expect([end.status, end.reason]).toEqual(['stopped', expect.stringMatching(/is not what the run merged/)]);
});

describe('checks that the jail hides', () => {
  const path = process.env['PATH'];
  const home = process.env['HOME'];
  afterEach(() => void Object.assign(process.env, { PATH: path, HOME: home }));

  const hidden = () => {
    const place = scratch('home');
    const shims = join(place, '.asdf/shims');
    mkdirSync(shims, { recursive: true });
    writeFileSync(join(shims, 'hidden-runner'), '#!/bin/sh\nexec node --test\n', { mode: 0o755 });
    process.env['HOME'] = place;
    process.env['PATH'] = `${path}:${shims}`;
    return join(place, '.asdf');
  };

  it('are shown to the run by one answer, before a plan is paid for', async () => {
    const root = hidden();
    const { end, state, reports } = await play({
      workflow: 'waves',
      work: right,
      checks: ['hidden-runner'],
      answers: { 'baseline/machine': 'show' },
    });
    expect(end.status).toBe('done');
    expect(reports.get('baseline')?.hidden?.map(({ readable }) => readable)).toEqual([[root]]);
    expect([reports.get('baseline#2')?.status, reports.get('final/check')?.status]).toEqual(['passed', 'passed']);
    expect(state.questions.get('baseline/machine')?.question.detail).toContain(`jail: { readable: ["${root}"] }`);
  });

  it('stop a run that may not see them, and it goes on once the settings show them', async () => {
    const root = hidden();
    const { end, state, repo } = await play({
      workflow: 'waves',
      work: right,
      checks: ['hidden-runner'],
      answers: { 'baseline/machine': 'stop' },
    });
    expect([end.status, state.code, [...state.effects.values()].some(({ kind }) => kind === 'agent.run')]).toEqual([
      'stopped',
      'checks-cannot-start',
      false,
    ]);
    const place = join(dirname(repo.root), 'script.json');
    const settings = {
      agents: { worker: { driver: 'scripted', script: place } },
      checks: { run: ['hidden-runner'], timeout: 600 },
      jail: { readable: [root] },
    };
    const { engine } = await open(repo, settings);
    const handle = await engine.resume('plans', {
      onFact: (fact) => {
        if (fact.type === 'question.asked')
          void engine.signal('plans', { type: 'answer', key: fact.key, answer: { option: 'yes' } });
      },
    });
    expect((await handle.ended).status).toBe('done');
  });
});
