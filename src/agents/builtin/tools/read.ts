/** Reads lines of a text file, numbered, in pieces a context can bear. */
import { z } from 'zod';
import { confinePath } from './confine.ts';
import { mustReadText } from './text-file.ts';
import { type BuiltinTool, ToolFailure } from './tool.ts';

const maxLineLength = 2000;
const maxCharacters = 60_000;

const schema = z.object({
  path: z.string().min(1).describe('File to read, relative to the workspace'),
  from: z.number().int().min(1).default(1).describe('First line, counted from 1'),
  lines: z.number().int().min(1).max(5000).default(1000).describe('How many lines at most'),
});
type Input = z.infer<typeof schema>;

export const readTool: BuiltinTool<Input> = {
  name: 'read',
  description: 'Read a text file. Every line is shown as its number, a tab and its text.',
  kind: 'read',
  schema,
  title: ({ path, from }) => (from === 1 ? `Read ${path}` : `Read ${path} from line ${from}`),
  paths: ({ path }) => [path],
  async run({ path, from, lines }, { root }) {
    return { text: numberLines(mustReadText(confinePath(root, path), path), { path, from, lines }) };
  },
};

export function numberLines(text: string, { path, from, lines }: Input): string {
  if (text === '') return `${path} is empty.`;
  const all = (text.endsWith('\n') ? text.slice(0, -1) : text).split('\n');
  if (from > all.length) throw new ToolFailure(`${path} has ${all.length} lines; line ${from} does not exist`);
  const shown: string[] = [];
  let characters = 0;
  for (const line of all.slice(from - 1, from - 1 + lines)) {
    const entry = `${from + shown.length}\t${cut(line)}`;
    characters += entry.length + 1;
    if (characters > maxCharacters && shown.length > 0) break;
    shown.push(entry);
  }
  const next = from + shown.length;
  const rest = all.length - next + 1;
  return shown.join('\n') + (rest > 0 ? `\n[${rest} more lines; continue with from: ${next}]` : '');
}

function cut(line: string): string {
  if (line.length <= maxLineLength) return line;
  return `${line.slice(0, maxLineLength)} [${line.length - maxLineLength} more characters in this line]`;
}
