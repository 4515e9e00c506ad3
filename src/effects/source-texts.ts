/** Source files of a commit in languages that are read by syntax, within a bound of bytes. */
import { languageOf } from '../evidence/syntax/languages.ts';
import { listFiles } from '../git/changes.ts';
import type { Repository } from '../git/git.ts';
import { isPlainFile, readBlobs } from '../git/tree-edit.ts';

const limits = { eachBytes: 2_000_000, allBytes: 72_000_000 };

export interface SourceTexts {
  readonly files: readonly { readonly path: string; readonly text: string }[];
  /** Every path of the commit. */
  readonly all: readonly string[];
  /** Some sources were too large or too many. */
  readonly isPartial: boolean;
}

/** Of sources only those that hold one of the words; `always` are read whatever they hold. */
export async function sourceTexts(
  repo: Repository,
  commit: string,
  wanted: { readonly words: readonly string[]; readonly always?: readonly string[] },
): Promise<SourceTexts> {
  const entries = await listFiles(repo, commit);
  const always = new Set(wanted.always ?? []);
  const sources = entries.filter(
    (entry) => isPlainFile(entry) && (always.has(entry.path) || languageOf(entry.path) !== undefined),
  );
  const contents = await readBlobs(repo, [...new Set(sources.map(({ id }) => id))], limits);
  const files = sources.flatMap(({ path, id }) => {
    const content = contents.get(id);
    if (content === undefined || content.includes(0)) return [];
    const text = content.toString('utf8');
    return always.has(path) || wanted.words.some((word) => text.includes(word)) ? [{ path, text }] : [];
  });
  const isPartial = sources.some(({ id }) => !contents.has(id));
  return { files, all: entries.map(({ path }) => path), isPartial };
}
