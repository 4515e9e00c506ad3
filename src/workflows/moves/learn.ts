/** What a run taught, asked of a learner and kept in memory, with what it showed about the lessons it was planned by. */
import type { Bench } from '../../engine/bench.ts';
import type { StepEndInput } from '../../engine/facts.ts';
import type { RunShape } from '../../policy/lesson.ts';
import { counted } from '../../views/figures.ts';
import { askRole, type RoleRequest } from './ask-role.ts';

export interface Learning {
  readonly input: RoleRequest<'learner'>['input'];
  /** Ids of lessons the plan made use of. */
  readonly applied: readonly string[];
  readonly succeeded: boolean;
  /** Of a run that succeeded, where forecasts are to go by it. */
  readonly shape?: RunShape | undefined;
  /** Save even where there is nothing to: some workflows always did, and keep their keys. */
  readonly always?: boolean;
  readonly brief: (recovery?: string) => string;
}

/** How many lessons are new. */
export function learn(bench: Bench, learning: Learning): Promise<number> {
  const end = (added: number): StepEndInput => ({ status: 'done', detail: `${counted(added, 'lesson')} learned` });
  return bench.step('learning', { kind: 'learn', title: 'Learn', end }, () => learnFrom(bench, learning));
}

async function learnFrom(bench: Bench, learning: Learning): Promise<number> {
  const { input, applied, succeeded, shape, brief } = learning;
  const { commit } = await bench.perform('integration.read', 'learn/base', {});
  const answer = await askRole(bench, 'learn', { input, role: 'learner', workspace: 'learn', commit, brief });
  // Nobody plans or learns here any more; both only read.
  for (const [workspace, captured] of [
    ['plan', bench.run.base],
    ['learn', commit],
  ] as const) {
    await bench.perform('workspace.drop', `${workspace}/drop`, { workspace, captured, readOnly: true });
  }
  const { lessons, contradicted } = answer.status === 'accepted' ? answer.result : { lessons: [], contradicted: [] };
  const isNothing = lessons.length === 0 && applied.length === 0 && contradicted.length === 0;
  if (isNothing && learning.always !== true) return 0;
  const saved = await bench.perform('memory.save', 'save', {
    lessons,
    applied: [...applied],
    helped: succeeded ? [...applied] : [],
    contradicted,
    ...(shape === undefined ? {} : { shape }),
  });
  return saved.added;
}
