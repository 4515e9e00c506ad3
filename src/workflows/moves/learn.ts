/** What a run taught, asked of a learner and kept in memory, with what it showed about the lessons it was planned by. */
import { z } from 'zod';
import type { Bench } from '../../engine/bench.ts';
import type { StepEndInput } from '../../engine/facts.ts';
import type { RunShape } from '../../policy/lesson.ts';
import { countText } from '../../views/figures.ts';
import { defineRole } from '../definition.ts';
import { askRole, type RoleRequest } from './ask-role.ts';

const learnerResult = z.object({
  lessons: z
    .array(
      z.object({
        category: z.string(),
        keywords: z.array(z.string()).default([]),
        text: z.string().max(300).describe('one line'),
      }),
    )
    .max(3),
  contradicted: z.array(z.string()).default([]).describe('ids of known lessons that this run showed to be wrong'),
});

export const learnerRole = defineRole({
  result: learnerResult,
  access: 'read',
  describe: ({ lessons }) => ({
    status: 'done',
    detail: countText(lessons.length, 'lesson'),
    lines: lessons.map(({ text }) => `- ${text}`),
  }),
});

export interface Learning {
  readonly input: RoleRequest<'learner'>['input'];
  /** Ids of lessons the plan made use of. */
  readonly applied: readonly string[];
  readonly succeeded: boolean;
  /** Of a run that succeeded, where forecasts are to go by it. */
  readonly shape?: RunShape | undefined;
  readonly brief: (recovery?: string) => string;
}

/** How many lessons are new. */
export async function learn(bench: Bench, learning: Learning): Promise<number> {
  const start = { kind: 'learn', title: 'Learn', end: describeLearned };
  return (await bench.step('learning', start, () => learnFrom(bench, learning))).added;
}

interface Learned {
  readonly added: number;
  readonly lessons: readonly { readonly category: string; readonly text: string }[];
}

/** A run that went well leaves one more lesson than its learner named. */
function describeLearned({ added, lessons }: Learned): StepEndInput {
  const shape = added === 1 ? " (this run's shape, for forecasts)" : " (one is this run's shape, for forecasts)";
  return {
    status: 'done',
    detail: `${countText(added, 'lesson')} learned${added > lessons.length ? shape : ''}`,
    figures: { lessons: added },
    report: { lessons: { added, learned: lessons.map(({ category, text }) => ({ category, text })) } },
  };
}

async function learnFrom(bench: Bench, learning: Learning): Promise<Learned> {
  const { input, applied, succeeded, shape, brief } = learning;
  const { commit } = await bench.perform('integration.read', 'learn/base', {});
  const asked = { input, spec: learnerRole, role: 'learner', workspace: 'learn', commit, brief };
  const answer = await askRole(bench, 'learn', asked);
  // Nobody plans or learns here any more; both only read.
  for (const [workspace, captured] of [
    ['plan', bench.run.base],
    ['learn', commit],
  ] as const) {
    await bench.perform('workspace.drop', `${workspace}/drop`, { workspace, captured, readOnly: true });
  }
  const { lessons, contradicted } = answer.status === 'accepted' ? answer.result : { lessons: [], contradicted: [] };
  const isNothing = lessons.length === 0 && applied.length === 0 && contradicted.length === 0 && shape === undefined;
  if (isNothing) return { added: 0, lessons };
  const saved = await bench.perform('memory.save', 'save', {
    lessons,
    applied: [...applied],
    helped: succeeded ? [...applied] : [],
    contradicted,
    ...(shape === undefined ? {} : { shape }),
  });
  return { added: saved.added, lessons };
}
