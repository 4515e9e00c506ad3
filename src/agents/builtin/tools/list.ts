/** Lists files and directories, or finds files by a glob. Bounded. */
import { statSync } from 'node:fs';
import picomatch from 'picomatch';
import { z } from 'zod';
import { confinePath } from './confine.ts';
import { type BuiltinTool, ToolFailure } from './tool.ts';
import { walkFiles } from './walk.ts';

const maxShown = 1000;

const schema = z.object({
  path: z.string().default('.').describe('Directory, relative to the workspace'),
  depth: z.number().int().min(1).max(20).default(2).describe('How many levels deep, without files'),
  files: z.string().optional().describe('Only files that match this glob, at any depth, e.g. src/**/*.ts or *.md'),
});

export const listTool: BuiltinTool<z.infer<typeof schema>> = {
  name: 'list',
  description: 'List a directory, or find files by a glob. Does not look into .git and node_modules.',
  kind: 'search',
  schema,
  title: ({ path, files }) => (files === undefined ? `List ${path}` : `Find ${files} in ${path}`),
  paths: ({ path }) => [path],
  async run({ path, depth, files }, { root }) {
    const directory = confinePath(root, path);
    if (statSync(directory, { throwIfNoEntry: false })?.isDirectory() !== true) {
      throw new ToolFailure(`${path} is not a directory`);
    }
    const matches = files === undefined ? undefined : fileMatcher(files);
    const shown: string[] = [];
    const complete = walkFiles(directory, matches === undefined ? depth : 100, (entry) => {
      if (matches === undefined || (entry.kind !== 'directory' && matches(entry.path))) shown.push(entry.path);
      return shown.length < maxShown;
    });
    const more = complete ? '' : '\n[There is more. Name a directory further down, or a narrower glob.]';
    return { text: (shown.length === 0 ? 'Nothing found.' : shown.join('\n')) + more };
  },
};

/** A glob without a slash means the file's name, wherever it is. */
export function fileMatcher(glob: string): (path: string) => boolean {
  try {
    return picomatch(glob.replace(/^\.\//, ''), { dot: true, basename: !glob.includes('/') });
  } catch (error) {
    throw new ToolFailure(`${glob} is not a glob: ${String(error)}`);
  }
}
