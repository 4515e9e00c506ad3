/** Pipelines as data: which one holds, what is wrong with it, and where a phase leads. */
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { builtinGates, builtinPipelines } from '../../src/pipelines/builtin-pipelines.ts';
import { checkPipeline } from '../../src/pipelines/check-pipeline.ts';
import { resolvePipeline } from '../../src/pipelines/resolve-pipeline.ts';
import { routePhase } from '../../src/pipelines/route-phase.ts';
import { pipelinePhaseSchema, pipelineSettingsSchema } from '../../src/policy/pipeline-settings.ts';

const phases = (...roles: string[]) => roles.map((role) => pipelinePhaseSchema.parse({ command: role, role }));

it('the built-in pipelines are as documented, and have no mistakes', () => {
  expect(builtinPipelines.task.phases.map(({ role }) => role)).toEqual([
    'plan',
    'review-plan',
    'implement',
    'review-code',
    'validate',
    'approve',
    'writeback',
    'commit',
  ]);
  for (const { phases: own, gates } of Object.values(builtinPipelines)) {
    const { errors, notes } = checkPipeline(own, gates, []);
    expect({ errors, notes }).toEqual({ errors: [], notes: [] });
  }
});

describe('a pipeline is chosen', () => {
  const settings = pipelineSettingsSchema.parse({
    default: { phases: phases('plan') },
    docs: { phases: phases('plan', 'commit') },
  });
  it.each([
    [{ kind: 'task', key: 'docs' }, 'docs', 'record'],
    [{ kind: 'task' }, 'default', 'settings'],
    [{ kind: 'task', key: 'default' }, 'default', 'record'],
    [{ kind: 'task', key: 'dcos' }, 'default', 'settings'],
    [{ kind: 'bug' }, 'bug', 'built in'],
  ] as const)('%j → %s from %s', (wish, name, source) => {
    expect(resolvePipeline(settings, wish)).toMatchObject({ name, source });
  });

  it('and says when the record names one that does not exist', () => {
    expect(resolvePipeline(settings, { kind: 'task', key: 'dcos' }).note).toBe(
      'There is no pipeline "dcos", so default is used. Did you mean "docs"?',
    );
  });
});

it('mistakes are told with place and fix', () => {
  const own = [
    pipelinePhaseSchema.parse({ command: 'plan', role: 'plan' }),
    pipelinePhaseSchema.parse({ command: 'audit', role: 'security-audit', on_revision: 'plam' }),
    pipelinePhaseSchema.parse({ command: 'plan', role: 'implement' }),
  ];
  const gates =
    '```gates phase=plan\nafter implement = approved\nforbid task.status == completed\n```\n```gates phase=review-plan\n```';
  const { errors, notes } = checkPipeline(own, gates, []);
  expect(errors.map(({ where }) => where)).toEqual([
    'phases[1].on_revision',
    'phases[1].role',
    'phases[2].command',
    'gates of plan',
  ]);
  expect(errors[0]?.fix).toBe('Did you mean "plan"? Name a phase that comes before this one.');
  expect(notes.map(({ problem }) => problem)).toEqual([
    'The pipeline has no such phase.',
    'A task is never in the state "completed".',
  ]);
  expect(checkPipeline(own, '', ['security-audit']).errors.map(({ where }) => where)).not.toContain('phases[1].role');
});

describe('after a phase', () => {
  const { phases: own } = builtinPipelines.task;
  const judged = (verdict: unknown) => ({ taskId: 'T', summaries: { code_review: { verdict } } });
  const at = own.findIndex(({ role }) => role === 'review-code');

  it('an approval goes on, a revision back to what made it, anything else to a person', () => {
    expect(routePhase({ phases: own, at, record: judged('approved'), revisions: 0 })).toEqual({
      kind: 'next',
      to: at + 1,
    });
    expect(routePhase({ phases: own, at, record: judged('revision'), revisions: 0 })).toEqual({
      kind: 'back',
      to: 2,
      round: 1,
    });
    for (const word of ['n/a', 'Approved', '', undefined, 'LGTM']) {
      expect(routePhase({ phases: own, at, record: judged(word), revisions: 0 })).toMatchObject({
        kind: 'escalate',
        reason: 'verdict-malformed',
      });
    }
  });

  it('never ends in an approval by asking too often', () => {
    fc.assert(
      fc.property(fc.nat(50), (revisions) => {
        const route = routePhase({ phases: own, at, record: judged('revision'), revisions });
        expect(route.kind).toBe(revisions + 1 >= 3 ? 'escalate' : 'back');
      }),
    );
  });

  it('triage by route A goes straight to the fix', () => {
    const bug = builtinPipelines.bug.phases;
    const triaged = (route: string) => ({ bugId: 'B', summaries: { triage: { route } } });
    expect(routePhase({ phases: bug, at: 0, record: triaged('A'), revisions: 0 })).toEqual({ kind: 'next', to: 3 });
    expect(routePhase({ phases: bug, at: 0, record: triaged('B'), revisions: 0 })).toEqual({ kind: 'next', to: 1 });
  });
});

it('built-in gates wait only for phases that a pipeline has', () => {
  const gatesOf = (...names: string[]) => {
    const own = phases(...names);
    const text = builtinGates('task', own);
    return { checked: checkPipeline(own, text, []), text };
  };
  expect(builtinGates('task', builtinPipelines.task.phases)).toBe(builtinPipelines.task.gates);
  const short = gatesOf('implement', 'commit');
  expect(short.checked.errors).toEqual([]);
  expect(short.text).not.toMatch(/^after|PLAN\.md/m);
  const reviewed = gatesOf('plan', 'review-plan', 'implement', 'commit');
  expect(reviewed.text.match(/^after .*$/gm)).toEqual(['after review-plan = approved', 'after review-plan = approved']);
  expect(reviewed.text).toContain('PLAN.md');
});
