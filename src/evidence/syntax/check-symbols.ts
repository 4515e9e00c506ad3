/**
 * Whether the names that a plan builds on exist: defined once, several times, nowhere, or not to be decided by
 * looking. What the plan itself will create is not looked for. Pure.
 */
import type { SymbolResult } from '../../policy/promises.ts';
import { definedNames } from './languages.ts';

export interface SymbolQuestion {
  readonly names: readonly string[];
  /** Names and files that the plan creates. */
  readonly created: readonly string[];
  readonly files: readonly { readonly path: string; readonly text: string }[];
  /** Not every file could be read, so nothing is missing for sure. */
  readonly isPartial?: boolean | undefined;
}

export function checkSymbols({ names, created, files, isPartial = false }: SymbolQuestion): readonly SymbolResult[] {
  const greenfield = new Set(created.flatMap((path) => [path, baseName(path), baseName(path).replace(/\.[^.]*$/, '')]));
  const wanted = new Set(names);
  const places = new Map<string, string[]>();
  for (const { path, text } of files) {
    if (![...wanted].some((name) => text.includes(lastPart(name)))) continue;
    for (const name of definedNames(path, text).keys()) places.set(name, [...(places.get(name) ?? []), path]);
  }
  return [...wanted].map((name): SymbolResult => {
    if (greenfield.has(name)) return { name, state: 'greenfield', detail: 'The plan creates it.' };
    if (/\$\{|[*?<>\s]/.test(name)) return { name, state: 'uncheckable', detail: 'Its name is made at run time.' };
    const found = places.get(lastPart(name)) ?? [];
    if (found.length === 1) return { name, state: 'verified', detail: found[0] ?? '' };
    if (found.length > 1) return { name, state: 'ambiguous', detail: found.slice(0, 5).join(', ') };
    if (isPartial) return { name, state: 'uncheckable', detail: 'The repository is too large to be read whole.' };
    return { name, state: 'missing', detail: 'No file defines it.' };
  });
}

/** Of `Class.method`, `module::name` and `name()` the name itself. */
function lastPart(name: string): string {
  return (
    name
      .replace(/\(.*$/, '')
      .split(/[.#:/]+/)
      .at(-1) ?? name
  );
}

function baseName(path: string): string {
  return path.slice(path.lastIndexOf('/') + 1);
}
