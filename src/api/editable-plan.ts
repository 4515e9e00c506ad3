/**
 * The proposed plan as text that a person can change, and the check of what comes back: the same reading that the run
 * itself will make of it (edited-plan.ts of the workflow, or of the moves). Pure.
 */
import { stringify } from 'yaml';
import { ForgeError } from '../errors.ts';
import { planSchema } from '../plan/plan.ts';
import { type Chronicle, isModules } from '../views/chronicle.ts';
import { proposalOf } from '../views/proposal.ts';
import { readEditedPlan } from '../workflows/moves/edited-plan.ts';
import { readEdited } from '../workflows/waves/edited-plan.ts';

const header = `# Change the tasks and their waves, save, and leave the editor. An empty file changes nothing.
# Each wave is a list of task ids; waves are worked on in order.
`;
const modulesHeader = `# Change the modules (tasks), save, and leave the editor. An empty file changes nothing.
# A module starts when all it depends on is merged and nobody is at work on its files (writes).
`;
/** Begins what Forge says about a text in the text itself. */
const remark = '#! ';

export function editablePlan(chronicle: Chronicle): string {
  const proposal = proposalOf(chronicle);
  if (proposal === undefined) {
    throw new ForgeError('bad-input', 'There is no plan to edit yet', { hint: 'See forge status for what is asked.' });
  }
  const { waves, tasks } = proposal;
  const written = isModules(chronicle) ? { tasks } : { waves, tasks };
  const text = stringify(written, { lineWidth: 100, aliasDuplicateObjects: false });
  return `${isModules(chronicle) ? modulesHeader : header}${text}`;
}

/** Everything that is wrong with an edited plan, with its place; nothing when it can be used. */
export function planProblems(text: string, chronicle: Chronicle): readonly string[] {
  const proposal = proposalOf(chronicle);
  const plan = planSchema.parse({ objective: proposal?.requirement ?? '', tasks: [] });
  const edited = isModules(chronicle)
    ? readEditedPlan(text, plan)
    : readEdited(text, { plan, waves: proposal?.waves ?? [] });
  return edited.status === 'faulty' ? edited.problems : [];
}

/** The person's own text again, with what is wrong at its top: nobody types a plan twice. */
export function withRemarks(text: string, problems: readonly string[]): string {
  const own = text.split('\n').filter((line) => !line.startsWith(remark));
  const places = problems.map((problem) => problem.replace(/^line \d+, /, ''));
  return [...['This can not be used yet:', ...places].map((line) => `${remark}${line}`), ...own].join('\n');
}

export function requireUsablePlan(text: string, chronicle: Chronicle): void {
  const problems = planProblems(text, chronicle);
  if (problems.length === 0) return;
  const shown = problems.slice(0, 10).map((problem) => `\n  - ${problem}`);
  const more = problems.length > 10 ? `\n  (and ${problems.length - 10} more)` : '';
  throw new ForgeError('bad-plan', `The edited plan can not be used:${shown.join('')}${more}`, {
    hint: 'Nothing was answered; edit it again.',
  });
}
