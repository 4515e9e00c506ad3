/**
 * Which blobs may hold a word, without reading them again: a small signature per blob says which runs of three bytes it
 * has. A signature can say "maybe" for nothing, never "no" for a blob that holds the word, so whoever asks reads what is
 * left. A blob never changes, so it is read once per process; the commit of a task costs only its changed files. Binary
 * files hold no words, as for `git grep -I`, and neither do files beyond `largestBytes`, which nobody compares.
 */
import type { Buffer } from 'node:buffer';
import type { Repository } from './git.ts';
import { readObjectInfo, readObjects } from './object-reader.ts';

export interface IndexedBlob {
  readonly id: string;
}

/** A shorter word leaves no trace in a signature. */
export const shortestWord = 3;

const largestBytes = 8 * 1024 * 1024;
/** A tree that needs more than this is searched by git. */
const mostSignatureBytes = 48 * 1024 * 1024;
const infosAtOnce = 2000;
const bytesAtOnce = 4 * 1024 * 1024;

/**
 * The blobs that may hold one of the words, with the bytes each has; undefined where an index would take too much room.
 */
export async function blobsThatMayHold<T extends IndexedBlob>(
  repo: Repository,
  blobs: readonly T[],
  words: readonly Buffer[],
): Promise<readonly { readonly blob: T; readonly bytes: number }[] | undefined> {
  const store = storeOf(repo);
  // One after the other: what one search reads, the next one finds.
  const reading = store.reading.then(() => readSignatures(repo, store, blobs));
  store.reading = reading.then(nothing, nothing);
  if (!(await reading)) return undefined;
  const asked = words.map(trigramsOf);
  return blobs.flatMap((blob) => {
    const signature = store.signatures.get(blob.id);
    if (signature === undefined || !asked.some((trigrams) => hasAll(store, signature, trigrams))) return [];
    return [{ blob, bytes: signature.bytes }];
  });
}

interface Signature {
  readonly bytes: number;
  /** Where its bits begin, as a bit of the store. */
  readonly start: number;
  /** How many, as a power of two. */
  readonly log2: number;
}

interface Store {
  readonly signatures: Map<string, Signature>;
  bits: Uint8Array;
  usedBytes: number;
  /** One tree alone takes too much. */
  isFull: boolean;
  reading: Promise<unknown>;
}

/** By object store: nobody checked what another one holds under the same id. */
const stores = new Map<string, Store>();
const mostStores = 4;
const nothing = (): void => undefined;

function storeOf({ objectsDir }: Repository): Store {
  const known = stores.get(objectsDir);
  if (known !== undefined) return known;
  const bits = new Uint8Array(64 * 1024);
  const store: Store = { signatures: new Map(), bits, usedBytes: 0, isFull: false, reading: Promise.resolve() };
  stores.set(objectsDir, store);
  const [oldest] = stores.keys();
  if (stores.size > mostStores && oldest !== undefined) stores.delete(oldest);
  return store;
}

/** False when they do not fit. */
async function readSignatures(repo: Repository, store: Store, blobs: readonly IndexedBlob[]): Promise<boolean> {
  const wanted = [...new Set(blobs.map(({ id }) => id))];
  const fits = await readUnknown(repo, store, wanted);
  if (fits || store.isFull) return fits;
  // What is there may be of trees that nobody asks about any more.
  store.isFull = store.signatures.size < wanted.length * 1.5;
  store.signatures.clear();
  store.usedBytes = 0;
  store.bits = new Uint8Array(0);
  return !store.isFull && readUnknown(repo, store, wanted);
}

async function readUnknown(repo: Repository, store: Store, ids: readonly string[]): Promise<boolean> {
  const unknown = ids.filter((id) => !store.signatures.has(id));
  if (store.isFull) return false;
  for (let at = 0; at < unknown.length; at += infosAtOnce) {
    let batch: string[] = [];
    let room = bytesAtOnce;
    for (const info of await readObjectInfo(repo, unknown.slice(at, at + infosAtOnce))) {
      if (info?.type !== 'blob') continue;
      if (info.size > largestBytes) {
        store.signatures.set(info.id, wordless(info.size));
        continue;
      }
      if (info.size > room) {
        if (!(await signAll(repo, store, batch))) return false;
        [batch, room] = [[], bytesAtOnce];
      }
      batch.push(info.id);
      room -= info.size;
    }
    if (!(await signAll(repo, store, batch))) return false;
  }
  return true;
}

async function signAll(repo: Repository, store: Store, ids: readonly string[]): Promise<boolean> {
  for (const [id, content] of await readObjects(repo, ids)) {
    if (store.usedBytes > mostSignatureBytes) return false;
    store.signatures.set(id, sign(store, content));
  }
  return true;
}

function wordless(bytes: number): Signature {
  return { bytes, start: 0, log2: 0 };
}

function sign(store: Store, content: Buffer): Signature {
  const bytes = content.length;
  const isBinary = content.subarray(0, 8000).includes(0);
  if (isBinary || bytes < shortestWord) return wordless(bytes);
  // A file has far fewer different runs of three bytes than bytes.
  const log2 = Math.min(16, Math.max(7, Math.ceil(Math.log2(bytes / 2))));
  const start = reserve(store, 2 ** (log2 - 3)) * 8;
  const { bits } = store;
  let trigram = ((content[0] ?? 0) << 8) | (content[1] ?? 0);
  for (let at = 2; at < bytes; at += 1) {
    trigram = ((trigram << 8) | (content[at] ?? 0)) & 0xff_ff_ff;
    const bit = start + placeOf(trigram, log2);
    bits[bit >>> 3] = (bits[bit >>> 3] ?? 0) | (1 << (bit & 7));
  }
  return { bytes, start, log2 };
}

/** Answers the first byte of new room in the store. */
function reserve(store: Store, bytes: number): number {
  const start = store.usedBytes;
  store.usedBytes += bytes;
  if (store.usedBytes > store.bits.length) {
    const larger = new Uint8Array(Math.max(store.usedBytes, store.bits.length * 2));
    larger.set(store.bits);
    store.bits = larger;
  }
  return start;
}

function trigramsOf(word: Buffer): readonly number[] {
  const trigrams = new Set<number>();
  for (let at = 2; at < word.length; at += 1) trigrams.add(word.readUIntBE(at - 2, 3));
  return [...trigrams];
}

function hasAll({ bits }: Store, { start, log2 }: Signature, trigrams: readonly number[]): boolean {
  if (log2 === 0) return false;
  for (const trigram of trigrams) {
    const bit = start + placeOf(trigram, log2);
    if (((bits[bit >>> 3] ?? 0) & (1 << (bit & 7))) === 0) return false;
  }
  return true;
}

/** The high bits of a product spread neighbours. */
function placeOf(trigram: number, log2: number): number {
  return Math.imul(trigram, 0x9e3779b1) >>> (32 - log2);
}
