/** Moves of refs after a run is over: kept in order, after those of the run itself, and nothing else passes for one. */
import { appendFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { allMoves, noteMoves } from '../../src/api/later-moves.ts';
import { emptyState } from '../../src/engine/run-state.ts';
import { tempDir } from '../support/temp.ts';

describe('moves after a run', () => {
  it('follow the moves of the run', () => {
    const directory = tempDir();
    const state = { ...emptyState(), refs: [{ ref: 'refs/heads/forge/x', after: 'b' }] };
    noteMoves(directory, 'land', [{ ref: 'refs/heads/main', before: 'a', after: 'b' }]);
    noteMoves(directory, 'undo', []);
    noteMoves(directory, 'undo', [{ ref: 'refs/heads/forge/x', before: 'b', after: undefined }]);
    expect(allMoves(state, directory)).toEqual([
      { ref: 'refs/heads/forge/x', before: undefined, after: 'b' },
      { ref: 'refs/heads/main', before: 'a', after: 'b' },
      { ref: 'refs/heads/forge/x', before: 'b', after: undefined },
    ]);
  });

  it('refuse what somebody else wrote there, and leave out a line that was cut off', () => {
    const directory = tempDir();
    noteMoves(directory, 'land', [{ ref: 'refs/heads/main', before: 'a', after: 'b' }]);
    appendFileSync(join(directory, 'moves.jsonl'), '{"at":"now","why":"la');
    expect(allMoves(emptyState(), directory)).toHaveLength(1);
    appendFileSync(join(directory, 'moves.jsonl'), '\n');
    expect(() => allMoves(emptyState(), directory)).toThrow('moves.jsonl, line 2: it is not a move of a ref');
  });
});
