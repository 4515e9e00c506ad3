/**
 * A repository's own workflow that wants to publish what no honest check saw: each leaves out, forges or goes around one
 * thing, in a real run with a real repository, checks in the jail, and an agent that writes what is wrong. The engine
 * refuses, whatever the workflow says, and no branch and no tag holds the work.
 */
import { writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { openForge } from '../../src/compose.ts';
import type { Bench } from '../../src/engine/bench.ts';
import type { EffectInput, EffectOutput } from '../../src/engine/effect-map.ts';
import { taskSchema } from '../../src/plan/plan.ts';
import { scopeSettingsSchema } from '../../src/policy/receipt.ts';
import { settingsSchema } from '../../src/policy/settings.ts';
import { integrate } from '../../src/workflows/moves/integrate.ts';
import { publishResult } from '../../src/workflows/moves/publish-result.ts';
import { readyChecks } from '../../src/workflows/moves/ready-checks.ts';
import { verify } from '../../src/workflows/moves/verify.ts';
import { fingerprint, makeRepo } from '../git/support.ts';

const testOf = (expected: number): string =>
  `import assert from 'node:assert';\nimport test from 'node:test';\nimport { sum } from '../src/sum.js';\ntest('adds', () => assert.equal(sum(1, 2), ${expected}));\n`;
const manifest = (script: string): string =>
  `${JSON.stringify({ name: 'sample', type: 'module', scripts: { test: script } })}\n`;
const files = {
  'package.json': manifest('node --test'),
  'src/sum.js': 'export const sum = (a, b) => a + b;\n',
  'test/sum.test.js': testOf(3),
};
const wrong = { write: { path: 'src/sum.js', content: 'export const sum = () => 42;\n' } };
const right = { write: { path: 'src/sum.js', content: 'export const sum = (one, two) => one + two; // 42\n' } };
const selfJudging = { write: { path: 'package.json', content: manifest('exit 0') } };
const weakened = { write: { path: 'test/sum.test.js', content: testOf(42) } };
const hook = { write: { path: '.husky/pre-commit', content: 'echo 42\n' } };

const task = taskSchema.parse({ id: 'T1', title: 'Sum faster', writes: ['**'] });
const own = { source: 'discovery' as const, entries: [] };

type Check = Partial<EffectInput<'check.run'>>;
type Ready = Extract<EffectOutput<'merge.prepare'>, { status: 'ready' }>;

/** What a workflow has at hand, with everything it may do wrong. */
function tools(bench: Bench) {
  const { base } = bench.run;
  let number = 0;
  const check = (commit: string, more: Check = {}, key = `check#${(number += 1)}`) =>
    bench.perform('check.run', key, { commit, judge: base, ...own, ...more });
  const work = async (attempt = 1, from = base) => {
    const asked = { agent: 'worker', role: 'developer', task: 'T1', attempt, workspace: 'T1', prompt: 'Go.' };
    return (await bench.perform('agent.run', `work#${attempt}`, { ...asked, commit: from })).commit;
  };
  const compare = (commit: string, more: Partial<EffectInput<'evidence.measure'>> = {}) => {
    number += 1;
    const asked = { task: 'T1', kind: 'refactor', base, commit, judge: base, ...own } as const;
    return bench.perform('evidence.measure', `compare#${number}`, { ...asked, ...more });
  };
  const prepare = async (commit: string, from = base): Promise<Ready> => {
    number += 1;
    const asked = { task: 'T1', base: from, commit, title: 'work' };
    const prepared = await bench.perform('merge.prepare', `prepare#${number}`, asked);
    if (prepared.status !== 'ready') throw new Error(prepared.status);
    return prepared;
  };
  const land = (source: string, prepared: Ready, more: Partial<EffectInput<'merge.land'>> = {}) => {
    const { commit, before, changes: changed } = prepared;
    const asked = { task: 'T1', commit, before, base, source, changed, declared: ['**'] };
    return bench.perform('merge.land', 'land', { ...asked, flags: [], leftBehind: [], checks: [], ...more });
  };
  const publish = (commit: string) => bench.perform('branch.publish', 'publish', { commit });
  return { base, bench, check, work, compare, prepare, land, publish };
}

type Tools = ReturnType<typeof tools>;

/** Everything in order but for what is given. */
async function merge(
  { base, check, work, compare, prepare, land, publish }: Tools,
  how: {
    readonly skip?: 'base' | 'check' | 'compare';
    readonly checked?: Check;
    readonly compared?: Partial<EffectInput<'evidence.measure'>>;
    readonly landed?: Partial<EffectInput<'merge.land'>>;
  } = {},
): Promise<void> {
  if (how.skip !== 'base') await check(base, {}, 'baseline');
  const commit = await work();
  const prepared = await prepare(commit);
  const itself = how.checked?.judge === 'itself' ? { judge: prepared.commit } : {};
  if (how.skip !== 'check') await check(prepared.commit, { ...how.checked, ...itself });
  if (how.skip !== 'compare') await compare(commit, how.compared);
  await land(commit, prepared, how.landed);
  await check(prepared.commit);
  await publish(prepared.commit);
}

interface Attack {
  readonly work?: readonly (readonly object[])[];
  readonly says: RegExp;
  readonly run: (tools: Tools) => Promise<unknown>;
}

async function play({ work = [[wrong]], run }: Pick<Attack, 'work' | 'run'>) {
  const repo = makeRepo({ name: 'repo', files });
  const script = join(dirname(repo.root), 'script.json');
  const rounds = work.map((steps) => ({ do: [...steps, { reply: { status: 'success' } }] }));
  writeFileSync(script, JSON.stringify(rounds));
  const settings = { agents: { worker: { driver: 'scripted', script } } };
  const before = fingerprint(repo);
  const { engine, repo: opened } = await openForge({
    cwd: repo.root,
    dataDir: repo.dataDir,
    workflows: [
      {
        name: 'own',
        version: 1,
        async run(bench) {
          await run(tools(bench));
          return { status: 'done' };
        },
      },
    ],
    settings: settingsSchema.parse(settings),
  });
  const handle = await engine.start(
    { run: 'own', title: 'Own', workflow: 'own', base: opened.head, root: repo.root, input: {}, settings },
    {
      onFact: (fact) => {
        if (fact.type === 'question.asked')
          void engine.signal('own', { type: 'answer', key: fact.key, answer: { option: 'accept' } });
      },
    },
  );
  const end = await handle.ended;
  const visible = repo.git('for-each-ref', '--format=%(refname)', 'refs/heads', 'refs/tags').split('\n');
  const treeOf = (name: string): string => repo.git('rev-parse', `${name}^{tree}`);
  const holders = visible.filter((ref) => treeOf(ref) !== treeOf(opened.head));
  return { end, state: handle.state, holders, unchanged: main(before) === main(fingerprint(repo)) };
}

function main(found: Readonly<Record<string, string>>): string {
  return JSON.stringify(
    Object.entries(found).filter(([path]) => !/^\.forge\/|^refs$|^logs\/refs\/heads\/forge/.test(path)),
  );
}

const attacks: Readonly<Record<string, Attack>> = {
  "publishes an agent's commit": {
    says: /is not what the run merged/,
    run: async ({ work, publish }) => publish(await work()),
  },
  'publishes what was checked and never merged': {
    work: [[right]],
    says: /is not what the run merged/,
    run: async ({ base, check, work, publish }) => {
      await check(base);
      const commit = await work();
      await check(commit);
      await publish(commit);
    },
  },
  "tags an agent's commit": {
    says: /is not what the run merged/,
    run: async ({ bench, work }) =>
      bench.perform('tag.create', 'tag', { name: 'v1', commit: await work(), message: 'done' }),
  },
  "moves the user's branch itself": {
    says: /only when you land the run/,
    run: async ({ base, bench, work }) =>
      bench.perform('branch.land', 'land', { branch: 'main', commit: await work(), before: base }),
  },
  'merges what was never checked': {
    says: /did not run on the merged tree/,
    run: (at) => merge(at, { skip: 'check' }),
  },
  'merges without a look at the base': {
    work: [[right]],
    says: /on the base/,
    run: (at) => merge(at, { skip: 'base' }),
  },
  'merges without comparing tests': {
    work: [[right]],
    says: /were not compared/,
    run: (at) => merge(at, { skip: 'compare' }),
  },
  'checks with a command that cannot fail, and nothing else': {
    says: /did not run on the merged tree/,
    run: (at) => merge(at, { checked: { source: 'plan', entries: ['true'], part: 'plan' } }),
  },
  'checks only what a plan adds': {
    says: /did not run on the merged tree/,
    run: (at) => merge(at, { checked: { source: 'plan', entries: ['true'], part: 'added' } }),
  },
  'merges what the checks are red on': { says: /the checks fail on the merged tree/, run: (at) => merge(at) },
  'lets the commit judge itself': {
    work: [[wrong, selfJudging]],
    says: /did not run on the merged tree/,
    run: (at) => merge(at, { checked: { judge: 'itself' } }),
  },
  'says that its judge was accepted': {
    work: [[wrong, selfJudging]],
    says: /nobody accepted the scripts/,
    run: (at) =>
      merge(at, { landed: { flags: [{ path: 'package.json', case: 'judge', action: 'allow', reason: '' }] } }),
  },
  'asks about something else and takes the yes for it': {
    work: [[wrong, selfJudging]],
    says: /did not run on the merged tree/,
    run: async (at) => {
      await at.bench.ask('fruit', {
        title: 'Do you like apples?',
        detail: 'Green ones.',
        options: [{ id: 'accept', label: 'Yes' }],
        topic: 'check-changed',
      });
      await merge(at, { checked: { judge: 'itself' } });
    },
  },
  'asks about a file with a longer name and takes the yes for it': {
    work: [[wrong, weakened]],
    says: /nobody decided about test\/sum\.test\.js/,
    run: async (at) => {
      await at.bench.ask('longer', {
        title: 'New examples',
        detail: 'old/test/sum.test.js: an old copy\ntest/sum.test.js.md: a document about test/sum.test.js',
        options: [{ id: 'accept', label: 'Yes' }],
        topic: 'weakened',
      });
      await merge(at);
    },
  },
  'excuses its failures by those of its own commit': {
    says: /did not run on the merged tree/,
    run: async (at) => {
      const commit = await at.work();
      await at.check(at.base, {}, 'baseline');
      await at.check(commit, {}, 'excuse');
      const prepared = await at.prepare(commit);
      await at.check(prepared.commit, { baseline: 'excuse' });
      await at.compare(commit);
      await at.land(commit, prepared);
    },
  },
  'excuses its failures below the key of the base': {
    says: /the checks fail on the merged tree/,
    run: async (at) => {
      const commit = await at.work();
      await at.check(at.base, {}, 'baseline');
      await at.check(commit, {}, 'baseline/mine');
      const prepared = await at.prepare(commit);
      await at.check(prepared.commit, { baseline: 'baseline' });
      await at.compare(commit);
      await at.land(commit, prepared);
    },
  },
  'merges a commit that was checked under the name of another': {
    work: [[right], [wrong]],
    says: /the engine did not make the merge/,
    run: async (at) => {
      await at.check(at.base, {}, 'baseline');
      const [honest, other] = [await at.work(1), await at.work(2)];
      const prepared = await at.prepare(honest);
      await at.check(prepared.commit);
      await at.compare(honest);
      await at.land(honest, { ...prepared, commit: other });
    },
  },
  'compares with its own commit instead of the base': {
    work: [[weakened], [wrong, weakened]],
    says: /was never a head of this run/,
    run: async (at) => {
      await at.check(at.base, {}, 'baseline');
      const first = await at.work(1);
      const second = await at.work(2, first);
      const prepared = await at.prepare(second, first);
      await at.check(prepared.commit);
      await at.compare(second, { base: first });
      await at.land(second, prepared, { base: first });
    },
  },
  'changes what tests expect and asks nobody': {
    work: [[wrong, weakened]],
    says: /nobody decided about test\/sum\.test\.js/,
    run: (at) => merge(at),
  },
  'compares the tests as the commit itself judges': {
    work: [[wrong, weakened, selfJudging]],
    says: /were not compared/,
    run: async (at) => {
      await at.check(at.base, {}, 'baseline');
      const commit = await at.work();
      const prepared = await at.prepare(commit);
      await at.check(prepared.commit);
      await at.compare(commit, { judge: commit });
      await at.land(commit, prepared);
    },
  },
  'writes to a protected path and asks nobody': {
    work: [[right, hook]],
    says: /nobody agreed to \.husky\/pre-commit/,
    run: (at) => merge(at),
  },
  'hides on the receipt what it changes': {
    work: [[right]],
    says: /receipt would not say/,
    run: (at) => merge(at, { landed: { changed: [] } }),
  },
  'writes code as a document': {
    says: /cannot be a document of a run/,
    run: async ({ bench }) =>
      bench.perform('documents.prepare', 'write', { message: 'docs', files: [{ path: 'src/sum.js', text: '42' }] }),
  },
  'writes what agents obey as a document': {
    says: /cannot be a document of a run/,
    run: async ({ bench }) =>
      bench.perform('documents.prepare', 'write', { message: 'docs', files: [{ path: 'AGENTS.md', text: '42' }] }),
  },
  "lands an agent's commit as documents": {
    says: /did not make the documents/,
    run: async ({ base, bench, work }) =>
      bench.perform('documents.land', 'land', { commit: await work(), before: base }),
  },
};

describe('a workflow of the repository', () => {
  it.concurrent.each(Object.entries(attacks))('%s', { timeout: 600_000 }, async (_name, { work, run, says }) => {
    const { end, state, holders, unchanged } = await play({ ...(work === undefined ? {} : { work }), run });
    expect(end).toMatchObject({ status: 'stopped', reason: expect.stringMatching(says) });
    expect({ holders, unchanged, receipts: state.receipts }).toEqual({ holders: [], unchanged: true, receipts: [] });
  });

  it.concurrent('is not done with documents that came after the last check', async () => {
    const { end } = await play({
      work: [[right]],
      run: async (at) => {
        await merge({ ...at, publish: async (commit) => ({ ref: '', after: commit }) });
        const asked = { message: 'docs', files: [{ path: 'NOTES.md', text: 'more\n' }] };
        const prepared = await at.bench.perform('documents.prepare', 'write', asked);
        if (prepared.status !== 'ready') throw new Error(prepared.status);
        const { commit, before } = prepared;
        await at.bench.perform('documents.land', 'land-documents', { commit, before });
        await at.publish(commit);
      },
    });
    expect(end).toMatchObject({ status: 'failed', reason: expect.stringMatching(/no check ran on it/) });
  });

  it.concurrent('is not done when the branch lacks what was merged last', async () => {
    const { end } = await play({
      work: [[right]],
      run: async (at) => {
        await at.publish(at.base);
        await merge({ ...at, publish: async (commit) => ({ ref: '', after: commit }) });
      },
    });
    expect(end).toMatchObject({ status: 'failed', reason: expect.stringMatching(/does not hold what was merged/) });
  });

  it.concurrent('is done with honest work, also where a person accepts it', async () => {
    const { end, holders, state } = await play({
      work: [[wrong, weakened, selfJudging]],
      run: async ({ bench, base, work }) => {
        const found = await readyChecks(bench, []);
        const checks = { ...own, baseline: found.key };
        const commit = await work();
        const scope = scopeSettingsSchema.parse({});
        const basis = { judge: base, accepted: [] };
        const verified = await verify(bench, 'verify', { task, checks, scope, base, commit, basis, last: true });
        if (verified.status !== 'passed') throw new Error(verified.reason);
        const { report, redGreen, findings } = verified;
        const { accepted } = verified.basis;
        const developed = {
          status: 'passed',
          commit,
          base,
          report,
          redGreen,
          findings,
          leftBehind: [],
          accepted,
        } as const;
        const integrated = await integrate(bench, { task, tasks: [task], developed, checks, scope, mergeRound: 1 });
        if (integrated.status !== 'merged') throw new Error(integrated.status);
        await publishResult(bench, { checks, failures: [] });
      },
    });
    expect([end.status, holders]).toEqual(['done', ['refs/heads/forge/own']]);
    expect([...state.questions.keys()]).toEqual(['verify/judge', 'verify/weakened']);
  });
});
