/** `forge land [run] [--into <branch>]`: moves a branch of the user's to the result of a run. */
import { type Landed, landedBy, landRun } from '../api/land-run.ts';
import { landableRun } from '../api/landable-run.ts';
import { type ApiContext, openContext, perform } from '../api/operation.ts';
import { ForgeError } from '../errors.ts';
import { landCommand } from '../views/landing.ts';
import type { Call } from './commands.ts';
import { printJson } from './print.ts';

export async function run({ words: [name], values, switches }: Call): Promise<number> {
  const context = openContext({ cwd: process.cwd(), watcher: { whenWaiting: 'leave' } });
  const wanted = await landableRun(context, { run: name, into: values['into'] });
  const landed = await settled(context, await perform(landRun, context, { ...wanted, force: switches.has('force') }));
  if (switches.has('json')) printJson(landed);
  else sayLanded(landed);
  return 0;
}

/** After a run that is done: the branch that was named beforehand. What stands in the way can be mended and tried again. */
export async function landInto(
  context: ApiContext,
  name: string,
  { into, json }: { into: string; json: boolean },
): Promise<void> {
  const landed = await perform(landRun, context, { run: name, into }).catch((error: unknown) => {
    if (!(error instanceof ForgeError) || error.code !== 'land-refused') throw error;
    const again = `Then: ${landCommand(name, into)}`;
    throw new ForgeError(error.code, error.message, { hint: [error.hint, again].filter(Boolean).join('\n  ') });
  });
  const there = await settled(context, landed);
  if (!json) sayLanded(there);
}

/** Waits for a landing that had to open the run: its branch had moved. */
async function settled(context: ApiContext, { handle, ...landed }: Landed): Promise<Landed> {
  if (handle === undefined) return landed;
  const { run: name, branch } = landed;
  process.stderr.write(`note: ${branch} has moved; the result is put on top of it and checked again\n`);
  const end = await handle.ended;
  const outcome = await landedBy(context, name);
  if (outcome?.status === 'landed') {
    const made = handle.state.refs.filter(
      ({ ref, after }) => ref === `refs/heads/${branch}` && after === outcome.commit,
    );
    return { ...landed, commit: outcome.commit, moves: made.map(({ ref, before, after }) => ({ ref, before, after })) };
  }
  const reason = outcome?.reason ?? (end.status === 'waiting' ? 'a question is open' : end.reason);
  throw new ForgeError('land-refused', `${branch} was not moved: ${reason}`, {
    hint:
      outcome === undefined
        ? `Look at it with forge show ${name}, then: forge resume ${name}`
        : landCommand(name, branch),
  });
}

function sayLanded({ run: name, branch, commit, moves }: Landed): void {
  const at = commit.slice(0, 12);
  console.log(moves.length === 0 ? `${branch} has ${name} already (${at}).` : `${branch} is now at ${at} (${name}).`);
  if (moves.length > 0) console.log(`  To take it back: forge undo ${name}`);
}
