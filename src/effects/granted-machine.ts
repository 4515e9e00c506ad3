/**
 * What a person let this run see of their machine: toolchains that the checks on the base could not find, and that they
 * agreed to show. Known from the run's facts, so that whoever works on the run next knows it too. Pure.
 */
import type { HiddenProgram } from '../policy/check-report.ts';

export interface GrantedMachine {
  readonly readable: readonly string[];
  readonly env: Readonly<Record<string, string>>;
}

export function grantedMachine(granted: readonly HiddenProgram[]): GrantedMachine {
  return {
    readable: [...new Set(granted.flatMap((each) => each.readable))],
    env: Object.assign({}, ...granted.map((each) => each.env)) as Record<string, string>,
  };
}
