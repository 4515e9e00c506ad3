/**
 * No jail at all, for people who ask for it by name: programs run with the rights of the person. Only the private HOME
 * and TMPDIR are kept. Processes that leave their group and their parents are not ended; a jail would do that.
 */
import type { Jail } from './jail.ts';

export function makeUnjailed(): Jail {
  return {
    name: 'none',
    wrap: (command, policy) => ({ ...command, env: { ...command.env, HOME: policy.home, TMPDIR: policy.tmp } }),
  };
}

/** What every run without a jail must show. */
export const unjailedNotice =
  'No jail: agents and the code they write run with your rights. They can read and change all your files and use the network.';
