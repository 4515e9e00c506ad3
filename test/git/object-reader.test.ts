import { execFileSync } from 'node:child_process';
import { readdirSync, readFileSync, readlinkSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { readObjectInfo, readObjects } from '../../src/git/object-reader.ts';
import { gitStarted } from '../../src/git/run-git.ts';
import { makeRepo, type TestRepo } from './support.ts';

const count = (): number => gitStarted.get('cat-file') ?? 0;

describe('object-reader', () => {
  it('answers many questions from one process, in the order asked for', async () => {
    const user = makeRepo();
    const repo = await user.open();
    const ids = Array.from({ length: 50 }, (_, at) => store(user, `text ${at}\n`.repeat(at)));
    const before = count();
    const found = await Promise.all(ids.map(async (id) => (await readObjects(repo, [id])).get(id)?.toString()));
    expect(found).toEqual(ids.map((_, at) => `text ${at}\n`.repeat(at)));
    const tree = user.git('rev-parse', 'HEAD^{tree}');
    const absent = 'f'.repeat(40);
    expect(await readObjectInfo(repo, [`${repo.head}^{tree}`, absent, ids[3] ?? ''])).toEqual([
      { id: tree, type: 'tree', size: expect.any(Number) as number },
      undefined,
      { id: ids[3], type: 'blob', size: 21 },
    ]);
    expect(await readObjects(repo, [absent])).toEqual(new Map());
    // One, but for a machine so slow that it has ended in between.
    expect(count() - before).toBeLessThan(4);
  });

  it('gives every byte of large objects and of bytes that are no text', async () => {
    const user = makeRepo();
    const repo = await user.open();
    const bytes = Buffer.alloc(3_000_001, 'x\n\0ÿ', 'latin1');
    const id = store(user, bytes);
    const small = store(user, '');
    const found = await readObjects(repo, [id, small, id]);
    expect(found.get(id)?.equals(bytes)).toBe(true);
    expect(found.get(small)?.length).toBe(0);
  });

  it('sees what was stored after it was started, loose or packed', async () => {
    const user = makeRepo();
    const repo = await user.open();
    await readObjectInfo(repo, [repo.head]);
    const loose = store(user, 'later\n');
    expect((await readObjects(repo, [loose])).get(loose)?.toString()).toBe('later\n');
    const next = user.commit('second', { 'b.txt': 'packed\n' });
    user.git('gc', '-q', '--prune=now');
    const blob = user.git('rev-parse', `${next}:b.txt`);
    expect((await readObjects(repo, [blob])).get(blob)?.toString()).toBe('packed\n');
  });

  it('starts another one when the first was killed, and tells whoever waited', async () => {
    const user = makeRepo();
    const repo = await user.open();
    await readObjectInfo(repo, [repo.head]);
    for (const pid of readersIn(repo.engineDir)) process.kill(pid, 'SIGKILL');
    await expect.poll(() => readersIn(repo.engineDir), { timeout: 600_000 }).toEqual([]);
    await expect.poll(async () => (await readObjectInfo(repo, [repo.head]).catch(() => []))[0]?.type).toBe('commit');
  });

  it('ends by itself when nobody asks any more', async () => {
    const user = makeRepo();
    const repo = await user.open();
    await readObjectInfo(repo, [repo.head]);
    expect(readersIn(repo.engineDir)).toHaveLength(1);
    await expect.poll(() => readersIn(repo.engineDir), { timeout: 600_000 }).toEqual([]);
  });

  it('takes full ids only', async () => {
    const repo = await makeRepo().open();
    await expect(readObjectInfo(repo, ['HEAD'])).rejects.toThrow('no full id');
    await expect(readObjects(repo, [`${repo.head}\ncontents x`])).rejects.toThrow('no full id');
  });
});

function store({ root }: TestRepo, content: string | Uint8Array): string {
  return execFileSync('git', ['hash-object', '-w', '--stdin'], { cwd: root, input: content, encoding: 'utf8' }).trim();
}

/** Processes that read objects for this repository. */
function readersIn(directory: string): number[] {
  return readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .filter((pid) => {
      try {
        const line = readFileSync(`/proc/${pid}/cmdline`, 'utf8');
        return line.includes('--batch-command') && readlinkSync(`/proc/${pid}/cwd`) === directory;
      } catch {
        return false;
      }
    })
    .map(Number);
}
