/** Planning with a person, decision by decision, on a bench with scripted agents. */
import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import type { Bench } from '../../../src/engine/bench.ts';
import { type Plan, planSchema } from '../../../src/plan/plan.ts';
import { askAgent } from '../../../src/workflows/moves/ask-agent.ts';
import { type PlanJudgement, type PlanNote, planWithPerson } from '../../../src/workflows/moves/plan-with-person.ts';
import { outputOf, play, ran, report } from './support.ts';

const result = z.object({ title: z.string(), questions: z.array(z.string()).default([]) });

function planFor(title: string): Plan {
  return planSchema.parse({ objective: 'x', tasks: [{ id: 'T1', title, writes: ['a.js'], verify: ['npm test'] }] });
}

interface Told {
  readonly notes: (PlanNote<unknown> | undefined)[];
}

async function planning(
  replies: readonly object[],
  answers: Readonly<Record<string, string | { text: string }>>,
  judge?: (title: string) => PlanJudgement,
) {
  const told: Told = { notes: [] };
  const work = (bench: Bench) =>
    planWithPerson<z.infer<typeof result>, { plan: Plan }>(bench, {
      base: report(),
      propose: ({ round, note }) => {
        told.notes.push(note);
        return askAgent(bench, `plan#${round}`, {
          agent: 'a',
          role: 'planner',
          workspace: 'plan',
          commit: bench.run.base,
          result,
          prompt: 'plan',
          recoveryPrompt: () => 'plan',
          access: 'read',
        });
      },
      read: ({ title }) =>
        title === 'faulty'
          ? { status: 'faulty', issues: [{ where: 'tasks[0]', problem: 'It is faulty.', fix: 'Fix it.' }] }
          : { status: 'sound', proposal: { plan: planFor(title) } },
      questions: ({ questions }) => questions.map((question) => ({ question, why: '', options: ['red', 'blue'] })),
      judge: async ({ plan }) => judge?.(plan.tasks[0]?.title ?? '') ?? { next: 'show' },
      present: ({ plan }) => ({
        page: { title: plan.tasks[0]?.title ?? '', sections: [] },
        draft: plan.tasks[0]?.title ?? '',
        lines: 'a plan',
        forecast: { tasks: [], perTask: [], whole: [], parallel: 1 },
      }),
      readEdit: (text) =>
        text === 'bad'
          ? { status: 'faulty', problems: ['line 1: bad'] }
          : { status: 'usable', proposal: { plan: planFor(text) } },
    });
  const played = await play(
    work,
    {
      'agent.run': replies.map((reply) => ran(1, reply)),
      'forecast.make': () => ({ text: '', limits: 'no limit', soft: [] }),
    },
    answers,
  );
  return { ...played, notes: told.notes };
}

const approved = (title: string) => ({ output: { status: 'approved', proposal: { plan: { tasks: [{ title }] } } } });

describe('planWithPerson', () => {
  it('takes a sound plan that a person approves', async () => {
    const { end, questions } = await planning([{ title: 'one' }], { approve: 'yes' });
    expect(end).toMatchObject(approved('one'));
    expect(questions).toEqual(['approve']);
  });

  it('sends faults back three times and then gives up, without asking anybody', async () => {
    const faulty = { title: 'faulty' };
    const mended = await planning([faulty, faulty, faulty, { title: 'one' }], { approve: 'yes' });
    expect(mended.end).toMatchObject(approved('one'));
    // Each answer of a person begins another execution, which hears the same notes again.
    expect(mended.notes.slice(0, 4).map((note) => note?.kind)).toEqual([undefined, 'faults', 'faults', 'faults']);
    const given = await planning([faulty, faulty, faulty, faulty], {});
    const reason = 'no plan that can be used after 4 rounds: tasks[0]: It is faulty. Fix it.';
    expect([outputOf(given), given.questions]).toEqual([{ status: 'stopped', reason }, []]);
  });

  it('asks what is open once, and plans again with the answers', async () => {
    const open = { title: 'one', questions: ['Which colour?'] };
    const { end, questions, notes } = await planning([open, open], {
      'clarify/1': '2',
      approve: 'yes',
    });
    expect(end).toMatchObject(approved('one'));
    expect(questions).toEqual(['clarify/1', 'approve']);
    expect(notes.at(-1)).toEqual({ kind: 'decisions' });
  });

  it('obeys the rules of the workflow: again, or not at all', async () => {
    const again = await planning([{ title: 'wide' }, { title: 'one' }], { approve: 'yes' }, (title) =>
      title === 'wide' ? { next: 'again', reasons: ['too wide'] } : { next: 'show' },
    );
    expect(again.notes[1]).toEqual({ kind: 'judged', reasons: ['too wide'] });
    const never = await planning([{ title: 'wide' }], {}, () => ({ next: 'stop', reason: 'still too wide' }));
    expect(never.end).toMatchObject({ output: { status: 'stopped', reason: 'still too wide' } });
  });

  it('stops when a person says no', async () => {
    const { end } = await planning([{ title: 'one' }], { approve: 'no' });
    expect(end).toMatchObject({ output: { status: 'stopped', reason: 'the plan was not approved' } });
  });

  it('uses an edited plan, and shows what is wrong with one that cannot be used', async () => {
    const { end, questions } = await planning([{ title: 'one' }], {
      approve: { text: 'bad' },
      'approve#2': { text: 'two' },
    });
    expect(end).toMatchObject(approved('two'));
    expect(questions).toEqual(['approve', 'approve#2']);
  });
});
