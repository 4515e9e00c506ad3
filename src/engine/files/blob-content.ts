/**
 * Takes what is large out of a fact's data and puts it back. Long texts, and lists or objects that are large as a whole,
 * become `{"$blob": <name>, "bytes": n}`; data that looks like that by itself is kept in a blob too, so that nothing an
 * agent says is ever mistaken for one. What is put back is read when somebody looks at it, so that a run with many large
 * prompts does not hold them all in memory.
 */

/** Where content is kept by name. */
export interface ContentStore {
  put(content: string): string;
  read(name: string): string;
}

/** A text of more characters leaves the journal. */
const longText = 2048;
/** A list or object of more characters as JSON leaves it as a whole. */
const largeValue = 8192;
/** The property that stands for what was taken out. */
export const blobProperty = '$blob';
/** Fields that say the same in many facts of a run, from this many characters on: they are kept once. */
const repeated: ReadonlySet<string> = new Set(['resultSchema', 'modules']);
const worthKeepingOnce = 256;

/** Facts whose data can be large. */
const fields: ReadonlyMap<string, readonly string[]> = new Map([
  ['effect.started', ['input']],
  ['effect.finished', ['output']],
  ['question.asked', ['page', 'draft']],
  ['run.ended', ['output']],
]);
/** Those whose values have a fixed shape: a name of a blob does not fit it. The others are any JSON. */
const shaped: ReadonlySet<string> = new Set(['question.asked']);

export function hasShapedBlobs(type: string): boolean {
  return shaped.has(type);
}

/** The data as it is written: small. */
export function extractBlobs(type: string, data: unknown, store: ContentStore): unknown {
  const large = fields.get(type);
  if (large === undefined) return data;
  const entries = Object.entries(data as Readonly<Record<string, unknown>>);
  return Object.fromEntries(
    entries.map(([name, value]) => [name, large.includes(name) ? extract(value, store).value : value]),
  );
}

/** The data as it was. What was taken out is read whenever it is looked at. */
export function restoreBlobs(data: unknown, store: ContentStore): unknown {
  if (typeof data !== 'object' || data === null || Array.isArray(data) || !holdsBlob(data)) return data;
  const restored: Record<string, unknown> = {};
  for (const [name, value] of Object.entries(data)) define(restored, name, value, store);
  return restored;
}

interface Extracted {
  readonly value: unknown;
  /** Characters as JSON, roughly. */
  readonly size: number;
}

function extract(value: unknown, store: ContentStore): Extracted {
  if (typeof value === 'string') {
    if (value.length <= longText) return { value, size: value.length + 2 };
    return kept({ [blobProperty]: store.put(value), bytes: Buffer.byteLength(value) });
  }
  if (typeof value !== 'object' || value === null) return { value, size: 8 };
  // A list goes as a whole: a file for each of its parts would cost more than it saves.
  if (Array.isArray(value)) return asWhole(value, JSON.stringify(value).length, store);
  if (Object.hasOwn(value, blobProperty)) return asWhole(value, Number.POSITIVE_INFINITY, store);
  const parts = Object.entries(value).map(([name, item]) => [name, extractField(name, item, store)] as const);
  const size = parts.reduce((sum, [name, part]) => sum + name.length + part.size + 4, 2);
  return asWhole(Object.fromEntries(parts.map(([name, part]) => [name, part.value])), size, store, value);
}

function extractField(name: string, value: unknown, store: ContentStore): Extracted {
  if (!repeated.has(name) || typeof value !== 'object' || value === null) return extract(value, store);
  const json = JSON.stringify(value);
  return json.length < worthKeepingOnce ? extract(value, store) : keptWhole(json, store);
}

/** `whole` is what it was before its own parts were taken out. */
function asWhole(value: unknown, size: number, store: ContentStore, whole = value): Extracted {
  if (size <= largeValue && !(Array.isArray(value) && holdsBlob(value))) return { value, size };
  return keptWhole(JSON.stringify(whole), store);
}

function keptWhole(json: string, store: ContentStore): Extracted {
  return kept({ [blobProperty]: store.put(json), bytes: Buffer.byteLength(json), json: true });
}

function kept(value: Readonly<Record<string, unknown>>): Extracted {
  return { value, size: 100 };
}

/** An enumerable property like any other: whoever reads, copies or compares it gets the content. */
function define(target: Record<string, unknown>, name: string, value: unknown, store: ContentStore): void {
  const reference = asReference(value);
  const property =
    reference === undefined
      ? { value: restoreBlobs(value, store), writable: true }
      : {
          get: () =>
            reference.json ? (JSON.parse(store.read(reference.name)) as unknown) : store.read(reference.name),
        };
  Object.defineProperty(target, name, { ...property, enumerable: true, configurable: true });
}

function holdsBlob(value: unknown): boolean {
  if (Array.isArray(value)) return value.some(holdsBlob);
  if (typeof value !== 'object' || value === null) return false;
  return Object.hasOwn(value, blobProperty) || Object.values(value).some(holdsBlob);
}

function asReference(value: unknown): { readonly name: string; readonly json: boolean } | undefined {
  if (typeof value !== 'object' || value === null || !Object.hasOwn(value, blobProperty)) return undefined;
  const { [blobProperty]: name, json } = value as { readonly [blobProperty]?: unknown; readonly json?: unknown };
  return { name: String(name), json: json === true };
}
