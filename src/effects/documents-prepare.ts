/**
 * `documents.prepare`: files of the engine's own as a commit on top of the integration head. Objects only, no checkout, so no
 * link that a commit plants can lead a write astray. Texts may come from models: they are redacted like a fact.
 */
import { posix } from 'node:path';
import type { EffectRequest } from '../engine/effect-map.ts';
import type { Performer } from '../engine/performer.ts';
import { ForgeError } from '../errors.ts';
import { isSourceDirectory } from '../evidence/file-users.ts';
import { isJudgeFile } from '../evidence/judge-files.ts';
import { isTestFile } from '../evidence/test-files.ts';
import { listFiles, treeOf } from '../git/changes.ts';
import { writeCommit } from '../git/commit.ts';
import { encodePath } from '../git/raw-path.ts';
import { editTree, isPlainFile, readBlobs, writeBlob } from '../git/tree-edit.ts';
import type { TreeEdit } from '../git/write-trees.ts';
import { fillMarks } from '../policy/document-marks.ts';
import { pathGuards } from '../policy/protected-paths.ts';
import type { EffectDeps } from './deps.ts';

type DocumentFile = EffectRequest<'documents.prepare'>['files'][number];

const limits = { eachBytes: 16_000_000, allBytes: 64_000_000 };

export function documentsPrepare({ repo, redactor, settings }: EffectDeps): Performer<'documents.prepare'> {
  return {
    async perform({ message, files }, { run, snapshot, clock }) {
      const before = snapshot.integration ?? run.base;
      const now = clock.now();
      for (const { path } of files) requirePath(path);
      const guardOf = pathGuards(settings.scope);
      for (const { path } of files) if (!isDocument(path) || guardOf(path) !== undefined) throw notDocument(path);
      const known = new Map((await listFiles(repo, before)).map((entry) => [entry.path, entry]));
      const edits: TreeEdit[] = [];
      for (const file of files) {
        const entry = known.get(file.path);
        const blobs = isPlainFile(entry) ? await readBlobs(repo, [entry.id], limits) : new Map<string, Buffer>();
        const text = textOf(file, entry === undefined ? '' : (blobs.get(entry.id)?.toString('utf8') ?? ''));
        const raw = encodePath(file.path);
        if (text === undefined && entry !== undefined) edits.push({ raw, entry: undefined });
        if (text === undefined) continue;
        const id = await writeBlob(repo, redactor.redact(fillMarks(text, now)));
        edits.push({ raw, entry: { mode: isPlainFile(entry) ? entry.mode : '100644', id } });
      }
      const tree = await editTree(repo, before, edits);
      if (tree === (await treeOf(repo, before))) return { status: 'empty', before };
      const author = settings.commits.as;
      const made = { tree, parent: before, message: redactor.redact(message), run: run.id, authors: [], author };
      return { status: 'ready', before, commit: await writeCommit(repo, { ...made, date: now }) };
    },
  };
}

function textOf({ text, append }: DocumentFile, before: string): string | undefined {
  return append === undefined ? text : `${before}${append}`;
}

/** Relative, and nothing that git or a person would read as another place. */
function requirePath(path: string): void {
  const parts = path.split('/');
  const isSound = parts.every((part) => part !== '' && part !== '.' && part !== '..' && !/^\.git$/i.test(part));
  // oxlint-disable-next-line no-control-regex -- exactly these must not be there
  if (isSound && !/[\u0000-\u001f\\]/.test(path)) return;
  throw new ForgeError('bad-input', `${JSON.stringify(path.slice(0, 200))} cannot be the path of a document`, {
    hint: 'Use a path relative to the repository, without "..".',
  });
}

/** Documents are merged without checks, so they are not code, no test and nothing that a check or an agent obeys. */
function isDocument(path: string): boolean {
  if (/\.(?:md|markdown)$/i.test(path)) return true;
  return /\.json$/i.test(path) && !isJudgeFile(path) && !isTestFile(path) && !isSourceDirectory(posix.dirname(path));
}

function notDocument(path: string): ForgeError {
  return new ForgeError('bad-input', `${JSON.stringify(path.slice(0, 200))} cannot be a document of a run`, {
    hint: 'Documents are Markdown and JSON files outside of source code, tests and protected paths. Let a task write anything else.',
  });
}
