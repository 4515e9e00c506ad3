/**
 * Where a package is entered: `main`, `module` and the entries of `exports`. Tests that import a package by its own name
 * reach whatever these say, so a change could lead them past the code that others get. This gives a manifest with the
 * entry points of the base wherever their files still exist; new entry points stay. Pure.
 */
import { posix } from 'node:path';

export interface EntryPointQuestion {
  /** Of the manifest. */
  readonly path: string;
  readonly before: string;
  readonly after: string;
  /** Every path of the commit. */
  readonly there: ReadonlySet<string>;
}

/** Undefined where nothing differs, or nothing of it can be kept. */
export function keptEntryPoints({ path, before, after, there }: EntryPointQuestion): string | undefined {
  const [ours, theirs] = [parsed(before), parsed(after)];
  if (ours === undefined || theirs === undefined) return undefined;
  const isThere = (value: unknown): boolean => {
    const targets = targetsOf(value);
    return targets.length > 0 && targets.every((each) => isOpen(each) || there.has(placeOf(path, each)));
  };
  const entries = Object.fromEntries(
    Object.entries(exportsOf(ours['exports'])).filter(([, value]) => value === null || isThere(value)),
  );
  const fields = ['main', 'module'].flatMap((name) => (isThere(ours[name]) ? [[name, ours[name]] as const] : []));
  const exported = { ...exportsOf(theirs['exports']), ...entries };
  const kept = {
    ...theirs,
    ...Object.fromEntries(fields),
    ...(Object.keys(exported).length === 0 ? {} : { exports: exported }),
  };
  const entered = (file: Json): string => JSON.stringify([file['main'], file['module'], exportsOf(file['exports'])]);
  return entered(kept) === entered(theirs) ? undefined : `${JSON.stringify(kept, null, 2)}\n`;
}

type Json = Readonly<Record<string, unknown>>;

function parsed(text: string): Json | undefined {
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as Json) : undefined;
  } catch {
    return undefined;
  }
}

/** By subpath: a single target and a choice of conditions are those of the package itself. */
function exportsOf(value: unknown): Json {
  if (value === undefined) return {};
  const isMap = typeof value === 'object' && value !== null && !Array.isArray(value);
  return isMap && Object.keys(value).every((key) => key.startsWith('.')) ? (value as Json) : { '.': value };
}

const mostTargets = 100;

function targetsOf(value: unknown): readonly string[] {
  const found: string[] = [];
  const waiting: unknown[] = [value];
  for (let each = waiting.pop(); waiting.length < mostTargets * 2; each = waiting.pop()) {
    if (typeof each === 'string') found.push(each);
    else if (typeof each === 'object' && each !== null) waiting.push(...Object.values(each));
    if (waiting.length === 0 || found.length > mostTargets) break;
  }
  return found;
}

function isOpen(target: string): boolean {
  return target.includes('*');
}

function placeOf(manifest: string, target: string): string {
  return posix.join(posix.dirname(manifest), target);
}
