/**
 * Finishes what an earlier `land`, `undo` or `cleanup` was cut off from, before another one begins: branches, checkouts,
 * and the journal of the run they were moved for.
 */
import type { Forge } from '../compose.ts';
import { ForgeError } from '../errors.ts';
import { settleOperations } from '../git/move-branches.ts';

export async function settleInterrupted({ repo, engine }: Pick<Forge, 'repo' | 'engine'>): Promise<void> {
  await settleOperations(repo, async ({ run, moves, known }) => {
    try {
      await engine.recordRefs(run, moves, known);
    } catch (error) {
      // Its journal is gone: there is nobody left to tell.
      if (!(error instanceof ForgeError) || error.code !== 'unknown-run') throw error;
    }
  });
}
