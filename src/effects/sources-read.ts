/** `sources.read`: files of a commit as text for a prompt, in the order asked for, while there is room. */
import type { Performer } from '../engine/performer.ts';
import { listFiles, readFileAt } from '../git/changes.ts';
import { coveringPattern } from '../plan/overlap.ts';
import { compilePatterns } from '../plan/path-pattern.ts';
import type { EffectDeps } from './deps.ts';

export function sourcesRead({ repo, redactor }: EffectDeps): Performer<'sources.read'> {
  return {
    async perform({ commit, paths, chars }) {
      const files: { path: string; text: string; cut: boolean }[] = [];
      const omitted: string[] = [];
      let room = chars;
      for (const path of await expand(paths, async () => listFiles(repo, commit))) {
        const content = room > 0 ? await readFileAt(repo, commit, path) : undefined;
        const text =
          content === undefined || content.includes(0) ? undefined : redactor.redact(content.toString('utf8'));
        if (text === undefined) omitted.push(path);
        else files.push({ path, text: text.slice(0, room), cut: text.length > room });
        room -= text?.length ?? 0;
      }
      return { files, omitted };
    },
  };
}

/** Patterns become the files they match; each file once, where it was first asked for. */
async function expand(
  paths: readonly string[],
  list: () => Promise<readonly { readonly path: string; readonly mode: string }[]>,
): Promise<readonly string[]> {
  const known = (await list()).filter(({ mode }) => mode.startsWith('100')).map(({ path }) => path);
  const found = paths.flatMap((path) => {
    const patterns = compilePatterns([path]);
    return known.filter((file) => coveringPattern(patterns, file) !== undefined);
  });
  return [...new Set(found)];
}
