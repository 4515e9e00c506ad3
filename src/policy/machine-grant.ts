/** The question whether a run may see toolchains of a person's machine, and how its answer is known. Pure. */
import type { HiddenProgram } from './check-report.ts';
import { toolchainSetting } from './toolchain.ts';

/** The option that shows them. */
export const grantOption = 'show';

/** Below the key of the check that could not start. */
export function grantQuestion(key: string): string {
  return `${key}/machine`;
}

export function describeGrant(hidden: readonly HiddenProgram[]) {
  const lines = hidden.map(({ program, at, manager }) => `${program} is at ${at} (${manager}).`);
  const paths = [...new Set(hidden.flatMap((each) => each.readable))].map((path) => `  ${path}`);
  return {
    title: 'The checks cannot start in the jail: programs in your home are not visible there. Show them?',
    detail: [
      ...lines,
      'Checks and agents of this run would be able to read, and not to write:',
      ...paths,
      'To show them to every run, add this to .forge/config.yaml:',
      toolchainSetting(hidden),
    ].join('\n'),
    options: [
      { id: grantOption, label: 'Show them to this run, read-only', recommended: true },
      { id: 'again', label: 'Try again; I changed the settings' },
      { id: 'stop', label: 'Stop here' },
    ],
    topic: 'machine',
  };
}
