/**
 * Reads a command line as a POSIX shell would split it, and runs nothing. Everything a shell would act
 * on beyond quotes and escapes (operators, substitutions, expansions, comments) is reported, so that
 * the caller can refuse it; a line without operators and faults means the same with and without a shell.
 */

export interface ShellWord {
  readonly type: 'word';
  /** The argument, quotes and escapes resolved. */
  readonly value: string;
  /** As written. */
  readonly raw: string;
  /** The value with every quoted or escaped character replaced by NUL: what a shell could expand. */
  readonly bare: string;
}
interface Operator {
  readonly type: 'operator';
  readonly value: string;
}
export type ShellPiece = ShellWord | Operator;

export interface ShellFault {
  readonly kind: 'substitution' | 'open-quote' | 'open-escape' | 'control' | 'glob' | 'brace' | 'tilde' | 'comment';
  /** The offending text, short. */
  readonly text: string;
}

export interface ShellLine {
  readonly pieces: readonly ShellPiece[];
  readonly faults: readonly ShellFault[];
}

export function readShellLine(line: string): ShellLine {
  const pieces: ShellPiece[] = [];
  const faults: ShellFault[] = [];
  let at = 0;
  while (at < line.length) {
    const char = line.charAt(at);
    if (char === ' ' || char === '\t') {
      at++;
      continue;
    }
    const operator = operators.find((candidate) => line.startsWith(candidate, at));
    if (operator !== undefined) {
      pieces.push({ type: 'operator', value: operator });
      at += operator.length;
      continue;
    }
    const { word, end } = readWord(line, at, faults);
    pieces.push(word);
    faults.push(...expansions(word));
    at = end;
  }
  return { pieces, faults };
}

/** Longest first, so that `&&` is not read as `&` twice. */
const operators = [...'<<< &>> && || |& ;; >> >| >& << <& <> &> | & ; < > ( )'.split(' '), '\n'];

const QUOTED = '\0';
/** Within double quotes `$"` and `$'` are a dollar and a quote, as in `grep "end$" file`. */
const substitutionIn = { bare: /\$[({A-Za-z_0-9@*#?$!'"-]|`/y, quoted: /\$[({A-Za-z_0-9@*#?$!-]|`/y };
/** NUL and friends never belong into an argument; tabs may. */
// oxlint-disable-next-line no-control-regex
const control = /[\u0000-\u0008\u000a-\u001f\u007f]/;

function readWord(line: string, start: number, faults: ShellFault[]): { word: ShellWord; end: number } {
  let value = '';
  let bare = '';
  let quote = '';
  let at = start;
  for (; at < line.length; at++) {
    const char = line.charAt(at);
    if (quote === '' && /[ \t\n|&;<>()]/.test(char)) break;
    if (control.test(char)) faults.push({ kind: 'control', text: JSON.stringify(char) });
    if (quote !== "'") {
      const substitution = quote === '' ? substitutionIn.bare : substitutionIn.quoted;
      substitution.lastIndex = at;
      if (substitution.test(line)) faults.push({ kind: 'substitution', text: excerpt(line.slice(at)) });
    }
    if (char === quote) quote = '';
    else if (quote === '' && (char === "'" || char === '"')) quote = char;
    else if (char === '\\' && quote !== "'" && (quote === '' || /^["\\$`]/.test(line.slice(at + 1, at + 2)))) {
      at++;
      if (at >= line.length) faults.push({ kind: 'open-escape', text: '\\' });
      else if (control.test(line.charAt(at))) faults.push({ kind: 'control', text: JSON.stringify(line.charAt(at)) });
      value += line.charAt(at);
      bare += QUOTED;
    } else {
      value += char;
      bare += quote === '' ? char : QUOTED;
    }
  }
  if (quote !== '') faults.push({ kind: 'open-quote', text: quote });
  return { word: { type: 'word', value, raw: line.slice(start, at), bare }, end: at };
}

/** What a shell would expand in a finished word. */
function expansions(word: ShellWord): ShellFault[] {
  const found: ShellFault[] = [];
  if (word.bare.startsWith('#')) found.push({ kind: 'comment', text: excerpt(word.raw) });
  if (word.bare.startsWith('~')) found.push({ kind: 'tilde', text: excerpt(word.raw) });
  if (/[*?]/.test(word.bare)) found.push({ kind: 'glob', text: excerpt(word.raw) });
  if (/\{[^{}]*(?:,|\.\.)[^{}]*\}/.test(word.bare)) found.push({ kind: 'brace', text: excerpt(word.raw) });
  return found;
}

function excerpt(text: string): string {
  const word = /^\S+/.exec(text)?.[0] ?? text;
  return word.length > 40 ? `${word.slice(0, 40)}…` : word;
}
