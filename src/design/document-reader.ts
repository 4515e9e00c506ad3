/**
 * Reads the documents of a design one by one, within a budget for all of them, and reports what cannot be read instead of
 * throwing. Pure but for the tree it is given.
 */
import { isUtf8 } from 'node:buffer';
import { type MarkdownDocument, readMarkdown } from '../markdown/markdown-document.ts';
import type { DesignProblems } from './design-problems.ts';
import { resolveLink, type SourceTree } from './source-tree.ts';

export interface OpenDocument {
  readonly file: string;
  readonly text: string;
  readonly document: MarkdownDocument;
}

export interface DocumentReader {
  readonly problems: DesignProblems;
  /** A document that has to be there: `fix` says what to write. */
  required(file: string, fix: string): OpenDocument | undefined;
  optional(file: string): OpenDocument | undefined;
  /** The Markdown files directly in a directory, in order of their names; none where there is no such directory. */
  listDocuments(dir: string): readonly string[];
  /** Where a link leads, reported when it leads out of the repository. */
  follow(from: { readonly file: string; readonly line: number }, url: string): string | undefined;
}

const mostBytes = 1024 * 1024;
const mostBytesInAll = 8 * 1024 * 1024;
const mostFiles = 1000;

export function openDocuments(tree: SourceTree, problems: DesignProblems): DocumentReader {
  let left = mostBytesInAll;
  const known = new Map<string, OpenDocument | undefined>();
  return { problems, required, optional, listDocuments, follow };

  function required(file: string, fix: string): OpenDocument | undefined {
    return open(file, fix);
  }

  function optional(file: string): OpenDocument | undefined {
    return open(file, undefined);
  }

  function open(file: string, fix: string | undefined): OpenDocument | undefined {
    if (known.has(file)) return known.get(file);
    const place = { file, line: 1 };
    const found = tree.read(file);
    if (found.status === 'absent') {
      if (fix !== undefined) problems.error(place, 'The file is missing.', fix);
      return undefined;
    }
    known.set(file, undefined);
    if (found.status === 'refused') {
      problems.error(place, `The file ${found.why}.`, 'Put a plain Markdown file there.');
      return undefined;
    }
    left -= found.bytes.length;
    if (found.bytes.length > mostBytes || left < 0) {
      const problem = found.bytes.length > mostBytes ? 'The file is too large.' : 'The design is too large to read.';
      problems.error(place, problem, 'Keep a file below 512 KiB and all of them below 8 MiB.');
      return undefined;
    }
    if (!isUtf8(found.bytes)) {
      problems.error(place, 'The file is no UTF-8 text.', 'Save it as UTF-8.');
      return undefined;
    }
    const text = found.bytes.toString('utf8');
    const reading = readMarkdown(text);
    if (reading.status === 'refused') {
      problems.error({ file, line: reading.line }, `The file ${reading.why}.`, `${reading.fix}.`);
      return undefined;
    }
    const opened = { file, text, document: reading.document };
    known.set(file, opened);
    return opened;
  }

  function listDocuments(dir: string): readonly string[] {
    const found = tree.list(dir);
    if (found.status === 'absent') return [];
    if (found.status === 'refused') {
      problems.error({ file: dir, line: 1 }, `The directory ${found.why}.`, 'Put a plain directory there.');
      return [];
    }
    const names = found.entries.filter(({ name }) => name.endsWith('.md') && name.toLowerCase() !== 'readme.md');
    // One that is opened by its name is reported there.
    for (const path of names.filter(({ kind }) => kind !== 'file').map(({ name }) => `${dir}/${name}`))
      open(path, undefined);
    const files = names.filter(({ kind }) => kind === 'file').map(({ name }) => `${dir}/${name}`);
    if (files.length > mostFiles)
      problems.error({ file: dir, line: 1 }, `There are more than ${mostFiles} files.`, 'Split the design.');
    return files.toSorted().slice(0, mostFiles);
  }

  function follow(from: { readonly file: string; readonly line: number }, url: string): string | undefined {
    const link = resolveLink(from.file, url);
    if (link.status === 'outside')
      problems.error(from, 'The link leads out of the repository.', 'Link to a file inside the repository.');
    return link.status === 'inside' ? link.path : undefined;
  }
}
