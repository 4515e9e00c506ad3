/**
 * Keeps a run's documents on disk in step with its facts: in `.forge/` for people, and in the run's own directory,
 * which agents may read. Projections only: they are written over and never read back. A document that can not be
 * written never stops a run: Forge says so once, and tries again after the next facts.
 * `.forge` comes with a repository: nothing there is written through.
 */
import { lstatSync, mkdirSync } from 'node:fs';
import { join } from 'node:path';
import type { Fact, FactType } from './engine/facts.ts';
import type { Observer } from './engine/observers.ts';
import { readConfined, removeConfined, writeConfined } from './files/confined.ts';
import { advanceChronicle, chronicleOf } from './views/chronicle.ts';
import { documentsOf } from './views/documents/documents.ts';
import { ignoredDocuments } from './views/documents/ignored-documents.ts';

/** Facts after which a document may read differently. */
const telling: ReadonlySet<FactType> = new Set([
  'note.recorded',
  'plan.accepted',
  'question.answered',
  'effect.finished',
  'task.started',
  'task.ended',
  'task.reopened',
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

export function documentWriter(places: DocumentPlaces, before: readonly Fact[]): Observer {
  const chronicle = chronicleOf(before);
  const written = new Map<string, string>();
  if (before.length > 0) catchUp(places, documentsOf(chronicle));
  return {
    name: 'Writing documents',
    take: (facts) => {
      const earlier = new Set<string>();
      for (const fact of facts) {
        if (fact.type === 'task.reopened') for (const { path } of documentsOf(chronicle)) earlier.add(path);
        advanceChronicle(chronicle, fact);
      }
      if (!facts.some((fact) => telling.has(fact.type))) return;
      const documents = documentsOf(chronicle);
      for (const { path, content } of documents) {
        if (written.get(path) === content) continue;
        for (const target of targets(places)) writeDocument(target, path, content);
        written.set(path, content);
      }
      for (const path of earlier) {
        if (documents.some((document) => document.path === path)) continue;
        takeBack(places, path);
        written.delete(path);
      }
    },
  };
}

/** A process that died between a fact and its documents left them behind: the run's own copies tell. */
function catchUp(places: DocumentPlaces, documents: ReturnType<typeof documentsOf>): void {
  try {
    for (const { path, content } of documents) {
      const own = readConfined(places.directory, `documents/${path}`);
      if (own.status === 'read' && own.bytes.toString('utf8') === content) continue;
      for (const target of targets(places)) writeDocument(target, path, content);
    }
  } catch {
    // As below: a pity, and no more.
  }
}

/** A folder below a directory that is taken as it is. */
interface Target {
  readonly root: string;
  readonly folder: string;
}

/** `.forge` of a repository may be a link to anywhere: only a real directory is written to. */
function targets({ root, directory }: DocumentPlaces): readonly Target[] {
  mkdirSync(directory, { recursive: true });
  const own = { root: directory, folder: 'documents' };
  if (lstatSync(join(root, '.forge'), { throwIfNoEntry: false })?.isDirectory() !== true) return [own];
  // The run's own first: a checkout that can not be written to keeps nothing from it.
  return [own, { root, folder: '.forge' }];
}

/** A document that tells of a try which no longer counts. One that another run or a person wrote over it stays. */
function takeBack({ root, directory }: DocumentPlaces, path: string): void {
  const own = readConfined(directory, `documents/${path}`);
  if (own.status !== 'read') return;
  const shown = readConfined(root, `.forge/${path}`);
  if (shown.status === 'read' && shown.bytes.equals(own.bytes)) removeConfined(root, `.forge/${path}`);
  removeConfined(directory, `documents/${path}`);
}

/** Over a link rather than through it. */
function writeDocument({ root, folder }: Target, path: string, content: string): void {
  // One that a person wrote or changed is theirs.
  if (folder === '.forge')
    writeConfined(root, '.forge/.gitignore', ignoredDocuments, { whenPresent: 'keep', isDurable: false });
  writeConfined(root, `${folder}/${path}`, content, { isDurable: false });
}
