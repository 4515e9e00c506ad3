/**
 * Searches text files by a regular expression. Bounded in files, matches and time: the expression comes from a model and
 * may take forever, so it runs where the engine can stop it, and never blocks the agent for longer than its share.
 */
import { lstatSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { createContext, Script } from 'node:vm';
import { z } from 'zod';
import { messageOf } from '../../../errors.ts';
import { confinePath, relativePathText } from './confine.ts';
import { fileMatcher } from './list.ts';
import { readText } from './text-file.ts';
import { type BuiltinTool, ToolFailure } from './tool.ts';
import { walkFiles } from './walk.ts';

const maxMatches = 200;
const maxLineLength = 300;
const fileMs = 1000;

const schema = z.object({
  pattern: z.string().min(1).max(1000).describe('JavaScript regular expression, matched line by line'),
  path: z.string().default('.').describe('Directory or file, relative to the workspace'),
  files: z.string().optional().describe('Only in files that match this glob, e.g. src/**/*.ts or *.md'),
  ignoreCase: z.boolean().default(false),
});
type Input = z.infer<typeof schema>;

export const searchTool: BuiltinTool<Input> = {
  name: 'search',
  description: 'Search the text of files. Answers with path:line:text. Does not look into .git and node_modules.',
  kind: 'search',
  schema,
  title: ({ pattern, path }) => `Search ${pattern} in ${path}`,
  paths: ({ path }) => [path],
  async run(input, { root }) {
    const start = confinePath(root, input.path);
    const entry = statSync(start, { throwIfNoEntry: false });
    if (entry === undefined) throw new ToolFailure(`${input.path} does not exist`);
    const find = lineFinder(input);
    const found: string[] = [];
    const look = (file: string): boolean => {
      const reading = readText(file);
      if (reading.status !== 'text') return true;
      for (const { line, text } of find(reading.text, maxMatches - found.length)) {
        found.push(`${relativePathText(root, file)}:${line}:${text}`);
      }
      return found.length < maxMatches;
    };
    const complete = entry.isDirectory() ? searchTree(start, input.files, look) : look(start);
    const more = complete ? '' : '\n[There is more. Search a directory further down, or for something narrower.]';
    return { text: (found.length === 0 ? 'Nothing found.' : found.join('\n')) + more };
  },
};

function searchTree(start: string, files: string | undefined, look: (file: string) => boolean): boolean {
  const matches = files === undefined ? () => true : fileMatcher(files);
  return walkFiles(start, 100, ({ path, kind }) => {
    const file = join(start, path);
    // Links are not followed: what they lead to is found where it is.
    if (kind !== 'file' || !matches(path) || lstatSync(file, { throwIfNoEntry: false })?.isFile() !== true) return true;
    return look(file);
  });
}

interface Found {
  readonly line: number;
  readonly text: string;
}

/** `vm` is not containment and is not used as one: it is the way to give a regular expression a time limit. */
function lineFinder({ pattern, ignoreCase }: Input): (text: string, limit: number) => readonly Found[] {
  try {
    void new RegExp(pattern, 'u');
  } catch (error) {
    throw new ToolFailure(`${pattern} is not a regular expression (${messageOf(error)}); escape special characters`);
  }
  const box: { text: string; limit: number; found: string } = { text: '', limit: 0, found: '' };
  const context = createContext(box);
  const expression = `new RegExp(${JSON.stringify(pattern)}, ${JSON.stringify(ignoreCase ? 'iu' : 'u')})`;
  const script = new Script(`{
    const expression = ${expression};
    const out = [];
    const lines = text.split('\\n');
    for (let i = 0; i < lines.length && out.length < limit; i += 1) {
      if (expression.test(lines[i])) out.push({ line: i + 1, text: lines[i].trimEnd().slice(0, ${maxLineLength}) });
    }
    found = JSON.stringify(out);
  }`);
  return (text, limit) => {
    box.text = text;
    box.limit = limit;
    try {
      script.runInContext(context, { timeout: fileMs });
    } catch (error) {
      throw new ToolFailure(`the expression takes too long (${messageOf(error)}); use a simpler one`);
    }
    return JSON.parse(box.found) as readonly Found[];
  };
}
