/**
 * The proposed plan as text that a person can change, and the check of what comes back. The run reads the same two
 * fields: `tasks`, and `waves` as lists of task ids. Pure.
 */
import { parse, stringify } from 'yaml';
import { ForgeError } from '../errors.ts';
import { validatePlan } from '../plan/validate-plan.ts';
import { waveIssues } from '../policy/waves.ts';
import type { Chronicle } from '../views/chronicle.ts';
import { proposalOf } from '../views/proposal.ts';

const header = `# Change the tasks and their waves, save, and leave the editor. An empty file changes nothing.
# Each wave is a list of task ids; waves are worked on in order.
`;

export function editablePlan(chronicle: Chronicle): string {
  const proposal = proposalOf(chronicle);
  if (proposal === undefined) {
    throw new ForgeError('bad-input', 'There is no plan to edit yet', { hint: 'See forge status for what is asked.' });
  }
  return (
    header +
    stringify({ waves: proposal.waves, tasks: proposal.tasks }, { lineWidth: 100, aliasDuplicateObjects: false })
  );
}

export function requireUsablePlan(text: string, chronicle: Chronicle): void {
  const problems = problemsOf(text, chronicle);
  if (problems.length === 0) return;
  const [first = '', ...more] = problems;
  throw new ForgeError(
    'bad-plan',
    `The edited plan can not be used: ${first}${more.length === 0 ? '' : ` (and ${more.length} more)`}`,
    {
      hint: 'Nothing was answered; edit it again.',
    },
  );
}

function problemsOf(text: string, chronicle: Chronicle): readonly string[] {
  const proposal = proposalOf(chronicle);
  let value: unknown;
  try {
    value = parse(text, { maxAliasCount: 50 });
  } catch (error) {
    return [(error as Error).message.split('\n', 1)[0] ?? 'it is not YAML'];
  }
  const { tasks, waves } = (typeof value === 'object' && value !== null ? value : {}) as {
    tasks?: unknown;
    waves?: unknown;
  };
  const valid = validatePlan({ objective: proposal?.requirement ?? '', tasks });
  if (valid.status === 'invalid') return valid.issues.map((issue) => `${issue.where}: ${issue.problem}`);
  const grouping = Array.isArray(waves)
    ? waves.map((wave) => (Array.isArray(wave) ? wave.map(String) : [String(wave)]))
    : proposal?.waves;
  return waveIssues(valid.plan.tasks, grouping ?? []).map((issue) => `${issue.where}: ${issue.problem}`);
}
