/**
 * The packs of a project on disk: what they are made from, read from the checkout without following links, and the files
 * themselves. Only what differs is written, and an overlay goes with the task it was about.
 */
import { listConfined, readConfinedText, removeConfined, writeConfined } from '../files/confined.ts';
import { engineeringRoot } from './engineering-root.ts';

export interface FoundText {
  readonly path: string;
  readonly text: string;
}

export function architectureDocuments(root: string): readonly FoundText[] {
  return textsIn(root, `${engineeringRoot(root)}/architecture`);
}

export function roleTexts(root: string): readonly (FoundText & { readonly name: string })[] {
  return textsIn(root, '.forge/roles').map((found) => ({
    ...found,
    name: found.path.replace(/^.*\//, '').replace(/\.md$/, ''),
  }));
}

function textsIn(root: string, directory: string): readonly FoundText[] {
  const listed = listConfined(root, directory);
  if (listed.status !== 'read') return [];
  return listed.entries
    .flatMap(({ name, kind }) => (kind === 'file' && name.endsWith('.md') ? [name] : []))
    .sort()
    .flatMap((name) => {
      const text = readConfinedText(root, `${directory}/${name}`);
      return text === undefined ? [] : [{ path: `${directory}/${name}`, text }];
    });
}

export interface PackChanges {
  readonly written: readonly string[];
  readonly removed: readonly string[];
  readonly unchanged: number;
}

/** `directory`: where packs are. Files in it that nobody makes any more are removed. */
export function writePacks(
  root: string,
  {
    packs,
    directory,
    dryRun,
  }: { readonly packs: ReadonlyMap<string, string>; readonly directory: string; readonly dryRun: boolean },
): PackChanges {
  const changed = [...packs].filter(([path, text]) => readConfinedText(root, path) !== text);
  const overlays = listConfined(root, `${directory}/overlays`);
  const there = overlays.status === 'read' ? overlays.entries.filter(({ kind }) => kind === 'file') : [];
  const removed = there.map(({ name }) => `${directory}/overlays/${name}`).filter((path) => !packs.has(path));
  if (!dryRun) {
    for (const [path, text] of changed) writeConfined(root, path, text);
    for (const path of removed) removeConfined(root, path);
  }
  return { written: changed.map(([path]) => path), removed, unchanged: packs.size - changed.length };
}
