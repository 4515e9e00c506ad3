/** A plan with waves that a person edited at the approval question. Pure. */
import { type Plan, planSchema } from '../../plan/plan.ts';
import { readEditedPlan } from '../moves/edited-plan.ts';
import { waveIssues } from './wave-rules.ts';

export interface PlanWithWaves {
  readonly plan: Plan;
  readonly waves: readonly (readonly string[])[];
  /** What a person may want to know about the plan. */
  readonly warnings: readonly string[];
}

export type EditedWaves =
  | ({ readonly status: 'usable' } & PlanWithWaves)
  | { readonly status: 'faulty'; readonly problems: readonly string[] };

/** The text holds `tasks` and, if they changed, `waves`; everything else stays as it was. */
export function readEditedWaves(text: string, before: Omit<PlanWithWaves, 'warnings'>): EditedWaves {
  const edited = readEditedPlan(text, before.plan);
  if (edited.status === 'faulty') return edited;
  const { plan, warnings, fields, describe } = edited;
  const waves = readWaves(fields['waves']) ?? before.waves;
  const issues = waveIssues(plan.tasks, waves);
  if (issues.length > 0) return { status: 'faulty', problems: issues.map(describe) };
  return { status: 'usable', plan, waves, warnings };
}

/** `draft` is the text that was edited. */
export function editProblems(text: string, draft: string): readonly string[] {
  const plan = planSchema.parse({ objective: '', tasks: [] });
  const before = readEditedPlan(draft, plan);
  const waves = before.status === 'usable' ? (readWaves(before.fields['waves']) ?? []) : [];
  const edited = readEditedWaves(text, { plan, waves });
  return edited.status === 'faulty' ? edited.problems : [];
}

function readWaves(value: unknown): string[][] | undefined {
  if (!Array.isArray(value)) return undefined;
  return value.map((wave) => (Array.isArray(wave) ? wave.map(String) : [String(wave)]));
}
