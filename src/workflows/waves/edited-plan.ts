/** A plan that a person edited at the approval question: text becomes a plan with waves, or faults. Pure. */
import { parse } from 'yaml';
import type { Plan } from '../../plan/plan.ts';
import { validatePlan } from '../../plan/validate-plan.ts';
import { waveIssues } from '../../policy/waves.ts';

export interface PlanWithWaves {
  readonly plan: Plan;
  readonly waves: readonly (readonly string[])[];
}

export type Edited =
  | ({ readonly status: 'usable' } & PlanWithWaves)
  | { readonly status: 'faulty'; readonly problems: readonly string[] };

/** The text holds `tasks` and, if they changed, `waves`; everything else stays as it was. */
export function readEdited(text: string, before: PlanWithWaves): Edited {
  let value: unknown;
  try {
    value = parse(text, { maxAliasCount: 50 });
  } catch (error) {
    return { status: 'faulty', problems: [(error as Error).message.split('\n', 1)[0] ?? 'it is not YAML'] };
  }
  const fields = typeof value === 'object' && value !== null ? (value as Readonly<Record<string, unknown>>) : {};
  const valid = validatePlan({ ...before.plan, tasks: fields['tasks'] });
  if (valid.status === 'invalid')
    return { status: 'faulty', problems: valid.issues.map((issue) => `${issue.where}: ${issue.problem}`) };
  const waves = readWaves(fields['waves']) ?? before.waves;
  const issues = waveIssues(valid.plan.tasks, waves);
  if (issues.length > 0)
    return { status: 'faulty', problems: issues.map((issue) => `${issue.where}: ${issue.problem}`) };
  return { status: 'usable', plan: valid.plan, waves };
}

function readWaves(value: unknown): string[][] | undefined {
  if (!Array.isArray(value)) return undefined;
  return value.map((wave) => (Array.isArray(wave) ? wave.map(String) : [String(wave)]));
}
