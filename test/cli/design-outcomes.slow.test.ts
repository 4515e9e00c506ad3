/**
 * A design through the binary in every way it can go: each outcome of a module, each kind of plan revision, each class of failure,
 * the three answers to PARTIAL, a main that moved, the next delivery planned first and built later.
 */
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { matchesKey } from '../workflows/design/key-pattern.ts';
import { designDir, designFiles, tinyPlan } from '../workflows/design/tiny-design.ts';
import {
  accepting,
  designProject,
  designScript,
  done,
  e2eTests,
  failing,
  type Job,
  job,
  moduleTests,
  passing,
  planIssue,
  planned,
  rejecting,
  reply,
  source,
  testFile,
  write,
} from './design-story.ts';
import { type Ended, makeProject, type Project } from './support.ts';

type Answer =
  | string
  | readonly [option: string, text: string]
  /** Given the directory that the question offers. */
  | ((checkout: string) => string)
  /** A program that changes the files of the checkout. */
  | { readonly editor: string };

interface Played {
  readonly project: Project;
  readonly run: string;
  readonly ended: Ended;
  /** Keys of questions in the order they were answered. */
  readonly asked: readonly string[];
  readonly document: (path: string) => string;
  readonly events: readonly string[];
  readonly history: readonly string[];
}

const settings = (parallel: number): string => `agents: { actor: { driver: scripted, script: .forge/script.yaml } }
checks: { run: ["node --test"], timeout: 600 }
parallel: ${parallel}
`;

function designRepository(script: readonly Job[], parallel = 1): Project {
  const project = makeProject({ script, config: settings(parallel), files: designProject });
  project.git('rm', '-q', 'src/add.js', 'test/add.test.js');
  project.commit('a design');
  return project;
}

