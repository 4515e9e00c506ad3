/**
 * The draft of an approval as a person changes it, and the check of what comes back: the same reading that the run itself
 * will make of it.
 */
import { ForgeError } from '../errors.ts';
import { planSchema } from '../plan/plan.ts';
import type { Chronicle } from '../views/chronicle.ts';
import { readEditedPlan } from '../workflows/moves/edited-plan.ts';
import { findDefinition } from '../workflows/registry.ts';

/** Begins what Forge says about a text in the text itself. */
const remark = '#! ';

/** What the newest question offers to be edited. */
export function editablePlan({ state }: Chronicle): string {
  const draft = [...state.questions.values()].findLast(({ question }) => question.draft !== undefined)?.question.draft;
  if (draft !== undefined) return draft;
  throw new ForgeError('bad-input', 'There is no plan to edit yet', { hint: 'See forge status for what is asked.' });
}

/** Everything that is wrong with an edited plan, with its place; nothing when it can be used. */
export async function planProblems(text: string, chronicle: Chronicle): Promise<readonly string[]> {
  const definition = findDefinition(chronicle.state.created?.workflow ?? '');
  const own = (await definition?.load())?.program.presentation?.editProblems;
  if (own !== undefined) return own(text, editablePlan(chronicle));
  const edited = readEditedPlan(text, planSchema.parse({ objective: '', tasks: [] }));
  return edited.status === 'faulty' ? edited.problems : [];
}

/** The person's own text again, with what is wrong at its top: nobody types a plan twice. */
export function withRemarks(text: string, problems: readonly string[]): string {
  const own = text.split('\n').filter((line) => !line.startsWith(remark));
  const places = problems.map((problem) => problem.replace(/^line \d+, /, ''));
  return [...['This cannot be used yet:', ...places].map((line) => `${remark}${line}`), ...own].join('\n');
}

export async function requireUsablePlan(text: string, chronicle: Chronicle): Promise<void> {
  const problems = await planProblems(text, chronicle);
  if (problems.length === 0) return;
  const shown = problems.slice(0, 10).map((problem) => `\n  - ${problem}`);
  const more = problems.length > 10 ? `\n  (and ${problems.length - 10} more)` : '';
  throw new ForgeError('bad-plan', `The edited text cannot be used:${shown.join('')}${more}`, {
    hint: 'Nothing was answered; edit it again.',
  });
}
