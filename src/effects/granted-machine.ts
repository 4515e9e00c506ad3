/**
 * What a person let this run see of their machine: toolchains that the checks on the base could not find, and that they
 * agreed to show. Read from the run's facts, so that whoever works on the run next knows it too. Pure.
 */
import type { RunState } from '../engine/run-state.ts';
import { checkReportSchema, type HiddenProgram } from '../policy/check-report.ts';
import { grantQuestion, grantOption } from '../policy/machine-grant.ts';

export interface GrantedMachine {
  readonly readable: readonly string[];
  readonly env: Readonly<Record<string, string>>;
}

export function grantedMachine(state: Pick<RunState, 'effects' | 'questions'> | undefined): GrantedMachine {
  const granted = [...(state?.effects ?? [])].flatMap(([key, { kind, result }]): readonly HiddenProgram[] => {
    if (kind !== 'check.run' || result === undefined) return [];
    if (state?.questions.get(grantQuestion(key))?.answer?.option !== grantOption) return [];
    const report = checkReportSchema.safeParse(result.output);
    return report.success ? (report.data.hidden ?? []) : [];
  });
  return {
    readable: [...new Set(granted.flatMap((each) => each.readable))],
    env: Object.assign({}, ...granted.map((each) => each.env)) as Record<string, string>,
  };
}