/** Runs the command and answers what it asks, until it ends. Plans are approved unless said otherwise. */
async function playOut(
  project: Project,
  args: readonly string[],
  answers: Readonly<Record<string, Answer>> = {},
): Promise<Played> {
  const known = new Set(project.runs());
  const asked: string[] = [];
  const all: Readonly<Record<string, Answer>> = { ...answers, '*approve*': 'yes', 'impact*': 'yes' };
  let ended = await project.forge('design', ...args);
  const run = project.runs().find((name) => !known.has(name)) ?? '';
  for (let rounds = 0; ended.code === 3 && rounds < 30; rounds += 1) {
    const listed = JSON.parse((await project.forge('list', '--json')).stdout) as { run: string; questions: string[] }[];
    const [key] = listed.find((each) => each.run === run)?.questions ?? [];
    if (key === undefined) break;
    asked.push(key);
    const pattern = Object.keys(all).find((each) => matchesKey(each, key));
    if (pattern === undefined) throw new Error(`nobody answers ${key}: ${ended.stderr}`);
    const answer = all[pattern] as Answer;
    if (typeof answer === 'object' && 'editor' in answer) {
      ended = await project.forgeWith({ EDITOR: answer.editor }, 'answer', run, key, '--edit');
      continue;
    }
    const made = typeof answer === 'function' ? answer(checkoutOf(project, run, key)) : answer;
    const [option, text] = typeof made === 'string' ? [made, undefined] : made;
    ended = await project.forge(
      'answer',
      run,
      key,
      '--option',
      option,
      ...(text === undefined ? [] : ['--text', text]),
    );
  }
  const dirs = (ref: string): string[] =>
    project.git('ls-tree', '-d', '--name-only', ref, 'docs/raw/plans/').split('\n').filter(Boolean);
  const planDir = dirs(`forge/${run}`).find((dir) => !dirs('main').includes(dir)) ?? dirs('main')[0] ?? '';
  const document = (path: string): string => project.git('show', `forge/${run}:${planDir}/${path}`);
  return {
    project,
    run,
    ended,
    asked,
    document,
    events: [...document('execution-log.md').matchAll(/^### .*? — (.*)$/gm)].map(([, title]) => title ?? ''),
    history: project.git('log', '--format=%s', `main..forge/${run}`).split('\n'),
  };
}

function checkoutOf(project: Project, run: string, key: string): string {
  const asked = project.facts(run).find((fact) => fact.type === 'question.asked' && fact.key === key);
  return (asked as { data?: { checkout?: { path?: string } } } | undefined)?.data?.checkout?.path ?? '';
}

/** What an agent was told, which lies beside the journal. */
function briefOf(project: Project, run: string, key: string): string {
  const started = project.facts(run).find((fact) => fact.type === 'effect.started' && fact.key === key);
  const [, blob = ''] = /"prompt":\{"\$blob":"([0-9a-f]+)"/.exec(JSON.stringify(started)) ?? [];
  return readFileSync(join(project.directory(run), 'blobs', blob), 'utf8');
}

const crash = { crash: 1 };
const failure = (criterion: string, kind: string, ...modules: readonly string[]) => ({
  criterion,
  class: kind,
  modules,
  expected: 'this',
  actual: 'that',
});

describe('a design through the binary', { timeout: 1_200_000 }, () => {
  it('gets through every gate, every breakdown and every class of failure, and lands on a main that moved', async () => {
    const script = designScript(
      // The gate, the tester, the checks and the reviewer send it back; what is not the developer's is taken back.
      job('M-001/develop#1', source('M-001', '// LINT\n'), done()),
      job('M-001/test#2', moduleTests('M-001'), failing('F-001/AC1')),
      job(
        'M-001/test#3',
        write(
          'test/modules/M-001.test.js',
          testFile('../../', [['F-001/AC1 in M-001', "assert.equal(word('a'), 'b');"]]),
        ),
        passing,
      ),
      job('M-001/develop#4', source('M-001'), write('test/modules/M-001.test.js', ''), done()),
      job('M-001/review#4', rejecting('Say why it is refused')),
      // The text of a plan is wrong; then the agent breaks down until a person has it tried again.
      job('M-002/develop#1', planIssue('PLAN_TEXT_ERROR')),
      ...[1, 2].flatMap((round) =>
        ['', '/recovery#2', '/recovery#3'].map((again) => job(`M-002@2/develop#${round}${again}`, crash)),
      ),
      // Something that nobody owns becomes a module of its own.
      job('M-003/develop#1', planIssue('UPSTREAM_NOT_IMPLEMENTED', { capability: 'extra words' })),
      {
        when: { role: 'allocator' },
        do: [
          reply({
            owner: 'new',
            name: 'Extra',
            responsibility: 'Extra words',
            depends: [],
            plan: tinyPlan('M-004'),
            reason: 'Nobody else',
          }),
        ],
      },
      job(
        'phase-2/test#1',
        write('test/phases/phase-2.test.js', testFile('../../', [['both', "assert.equal(shout('a'), 'A');"]])),
        failing('both'),
      ),
      // All four classes at once.
      job(
        'accept/test#1',
        e2eTests({
          'F-002/AC1': "assert.equal(print('a'), '<a>');",
          'F-002/AC2': "assert.equal(print('a b'), shout('a b'));",
        }),
        accepting(
          failure('F-002/AC1', 'implementation', 'M-003'),
          failure('F-002/AC2', 'cross-module', 'M-002', 'M-003'),
          failure('F-001/AC2', 'design-gap', 'M-002'),
          failure('F-001/AC3', 'prd-ambiguity'),
        ),
      ),
      { when: { key: 'accept/classify#1/gaps/M-002/planner#1' }, do: [planned('M-002', 'Shout twice')] },
    );
    const project = designRepository(script);
    const editor = join(project.root, '../editor.sh');
    writeFileSync(editor, '#!/bin/sh\nsed -i "s/Write it/Write it well/" "$1/plans/plan-M-003-print.md"\n', {
      mode: 0o755,
    });
    const edit = (at: string): string => {
      const file = join(at, 'plans/plan-M-002-shout.md');
      writeFileSync(file, readFileSync(file, 'utf8').replaceAll('Shout twice', 'Shout three times'));
      return 'edited';
    };
    const { run, ended, asked, document, events, history } = await playOut(project, [designDir], {
      approve: { editor },
      'M-002@2/broken/choice': 'retry',
      'accept/classify#1/gaps/approve': edit,
      'accept/classify#1/prd/1': ['clarify', 'Nothing means the empty word'],
    });
    expect({ code: ended.code, asked }).toEqual({
      code: 0,
      asked: [
        'approve',
        'approve#2',
        'M-002@2/broken/choice',
        'accept/classify#1/gaps/approve',
        'accept/classify#1/gaps/approve#2',
        'accept/classify#1/prd/1',
      ],
    });
    expect(events).toEqual(
      expect.arrayContaining([
        'Plans approved',
        'M-001 retry 1',
        'M-001 retry 4',
        'M-002 needs a plan revision: PLAN_TEXT_ERROR',
        'M-003 needs a plan revision: UPSTREAM_NOT_IMPLEMENTED',
        'M-004 approved and merged',
        'Phase 2 integration test: Pass',
        'Plan revised: M-002',
        'Acceptance fix 1 dispatched',
        'Acceptance: PASS (100 %)',
        'Delivery 1 complete',
      ]),
    );
    expect(history).toEqual(
      expect.arrayContaining([
        'feat(M-001): implement Core',
        'test(M-001): add integration tests for Core',
        'feat(M-004): implement Extra',
        'test(p2): add phase-2 integration tests',
        'test(e2e): add E2E acceptance tests',
        'docs(plan): add acceptance report',
      ]),
    );
    expect(document('plans/plan-M-003-print.md')).toContain('Write it well');
    expect(history).toContain('docs(plan): take edited plans');
    expect(document('plans/plan-M-002-shout.md')).toContain('Shout three times');
    expect(JSON.parse(document('reports/module-state-M-001.json'))).toMatchObject({ total_retries: 4 });
    expect(briefOf(project, run, 'accept/fix#2')).toContain('F-002/AC2 (cross-module)');
    // Somebody else worked on main meanwhile: the result goes on top of it, in one line.
    project.write({ 'NOTES.md': 'mine\n' });
    const mine = project.commit('docs: notes');
    const landed = await project.forge('land', run);
    expect(landed.code).toBe(0);
    expect(project.git('merge-base', '--is-ancestor', mine, 'main')).toBe('');
    expect(project.git('log', '--merges', '--format=%s', 'main')).toBe('');
    expect(project.git('log', '--format=%s', 'main').split('\n')).toContain(
      'test(M-003): add integration tests for Print',
    );

    // The next delivery: planned now, built later from the plan directory. What nobody designed stays.
    const shout = `${designDir}/modules/M-002-shout.md`;
    project.write({
      [shout]: (designFiles[shout] ?? '').replace('`shout(text) → string`', '`shout(text, times) → string`'),
      '.forge/script.yaml': JSON.stringify(
        designScript(job('M-002/develop#1', source('M-002', '// with times\n'), done({ commit: 'shout many times' }))),
      ),
    });
    project.commit('docs(design): shout many times');
    // What it touches is a list that a person can edit; here they only read it.
    const reader = join(project.root, '../reader.sh');
    writeFileSync(reader, '#!/bin/sh\nsed -i "s/^# Change.*/# read/" "$1"\n', { mode: 0o755 });
    const planOnly = await playOut(project, [designDir, '--evolve', '--plan-only'], { impact: { editor: reader } });
    expect(planOnly.asked[0]).toBe('impact');
    expect(planOnly.ended.stderr).toContain('nothing is built yet');
    project.git('merge', '-q', '--ff-only', `forge/${planOnly.run}`);
    const planDir = project.git('ls-tree', '-d', '--name-only', 'main', 'docs/raw/plans/').trim();
    const gate = await project.forge('check-plan', planDir, '--gate', 'plan');
    expect(gate).toMatchObject({ code: 0 });
    const second = await playOut(project, ['--execute', planDir], {});
    expect(second.ended.code).toBe(0);
    expect(second.history).toEqual(
      expect.arrayContaining([
        'feat(M-002): evolve to delivery-2 — shout many times',
        'docs(plan): archive delivery-1 acceptance report',
        'docs(plan): finalize autoforge delivery-2',
      ]),
    );
    expect(second.history.some((subject) => /^feat\(M-00[134]\)/.test(subject))).toBe(false);
    expect(second.document('versions/2.md')).toMatch(/\| M-002 \| revised-direct \|/);
    expect(second.document('README.md')).toMatch(/\| M-004 \| 2 \| Kept \|/);
    expect(project.git('tag', '--list', 'autoforge-delivery-2-*')).toBe('autoforge-delivery-2-echo');
    // Behind a criterion of a module that stayed as it is are still the commits that built it.
    const { criteria } = JSON.parse(second.document('reports/traceability.json')) as {
      criteria: { id: string; commits: string[] }[];
    };
    expect(criteria.filter(({ commits }) => commits.length === 0)).toEqual([]);
    const status = await project.forge('status', second.run);
    expect(status.stdout).toContain('5 of 5 criteria have a passing test');
    // The way out: everything planned anew, in a directory of its own.
    const anew = await playOut(project, [designDir, '--evolve', '--fresh', '--plan-only', '--yes'], {});
    expect(anew.ended.stderr).toContain('nothing is built yet');
    expect(anew.document('README.md')).toContain('| Autoforge Delivery | 1 |');
    expect(anew.document('README.md')).not.toContain('| M-004 |');
  });

  it('plans again from where it stands with an approval, leaves a module out, keeps barriers, and merges PARTIAL at its threshold', async () => {
    const script = designScript(
      job('M-002/develop#1', planIssue('UPSTREAM_BUG', { module: 'M-001' })),
      job('M-002@2/develop#1', planIssue('INTERFACE_REDESIGN', { module: 'M-001' })),
      { when: { key: 'M-002/revise/plan/M-001/planner#1' }, do: [planned('M-001', 'Repair it')] },
      { when: { key: 'M-002@2/revise/plan/M-001/planner#1' }, do: [planned('M-001', 'Draw it anew')] },
      job('M-003/develop#1', planIssue('UPSTREAM_INSUFFICIENT', { module: 'M-001' })),
      { when: { key: 'M-003/revise/plan/M-001/planner#1' }, do: [planned('M-001', 'Do more')] },
      {
        when: { role: 'acceptance-tester' },
        do: [e2eTests({ 'F-002/AC1': undefined, 'F-002/AC2': undefined }), accepting()],
        repeat: true,
      },
    );
    const project = designRepository(script);
    const { run, ended, asked, document, events } = await playOut(
      project,
      [designDir, '--threshold', '60', '--barriers'],
      {
        'M-003/revise/approve': ['no', 'too much'],
        'M-003/revise/decision': 'skip',
        'accept/decide#8': 'merge',
      },
    );
    expect({ code: ended.code, asked }).toEqual({
      code: 0,
      asked: [
        'approve',
        'M-002/revise/approve',
        'M-002@2/revise/approve',
        'M-003/revise/approve',
        'M-003/revise/decision',
        'accept/decide#8',
      ],
    });
    const keys = project.facts(run).map(({ type, key }) => `${type} ${key}`);
    expect(keys.indexOf('task.ended phase-1')).toBeLessThan(keys.indexOf('task.started M-002'));
    expect(keys).toContain('task.ended M-001-for-M-002');
    expect(document('README.md')).toMatch(/\| M-003 \| 2 \| Done \| Skipped \|/);
    expect(document('README.md')).toContain('**Overall Verdict:** PARTIAL (60%)');
    expect(document('README.md')).toContain('| Acceptance Threshold | 60% |');
    expect(document('reports/acceptance.md')).toContain('a person merged it with these gaps');
    expect(events).toEqual(
      expect.arrayContaining(['M-003: a person decided', 'Acceptance: PARTIAL (60 %)', 'Delivery 1 complete']),
    );
  });

  it('changes its strategy, is diagnosed and decided on; PARTIAL is continued with guidance, and then given up', async () => {
    const flat = Array.from({ length: 8 }, (_, at) =>
      job(`M-001/test#${at + 1}`, moduleTests('M-001'), failing('same')),
    );
    const most = e2eTests({ 'F-002/AC2': undefined });
    const script = designScript(
      ...flat,
      {
        when: { role: 'module-tester', task: 'M-003' },
        do: [moduleTests('M-003', ['F-002/AC1']), passing],
        repeat: true,
      },
      { when: { role: 'acceptance-tester' }, do: [most, accepting()], repeat: true },
    );
    const project = designRepository(script, 3);
    const { run, ended, asked, document, events } = await playOut(project, [designDir], {
      'M-001/diagnose#8/choice': ['2', 'and say so'],
      'accept/decide#8': ['continue', 'The second criterion matters'],
      'accept/decide*': 'abort',
    });
    expect({ code: ended.code, asked: asked.slice(0, 3), last: asked.at(-1) }).toMatchObject({
      code: 1,
      asked: ['approve', 'M-001/diagnose#8/choice', 'accept/decide#8'],
      last: expect.stringMatching(/^accept\/decide#\d+$/) as string,
    });
    expect(asked).toHaveLength(4);
    expect(events).toEqual(expect.arrayContaining(['M-001 enters replan mode', 'M-001 needs a decision']));
    expect(document('reports/decision-request-M-001.md')).toContain('**Root cause:** conflicting-constraints');
    expect(document('README.md')).toContain('**Overall Verdict:** PARTIAL (80%)');
    expect(briefOf(project, run, 'accept/test#9')).toContain('The second criterion matters');
    // Given up is not lost: the plan directory on the branch says how far it came, and cleaning up refuses nothing.
    const planDir = `docs/raw/plans/${project.git('ls-tree', '--name-only', `forge/${run}`, 'docs/raw/plans/').split('/').at(-1)}`;
    expect((await project.forge('design', '--status', planDir)).stdout).toContain('PARTIAL (80%)');
    expect((await project.forge('design', '--cleanup', planDir, '--yes')).code).toBe(0);
    expect(project.runs()).toEqual([]);
  });
});
