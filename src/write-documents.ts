/**
 * Keeps a run's documents on disk in step with its facts: in `.forge/` for people, and in the run's own directory,
 * which agents may read. Projections only: they are written over and never read back. A document that can not be
 * written is a pity, not a reason to stop a run.
 */
import { lstatSync, mkdirSync, renameSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Fact, FactType } from './engine/facts.ts';
import { advanceChronicle, chronicleOf } from './views/chronicle.ts';
import { documentsOf } from './views/documents/documents.ts';

/** Facts after which a document may read differently. */
const telling: ReadonlySet<FactType> = new Set([
  'note.recorded',
  'plan.accepted',
  'question.answered',
  'effect.finished',
  'task.started',
  'task.ended',
  'run.opened',
  'run.suspended',
  'run.ended',
]);

export interface DocumentPlaces {
  /** Top of the user's checkout. */
  readonly root: string;
  /** The run's directory. */
  readonly directory: string;
}

export function documentWriter(places: DocumentPlaces, before: readonly Fact[]): (fact: Fact) => void {
  const chronicle = chronicleOf(before);
  const written = new Map<string, string>();
  return (fact) => {
    advanceChronicle(chronicle, fact);
    if (!telling.has(fact.type)) return;
    try {
      for (const { path, content } of documentsOf(chronicle)) {
        if (written.get(path) === content) continue;
        for (const directory of targets(places)) writeWhole(join(directory, path), content);
        written.set(path, content);
      }
    } catch {
      // The facts are safe; the next one tries again.
    }
  };
}

/** `.forge` of a repository may be a link to anywhere: only a real directory is written to. */
function targets({ root, directory }: DocumentPlaces): readonly string[] {
  const own = join(directory, 'documents');
  mkdirSync(own, { recursive: true });
  const shown = join(root, '.forge');
  return lstatSync(shown, { throwIfNoEntry: false })?.isDirectory() === true ? [shown, own] : [own];
}

/** Over a link rather than through it. */
function writeWhole(file: string, content: string): void {
  writeFileSync(`${file}.tmp`, content, { flag: 'w' });
  renameSync(`${file}.tmp`, file);
}
