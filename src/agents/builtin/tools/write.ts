/** Writes a whole file, with the directories it needs. Mode and identity of an existing file stay. */
import { mkdirSync, statSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';
import { z } from 'zod';
import { messageOf } from '../../../errors.ts';
import { confinePath } from './confine.ts';
import { readText } from './text-file.ts';
import { type BuiltinTool, ToolFailure } from './tool.ts';

const schema = z.object({
  path: z.string().min(1).describe('File to write, relative to the workspace'),
  content: z.string().describe('The whole new content'),
});

export const writeTool: BuiltinTool<z.infer<typeof schema>> = {
  name: 'write',
  description: 'Create a file or replace the whole content of one. To change a part of a file use edit.',
  kind: 'edit',
  schema,
  title: ({ path }) => `Write ${path}`,
  paths: ({ path }) => [path],
  async run({ path, content }, { root }) {
    const file = confinePath(root, path);
    const before = readText(file);
    writeWholeFile(file, path, content);
    const size = `${Buffer.byteLength(content)} bytes`;
    return {
      text: before.status === 'missing' ? `Created ${path} (${size}).` : `Replaced ${path} (${size}).`,
      diff:
        before.status === 'unusable'
          ? undefined
          : { path: file, oldText: before.status === 'text' ? before.text : undefined, newText: content },
    };
  },
};

export function writeWholeFile(file: string, path: string, content: string): void {
  const entry = statSync(file, { throwIfNoEntry: false });
  if (entry !== undefined && !entry.isFile()) throw new ToolFailure(`${path} is not a regular file`);
  try {
    mkdirSync(dirname(file), { recursive: true });
    writeFileSync(file, content);
  } catch (error) {
    throw new ToolFailure(`${path} cannot be written: ${messageOf(error)}`);
  }
}
