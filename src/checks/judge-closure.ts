/**
 * Everything of the judge commit that its checks lead to: what the commands mention, what package scripts, makefiles and
 * scripts mention in turn, and the configuration of the tools that are named on the way, with what that imports. Whatever
 * of it a commit changes, judges from the old version. Computed over the judge alone, so nothing that a commit says can
 * make it smaller; bounded in files and bytes, and remembered by judge and commands.
 */
import { posix } from 'node:path';
import { isCode, isStartedIn, mentionedWords, possiblePaths } from '../evidence/judge/mentions.ts';
import { holdsTests, isRunAsTest, judgesWhenImported, judgesWhenMentioned } from '../evidence/judge/places.ts';
import { isReadByTools } from '../evidence/judge/tool-files.ts';
import { isJudgeFile } from '../evidence/judge-files.ts';
import { type VerifyCommand } from '../plan/command-line.ts';
import { quoteCommand } from '../plan/quote-command.ts';

export interface ClosureFile {
  /** Of the check that leads there. */
  readonly label: string;
  /** The file that mentions it; undefined where the command itself does. */
  readonly via: string | undefined;
}

export interface Closure {
  readonly files: ReadonlyMap<string, ClosureFile>;
  /** Paths that are looked for and do not exist: a commit that adds one would be obeyed. */
  readonly awaited: ReadonlyMap<string, ClosureFile>;
}

export interface ClosureRequest {
  readonly commands: readonly VerifyCommand[];
  /** Commands of the project itself may wait for files; what a plan names, its tasks are to bring. */
  readonly isOwn: (place: number) => boolean;
  /** Every path of the judge commit. */
  readonly paths: readonly string[];
  /** Package scripts that a command line leads to, with the directory that they run in. */
  readonly scriptTexts: (command: VerifyCommand) => readonly { readonly text: string; readonly cwd: string }[];
  readonly read: (paths: readonly string[]) => Promise<ReadonlyMap<string, string>>;
}

const maxFiles = 400;
const maxAwaited = 4000;
const maxHops = 8;

interface Source {
  readonly text: string;
  /** The file that says it; undefined for a command line or a package script. */
  readonly path: string | undefined;
  readonly cwd: string;
  readonly label: string;
  readonly own: boolean;
}

export async function judgeClosure(request: ClosureRequest): Promise<Closure> {
  const tree = treeOf(request.paths);
  const files = new Map<string, ClosureFile>();
  const awaited = new Map<string, ClosureFile>();
  const seen = new Set<string>();
  let sources: Source[] = request.commands.flatMap((command, place) => {
    const common = { path: undefined, label: quoteCommand(command.argv), own: request.isOwn(place) };
    const line = { text: command.argv.join(' '), cwd: command.cwd };
    return [line, ...request.scriptTexts(command)].map((said) => ({ ...common, ...said }));
  });
  const said = sources.map(({ text }) => text);
  for (let hop = 0; hop < maxHops && sources.length > 0 && files.size < maxFiles; hop += 1) {
    const next = new Map<string, Omit<Source, 'text'>>();
    for (const source of sources) {
      for (const path of reachedFrom(source, tree, awaited)) {
        if (seen.has(path) || files.size >= maxFiles) continue;
        seen.add(path);
        // What is judged by its name anyway is only read on, to see what it mentions.
        if (!isJudgeFile(path)) files.set(path, { label: source.label, via: source.path });
        next.set(path, { path, cwd: source.cwd, label: source.label, own: source.own });
      }
    }
    const [first] = sources;
    for (const path of request.paths) {
      if (first === undefined || seen.has(path) || !isReadByTools(path, said)) continue;
      seen.add(path);
      next.set(path, { path, cwd: first.cwd, label: first.label, own: true });
    }
    const texts = await request.read([...next.keys()]);
    sources = [...next].flatMap(([path, source]) => {
      const text = texts.get(path);
      return text === undefined ? [] : [{ ...source, text }];
    });
    said.push(...sources.filter(({ path = '' }) => !isCode(path)).map(({ text }) => text));
  }
  return { files, awaited };
}

function reachedFrom(source: Source, tree: Tree, awaited: Map<string, ClosureFile>): readonly string[] {
  const { path, cwd, text, label, own } = source;
  const here = path === undefined ? cwd : posix.dirname(path);
  const directories = [...new Set([here, ...above(here), cwd, '.'])];
  // Configuration is code too, but what it names are set-up files, reporters and the like.
  const imports = path !== undefined && isCode(path) && !isJudgeFile(path);
  return mentionedWords(path ?? '', text).flatMap((word) => {
    const possible = possiblePaths(word, directories);
    const found = possible.find((each) => tree.files.has(each));
    if (found === undefined) {
      const looksLikeFile = /[./]/.test(word) && /\.\w{1,8}$|^\.[a-z]/.test(word);
      if (own && looksLikeFile && !imports && awaited.size < maxAwaited) {
        for (const directory of new Set([here, cwd, '.'])) {
          const wanted = posix.normalize(posix.join(directory, word));
          if (!wanted.startsWith('..') && judgesWhenMentioned(wanted)) awaited.set(wanted, { label, via: path });
        }
      }
      return word.includes('/') ? inDirectory(word, directories, tree) : [];
    }
    if (isJudgeFile(found) || (path === undefined && isRunAsTest(found, text))) return [found];
    const judges =
      path !== undefined && imports
        ? judgesWhenImported(found, path)
        : judgesWhenMentioned(found, isStartedIn(text, word));
    return judges ? [found] : [];
  });
}

const mostInDirectory = 100;

/** A directory of scripts or plugins that is named as a whole. One of tests holds evidence, which is measured. */
function inDirectory(word: string, from: readonly string[], tree: Tree): readonly string[] {
  const named = from.map((each) => posix.normalize(posix.join(each, word)).replace(/\/$/, ''));
  const directory = named.find((each) => tree.directories.has(each));
  if (directory === undefined || holdsTests(directory)) return [];
  const inside: string[] = [];
  for (const path of tree.files) {
    if (path.startsWith(`${directory}/`) && judgesWhenImported(path, '')) inside.push(path);
    if (inside.length >= mostInDirectory) break;
  }
  return inside;
}

interface Tree {
  readonly files: ReadonlySet<string>;
  readonly directories: ReadonlySet<string>;
}

function treeOf(paths: readonly string[]): Tree {
  const directories = new Set<string>();
  for (const path of paths) {
    for (let end = path.lastIndexOf('/'); end > 0; end = path.lastIndexOf('/', end - 1)) {
      const directory = path.slice(0, end);
      if (directories.has(directory)) break;
      directories.add(directory);
    }
  }
  return { files: new Set(paths), directories };
}

function above(directory: string): readonly string[] {
  const parts = directory.split('/');
  return parts.map((_, place) => parts.slice(0, place).join('/') || '.');
}
