/** Lands the result of a run that this process has brought to its end, and says what came of a landing. */

import type { ApiContext } from '../api/context.ts';
import type { ExecutionEnd, RunHandle } from '../api/facts.ts';
import { type Landed, landedBy, landRun } from '../api/land-run.ts';
import { performOperation } from '../api/operation.ts';
import { ForgeError } from '../errors.ts';
import { landCommand } from '../views/landing.ts';
import { printJson } from './print.ts';

/** `json`: one object, for a script that asked for the landing alone. `nothing`: where every line is a fact. */
export type LandedFormat = 'text' | 'json' | 'nothing';

/** After a run that is done: the branch that was named beforehand. What stands in the way can be fixed and tried again. */
export async function landInto(
  context: ApiContext,
  name: string,
  { into, as }: { into: string; as: LandedFormat },
): Promise<void> {
  const landed = await performOperation(landRun, context, { run: name, into }).catch((error: unknown) => {
    if (!(error instanceof ForgeError) || error.code !== 'land-refused') throw error;
    const again = `Then: ${landCommand(name, into)}`;
    throw new ForgeError(error.code, error.message, { hint: [error.hint, again].filter(Boolean).join('\n  ') });
  });
  if (!landed.isOpen) printLanded(landed, as);
}

interface LandingEnd {
  readonly handle: RunHandle;
  readonly branch: string;
  readonly end: ExecutionEnd;
  readonly as: LandedFormat;
}

/** What came of a landing that had to open the run and is over. A branch that was not moved is a refusal. */
export async function endLanding(context: ApiContext, { handle, branch, end, as }: LandingEnd): Promise<void> {
  const { run: name, state } = handle;
  const outcome = await landedBy(context, name);
  if (outcome?.status === 'landed') {
    const made = state.refs.filter(({ ref, after }) => ref === `refs/heads/${branch}` && after === outcome.commit);
    const moves = made.slice(-1).map(({ ref, before, after }) => ({ ref, before, after }));
    return printLanded({ run: name, branch, commit: outcome.commit, moves }, as);
  }
  const reason = outcome?.reason ?? (end.status === 'stopped' ? end.reason : 'the landing was cancelled');
  throw new ForgeError('land-refused', `${branch} was not moved: ${reason}`, {
    hint: `The result is kept. To land it again: ${landCommand(name, branch)}`,
  });
}

export function printLanded({ run, branch, commit, moves }: LandedResult, as: LandedFormat): void {
  const landed = { run, branch, commit, moves };
  if (as === 'json') printJson(landed);
  if (as === 'text') sayLanded(landed);
}

type LandedResult = Pick<Landed, 'run' | 'branch' | 'commit' | 'moves'>;

function sayLanded({ run: name, branch, commit, moves }: LandedResult): void {
  const at = commit.slice(0, 12);
  console.log(moves.length === 0 ? `${branch} has ${name} already (${at}).` : `${branch} is now at ${at} (${name}).`);
  if (moves.length > 0) console.log(`  To take it back: forge undo ${name}`);
}
