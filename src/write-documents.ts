/**
 * Keeps a run's documents on disk in step with its facts: in `.forge/` for people, and among the run's artifacts,
 * which agents may read. Projections only: they are written over and never read back. A document that can not be
 * written never stops a run: Forge says so once, and tries again after the next facts.
 * `.forge` comes with a repository: nothing there is written through.
 */
import { lstatSync } from 'node:fs';
import { join } from 'node:path';
import type { Fact, FactType } from './engine/facts.ts';
import type { Observer } from './engine/observers.ts';
import type { RunArtifacts } from './engine/run-artifacts.ts';
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
  readonly artifacts: RunArtifacts;
}

export function documentWriter(places: DocumentPlaces, before: readonly Fact[]): Observer {
  const chronicle = chronicleOf(before);
  const written = new Map<string, string>();
  const writing = new WriteQueue();
  if (before.length > 0) {
    const documents = documentsOf(chronicle);
    writing.add(() => catchUp(places, documents));
  }
  return {
    name: 'Writing documents',
    settled: () => writing.settled(),
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
        written.set(path, content);
        writing.add(
          () => writeDocument(places, path, content),
          () => written.delete(path),
        );
      }
      for (const path of earlier) {
        if (documents.some((document) => document.path === path)) continue;
        written.delete(path);
        writing.add(() => takeBack(places, path));
      }
      writing.throwFailure();
    },
  };
}

/** Writes one after the other. What fails is said once somebody asks, and undone where it can be tried again. */
class WriteQueue {
  #last: Promise<void> = Promise.resolve();
  #failure: { readonly error: unknown } | undefined;

  add(work: () => Promise<void>, whenFailed: () => void = () => {}): void {
    this.#last = this.#last.then(work).catch((error: unknown) => {
      this.#failure = { error };
      whenFailed();
    });
  }

  throwFailure(): void {
    const failed = this.#failure;
    this.#failure = undefined;
    if (failed !== undefined) throw failed.error;
  }

  async settled(): Promise<void> {
    await this.#last;
    this.throwFailure();
  }
}

/** A process that died between a fact and its documents left them behind: the run's own copies tell. */
async function catchUp(places: DocumentPlaces, documents: ReturnType<typeof documentsOf>): Promise<void> {
  try {
    for (const { path, content } of documents) {
      const own = await places.artifacts.read(`documents/${path}`);
      if (own?.toString('utf8') !== content) await writeDocument(places, path, content);
    }
  } catch {
    // They are written again after the next facts.
  }
}

/** A document that tells of a try which no longer counts. One that another run or a person wrote over it stays. */
async function takeBack({ root, artifacts }: DocumentPlaces, path: string): Promise<void> {
  const own = await artifacts.read(`documents/${path}`);
  if (own === undefined) return;
  const shown = readConfined(root, `.forge/${path}`);
  if (shown.status === 'read' && shown.bytes.equals(own)) removeConfined(root, `.forge/${path}`);
  await artifacts.remove(`documents/${path}`);
}

/** The run's own first: a checkout that can not be written to keeps nothing from it. Over a link rather than through it. */
async function writeDocument({ root, artifacts }: DocumentPlaces, path: string, content: string): Promise<void> {
  await artifacts.write(`documents/${path}`, content);
  // `.forge` of a repository may be a link to anywhere: only a real directory is written to.
  if (lstatSync(join(root, '.forge'), { throwIfNoEntry: false })?.isDirectory() !== true) return;
  // One that a person wrote or changed is theirs.
  writeConfined(root, '.forge/.gitignore', ignoredDocuments, { whenPresent: 'keep', isDurable: false });
  writeConfined(root, `.forge/${path}`, content, { isDurable: false });
}
