import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { abandonedOperations, newOperation, operationsDir } from '../../src/git/operation-file.ts';
import type { Repository } from '../../src/git/git.ts';
import { tempDir } from '../support/temp.ts';

it('reads what an older Forge wrote down before it died', async () => {
  const repo = { dataDir: tempDir(), id: 'r-1' } as Repository;
  const tip = { ref: 'refs/forge/x', before: undefined, after: 'a'.repeat(40) };
  const now = newOperation({ kind: 'undo', run: 'x', moves: [], ownRefs: [tip] });
  const { ownRefs: also, ...rest } = now;
  mkdirSync(operationsDir(repo), { recursive: true });
  writeFileSync(join(operationsDir(repo), `${now.id}.json`), JSON.stringify({ ...rest, version: 1, also }));
  expect(await abandonedOperations(repo)).toEqual([now]);
});
