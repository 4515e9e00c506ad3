/**
 * Keeps a run's documents on disk in step with its facts: in `.forge/` for people, and among the run's artifacts,
 * which agents may read. Projections only: they are written over and never read back. A document that cannot be
 * written never stops a run: Forge says so once, and tries again after the next facts.
 * `.forge` comes with a repository: nothing there is written through.
 */
import { lstatSync } from 'node:fs';
import { join } from 'node:path';
import type { Fact, FactType } from './engine/facts.ts';
import type { Observer } from './engine/observers.ts';
import type { RunArtifacts } from './engine/run-artifacts.ts';
import { readConfined, removeConfined, writeConfined } from './files/confined.ts';
import { isSealed } from './gsd/sealed-document.ts';
import { advanceChronicle, type Chronicle, chronicleOf } from './views/chronicle.ts';
import { ignoredDocuments } from './views/ignored-documents.ts';

/** Facts after which a document may read differently. */
const telling: ReadonlySet<FactType> = new Set([
  'note.recorded',
  'plan.accepted',
  'question.answered',
  'effect.finished',
  'step.started',
  'step.ended',
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

export interface RunDocument {
  /** A bare file name; below another folder than `.forge`, a path. */
  readonly path: string;
  readonly content: string;
  readonly folder?: '.gsd';
  /** The text of somebody else that it may replace. */
  readonly over?: string;
}

/** What a workflow makes of a run; undefined for one that leaves no documents, or while it is not loaded. */
export type DocumentMaker = (workflow: string) => ((run: Chronicle) => readonly RunDocument[]) | undefined;

export function documentWriter(places: DocumentPlaces, before: readonly Fact[], maker: DocumentMaker): Observer {
  const chronicle = chronicleOf(before);
  const written = new Map<string, string>();
  const writing = new WriteQueue();
  let isBehind = before.length > 0;
  const ownMaker = () => maker(chronicle.state.created?.workflow ?? '');
  const documentsOf = (run: Chronicle): readonly RunDocument[] => ownMaker()?.(run) ?? [];
  return {
    name: 'Writing documents',
    settled: () => writing.settled(),
    take: (facts) => {
      if (isBehind && ownMaker() !== undefined) {
        isBehind = false;
        const documents = documentsOf(chronicle);
        writing.add(() => catchUp(places, documents));
      }
      const earlier = new Set<string>();
      for (const fact of facts) {
        if (fact.type === 'task.reopened')
          for (const { path, folder } of documentsOf(chronicle)) if (folder === undefined) earlier.add(path);
        advanceChronicle(chronicle, fact);
      }
      if (!facts.some((fact) => telling.has(fact.type))) return;
      const documents = documentsOf(chronicle);
      for (const document of documents) {
        const { path, content } = document;
        if (written.get(path) === content) continue;
        written.set(path, content);
        writing.add(
          () => writeDocument(places, document),
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
async function catchUp(places: DocumentPlaces, documents: readonly RunDocument[]): Promise<void> {
  try {
    for (const document of documents) {
      const own = await places.artifacts.read(`documents/${document.path}`);
      if (own?.toString('utf8') !== document.content) await writeDocument(places, document);
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

/**
 * The copy among the artifacts comes last: it tells whoever resumes that the document is where people look. A checkout that
 * cannot be written to keeps nothing from the artifacts.
 */
async function writeDocument(places: DocumentPlaces, document: RunDocument): Promise<void> {
  const { root, artifacts } = places;
  const { path, content, folder, over } = document;
  const own = folder === undefined ? undefined : (await artifacts.read(`documents/${path}`))?.toString('utf8');
  try {
    if (folder === undefined) showDocument(root, document);
    else if (mayReplace(root, `${folder}/${path}`, { content, over, own }))
      writeConfined(root, `${folder}/${path}`, content, { isDurable: false });
  } finally {
    await artifacts.write(`documents/${path}`, content);
  }
}

function showDocument(root: string, { path, content }: RunDocument): void {
  // `.forge` of a repository may be a link to anywhere: only a real directory is written to.
  if (lstatSync(join(root, '.forge'), { throwIfNoEntry: false })?.isDirectory() !== true) return;
  // One that a person wrote or changed is theirs.
  writeConfined(root, '.forge/.gitignore', ignoredDocuments, { whenPresent: 'keep', isDurable: false });
  writeConfined(root, `.forge/${path}`, content, { isDurable: false });
}

/** Nothing is there, or what this run or another wrote itself, or exactly what it said it would replace, or a beginning of it. */
function mayReplace(
  root: string,
  path: string,
  wanted: { readonly content: string; readonly over?: string | undefined; readonly own: string | undefined },
): boolean {
  const there = readConfined(root, path);
  if (there.status === 'absent') return true;
  if (there.status !== 'read') return false;
  const text = there.bytes.toString('utf8');
  if (text === wanted.content) return false;
  const isGrowing = path.endsWith('.jsonl') && wanted.content.startsWith(text);
  return isSealed(text) || text === wanted.over || text === wanted.own || isGrowing;
}
