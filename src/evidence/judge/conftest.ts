/**
 * conftest.py is test code and can also decide what is collected and what passes. Every change is reported.
 * Overlay: fixtures are the commit's, because its tests need them; hooks are the base's. A commit that touches
 * a top-level block with a hook, a plugin list, an ignore list or code that reaches into pytest gets the base's
 * file whole (a part of Python cannot be swapped safely), and a new file with such a block is removed.
 */
import { blankSource } from '../weakened/blank.ts';

export function conftestChange(before: string | undefined, after: string | undefined): string[] {
  if (after === undefined) return ['deleted'];
  const touched = judgingBlocks(before ?? '') !== judgingBlocks(after);
  if (touched) return ['hooks changed: the version before judges'];
  return [before === undefined ? 'added, fixtures only' : 'changed, fixtures only'];
}

export function conftestOverlay(base: string | undefined, commit: string): string | undefined {
  return judgingBlocks(base ?? '') === judgingBlocks(commit) ? commit : base;
}

const judgingWords =
  /\bpytest_\w+|\bcollect_ignore\w*|\bhookimpl\b|\bhookspec\b|\b_pytest\b|\bpluggy\b|\b(?:exec|eval|compile|globals|setattr|__import__|vars|locals)\s*\(|\bimportlib\b|\bimport\s*\*|\bsys\.(?:modules|exit)\b|\b_exit\b|\bos\.(?:kill|abort)\b|\bSystemExit\b|\bunittest\.(?:TestCase|case|main)\b|\batexit\b|__dict__|__class__|\bautouse\s*=|\bbuiltins\b/;

/** `unittest.mock.x = …` at the top: another module is changed for every test. */
const patches = /^[A-Za-z_]\w{0,80}(?:\.\w{1,80}){1,8}\s{0,9}=(?!=)/;

/** The top-level blocks of code that judge, comments left out; equal text means equal judgement. */
function judgingBlocks(source: string): string {
  const code = blankSource(source, 'python').split(/\r?\n/);
  const raw = source.split(/\r?\n/);
  const blocks: { code: string[]; raw: string[] }[] = [];
  let decorated = false;
  for (const [index, line] of code.entries()) {
    const starts = /^\S/.test(line) && !/^[)\]}]/.test(line) && !/^(?:else|elif|except|finally)\b/.test(line);
    if (starts && !decorated) blocks.push({ code: [], raw: [] });
    if (starts) decorated = line.startsWith('@');
    const block = blocks.at(-1);
    if (block === undefined || line.trim() === '') continue;
    block.code.push(line);
    block.raw.push((raw[index] ?? '').trimEnd());
  }
  return blocks
    .filter((block) => judgingWords.test(block.code.join('\n')) || block.code.some((line) => patches.test(line)))
    .map((block) => block.raw.join('\n'))
    .join('\n\n');
}
