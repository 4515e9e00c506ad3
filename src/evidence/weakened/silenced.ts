/**
 * A comment that takes a whole file out of a check: of a type checker, a linter, a measure of coverage. The check then
 * passes and has looked at nothing. One line or one rule that is let off is everyday work; a whole file is for a person to
 * see. Only what a change adds, over all its files, so that a file which only moved is not news. Pure and linear.
 */
import { lineFinder } from './outline.ts';

export interface TextChange {
  readonly path: string;
  readonly before: string;
  readonly after: string;
}

export interface Silence {
  readonly path: string;
  readonly line: number;
  /** The comment, shortened. */
  readonly words: string;
}

export function addedSilence(changes: readonly TextChange[]): Silence[] {
  const known = new Map<string, number>();
  for (const { before } of changes)
    for (const { words } of findIn(before)) known.set(words, (known.get(words) ?? 0) + 1);
  return changes.flatMap(({ path, after }) => {
    const lineOf = lineFinder(after);
    return findIn(after).flatMap(({ words, index }): Silence[] => {
      const left = known.get(words) ?? 0;
      known.set(words, left - 1);
      return left > 0 ? [] : [{ path, line: lineOf(index), words }];
    });
  });
}

/** At the start of a line, because a sentence or a string may speak of such a comment. */
const silences =
  /^[ \t]{0,40}(?:\/\/|\/\*|#!?|\{?\/\*\*?)[ \t*]{0,9}(?:@ts-nocheck|(?:eslint|oxlint|tslint|stylelint)[-:]disable[ \t]{0,9}(?:\*\/|$|--)|biome-ignore-all|(?:istanbul|c8|v8)[ \t]ignore[ \t](?:file|start)|mypy:[ \t]{0,9}ignore-errors|(?:ruff|flake8)[:=][ \t]{0,9}noqa[ \t]{0,9}$|pylint:[ \t]{0,9}(?:skip-file|disable=all)|pytype:[ \t]{0,9}skip-file|type:[ \t]{0,9}ignore[ \t]{0,9}$|pyright:[ \t]{0,9}(?:ignore|basic)[ \t]{0,9}$|\[allow\((?:warnings|clippy::all|unused)\)\])/gm;

function findIn(text: string): readonly { readonly words: string; readonly index: number }[] {
  return [...text.matchAll(silences)].map((match) => ({ words: match[0].trim().slice(0, 80), index: match.index }));
}
