/**
 * Refs that were moved for a run after it was over: landings and undos. A journal ends with its run, so these are kept
 * beside it, one line each. A move is written before it is made: if the process dies in between, undoing finds the ref
 * where it was and leaves it alone.
 */
import { appendFileSync, existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { z } from 'zod';
import { syncFile } from '../engine/durable-file.ts';
import { refMoveSchema } from '../engine/facts.ts';
import type { RunState } from '../engine/run-state.ts';
import { ForgeError } from '../errors.ts';
import type { RefMove } from '../git/git.ts';

const lineSchema = z.strictObject({
  at: z.string(),
  why: z.enum(['land', 'land-refused', 'undo']),
  ...refMoveSchema.shape,
});

/** Every move of a run, in the order they happened. */
export function allMoves(state: Readonly<RunState>, directory: string): readonly RefMove[] {
  return [...state.refs, ...laterMoves(directory)].map(({ ref, before, after }) => ({ ref, before, after }));
}

export function noteMoves(directory: string, why: z.infer<typeof lineSchema>['why'], moves: readonly RefMove[]): void {
  if (moves.length === 0) return;
  const at = new Date().toISOString();
  const lines = moves.map(({ ref, before, after }) => `${JSON.stringify({ at, why, ref, before, after })}\n`);
  appendFileSync(fileIn(directory), lines.join(''), { mode: 0o600 });
  syncFile(fileIn(directory));
}

function laterMoves(directory: string): readonly z.infer<typeof lineSchema>[] {
  const file = fileIn(directory);
  if (!existsSync(file)) return [];
  const lines = readFileSync(file, 'utf8').split('\n').slice(0, -1);
  return lines.map((line, index) => {
    try {
      return lineSchema.parse(JSON.parse(line));
    } catch (cause) {
      throw new ForgeError('journal-corrupt', `${file}, line ${index + 1}: it is not a move of a ref`, {
        hint: 'The file was changed by something other than Forge.',
        cause,
      });
    }
  });
}

function fileIn(directory: string): string {
  return join(directory, 'moves.jsonl');
}
