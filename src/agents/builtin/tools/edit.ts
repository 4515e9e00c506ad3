/**
 * Replaces one exact piece of a file. The piece must occur exactly once, so that no edit lands somewhere else than
 * meant; when it does not, the answer says what was found instead. Line ends are taken as the file has them.
 */
import { z } from 'zod';
import { confinePath } from './confine.ts';
import { mustReadText } from './text-file.ts';
import { type BuiltinTool, ToolFailure } from './tool.ts';
import { writeWholeFile } from './write.ts';

const schema = z.object({
  path: z.string().min(1).describe('File to change, relative to the workspace'),
  old: z.string().describe('Exact text to replace, without line numbers; it must occur exactly once'),
  new: z.string().describe('Text to put in its place'),
  all: z.boolean().default(false).describe('Replace every occurrence instead'),
});
type Input = z.infer<typeof schema>;

export const editTool: BuiltinTool<Input> = {
  name: 'edit',
  description:
    'Replace an exact piece of text in a file. Read the file first; add lines around it if it is not unique.',
  kind: 'edit',
  schema,
  title: ({ path }) => `Edit ${path}`,
  paths: ({ path }) => [path],
  async run(input, { root }) {
    const file = confinePath(root, input.path);
    const before = mustReadText(file, input.path);
    const { text, count } = replaceText(before, input);
    writeWholeFile(file, input.path, text);
    return {
      text: `Replaced ${count === 1 ? 'one piece' : `${count} pieces`} of ${input.path}.`,
      diff: { path: file, oldText: before, newText: text },
    };
  },
};

export function replaceText(before: string, input: Input): { readonly text: string; readonly count: number } {
  const { path, all } = input;
  if (input.old === '') throw new ToolFailure('`old` is empty; use write to create or replace a file');
  const windows = before.includes('\r\n') && !input.old.includes('\r\n');
  const lineEnds = (text: string) => (windows ? text.replaceAll('\n', '\r\n') : text);
  const [oldText, newText] = [lineEnds(input.old), lineEnds(input.new)];
  if (oldText === newText) throw new ToolFailure('`old` and `new` are the same: nothing would change');
  const pieces = before.split(oldText);
  const count = pieces.length - 1;
  if (count === 0) throw new ToolFailure(`The text \`old\` does not occur in ${path}. ${nearest(before, oldText)}`);
  if (count > 1 && !all) {
    const lines = linesOf(pieces, oldText).slice(0, 10).join(', ');
    throw new ToolFailure(
      `The text \`old\` occurs ${count} times in ${path} (lines ${lines}). Add surrounding lines until it is unique, or set all.`,
    );
  }
  // Two occurrences that overlap are split as one, and nobody knows which was meant.
  if (!all && before.indexOf(oldText) !== before.lastIndexOf(oldText))
    throw new ToolFailure(
      `The text \`old\` occurs twice in ${path}, overlapping. Add surrounding lines until it is unique.`,
    );
  return { text: pieces.join(newText), count };
}

function linesOf(pieces: readonly string[], oldText: string): readonly number[] {
  let line = 1;
  return pieces.slice(0, -1).map((piece) => {
    line += breaks(piece);
    const found = line;
    line += breaks(oldText);
    return found;
  });
}

function breaks(text: string): number {
  return text.split('\n').length - 1;
}

/** Most misses are about white space: the lines that are the same without it are shown as they are. */
function nearest(before: string, oldText: string): string {
  const bare = (text: string) => text.replaceAll(/\s+/g, '');
  const lines = before.split('\n');
  const wanted = oldText
    .split('\n')
    .map(bare)
    .filter((line) => line !== '');
  const [first] = wanted;
  const at = first === undefined ? -1 : lines.findIndex((line) => bare(line) === first);
  if (at === -1) return 'Read the file again: it may have changed.';
  const piece = lines.slice(at, at + Math.min(oldText.split('\n').length, 20)).map((line) => line.slice(0, 500));
  return `The nearest place is line ${at + 1}, exactly:\n${piece.join('\n')}`;
}
