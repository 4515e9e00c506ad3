/** `sources.read`: files of a commit as text for a prompt, in the order asked for, while there is room. */
import { setImmediate as turn } from 'node:timers/promises';
import type { Performer } from '../engine/performer.ts';
import { listFiles, type TreeEntry } from '../git/changes.ts';
import { isPlainFile, readBlobs } from '../git/tree-edit.ts';
import { coverageOf } from '../plan/coverage.ts';
import type { EffectDeps } from './deps.ts';

/** So many files are read by one call of git: enough to fill any prompt, few enough to stop between. */
const batchSize = 64;
/** Everything else of the process gets a turn after so many files. */
const filesPerTurn = 2_000;
const limits = { eachBytes: 8_000_000, allBytes: 64_000_000 };

export function sourcesRead({ repo, redactor }: EffectDeps): Performer<'sources.read'> {
  return {
    async perform({ commit, paths, chars }, { signal }) {
      signal.throwIfAborted();
      const wanted = await expand(paths, await listFiles(repo, commit), signal);
      const files: { path: string; text: string; cut: boolean }[] = [];
      const omitted: string[] = [];
      let room = chars;
      for (let at = 0; at < wanted.length; at += batchSize) {
        signal.throwIfAborted();
        const batch = wanted.slice(at, at + batchSize);
        const ids = room > 0 ? batch.map(({ id }) => id) : [];
        const contents = await readBlobs(repo, ids, limits);
        for (const { path, id } of batch) {
          const content = room > 0 ? contents.get(id) : undefined;
          const text =
            content === undefined || content.includes(0) ? undefined : redactor.redact(content.toString('utf8'));
          if (text === undefined) omitted.push(path);
          else files.push({ path, text: text.slice(0, room), cut: text.length > room });
          room -= text?.length ?? 0;
        }
      }
      return { files, omitted };
    },
  };
}

/** Patterns become the files they match; each file once, where it was first asked for. */
async function expand(
  paths: readonly string[],
  entries: readonly TreeEntry[],
  signal: AbortSignal,
): Promise<readonly TreeEntry[]> {
  const coverage = coverageOf(paths);
  const found: TreeEntry[][] = paths.map(() => []);
  for (const [at, entry] of entries.entries()) {
    if (at % filesPerTurn === filesPerTurn - 1) {
      await turn();
      signal.throwIfAborted();
    }
    const place = isPlainFile(entry) ? coverage.first(entry.path)?.place : undefined;
    if (place !== undefined) found[place]?.push(entry);
  }
  return found.flat();
}
