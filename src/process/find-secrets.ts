/**
 * Secrets in what a change adds, read from its diff: values that are known, in any form a program prints them, also where
 * lines, quotes or the zeros of UTF-16 go through them, and text that looks like a token or a private key. What only moved
 * within the change is no news. Placeholders are left alone. Pure, and linear in the diff.
 */
import { secretForms, shortestSecret } from './secret-forms.ts';
import { tokenSpans } from './secret-shapes.ts';

export interface SecretFinding {
  readonly path: string;
  /** In the new version; 0 for the name of the file itself. */
  readonly line: number;
  readonly kind: 'known' | 'shape';
}

const mostFindings = 50;

export function findSecrets(diff: string, known: readonly string[]): readonly SecretFinding[] {
  const forms = [...new Set(known.flatMap((value) => [...secretForms(value)]))];
  const joined = known.map(joinedText).filter((value) => value.length >= shortestSecret);
  const files = readDiff(diff);
  const removed = files.map((file) => file.removed).join('\n');
  const findings = files.flatMap(({ path, added }) => {
    const text = added.map(({ text: line }) => line).join('\n');
    const at = lineAt(added);
    const whole = forms.flatMap((form) => (removed.includes(form) ? [] : placesOf(text, form)));
    const values = whole.length > 0 || !holdsJoined(text, removed, joined) ? whole : [0];
    const shapes = tokenSpans(text)
      .map(({ start, end }) => ({ start, token: text.slice(start, end) }))
      .filter(({ token }) => !removed.includes(token) && !isPlaceholder(token));
    return [
      ...(forms.some((form) => path.includes(form)) ? [{ path, line: 0, kind: 'known' as const }] : []),
      ...values.map((offset) => ({ path, line: at(offset), kind: 'known' as const })),
      ...shapes.map(({ start }) => ({ path, line: at(start), kind: 'shape' as const })),
    ];
  });
  return withoutRepeats(findings).slice(0, mostFindings);
}

/** Secrets in texts that a commit brings along besides its files: its message, the names in it. */
export function findSecretsInText(name: string, text: string, known: readonly string[]): readonly SecretFinding[] {
  const lines = text.split('\n').map((line) => `+${line}`);
  return findSecrets([`diff --git a/x b/x`, '@@ -0,0 +1 @@', ...lines].join('\n'), known).map((finding) => ({
    ...finding,
    path: name,
  }));
}

/** What is left of a text that was written in pieces: `'one-' +` on one line and `'half'` on the next. */
function joinedText(text: string): string {
  // oxlint-disable-next-line no-control-regex -- UTF-16 has a zero in every letter
  return text.replaceAll(/[\s"'`+,\\()[\]\u0000]+/g, '');
}

function holdsJoined(text: string, removed: string, joined: readonly string[]): boolean {
  if (joined.length === 0) return false;
  const [added, gone] = [joinedText(text), joinedText(removed)];
  return joined.some((value) => added.includes(value) && !gone.includes(value));
}

interface AddedLine {
  readonly line: number;
  readonly text: string;
}

interface FileDiff {
  readonly path: string;
  readonly added: AddedLine[];
  removed: string;
}

function readDiff(diff: string): readonly FileDiff[] {
  const files: FileDiff[] = [];
  let line = 0;
  let inHunk = false;
  for (const text of diff.split('\n')) {
    const current = files.at(-1);
    if (text.startsWith('diff --git ')) {
      files.push({ path: pathIn(text), added: [], removed: '' });
      inHunk = false;
    } else if (text.startsWith('@@ ')) {
      line = Number(/\+(\d+)/.exec(text)?.[1] ?? 1);
      inHunk = true;
    } else if (!inHunk || current === undefined) continue;
    else if (text.startsWith('+')) {
      current.added.push({ line, text: text.slice(1) });
      line += 1;
    } else if (text.startsWith('-')) current.removed += `${text.slice(1)}\n`;
    else if (text.startsWith(' ')) line += 1;
  }
  return files;
}

/** Without renames both names are the same, so one half of the line is it. */
function pathIn(header: string): string {
  const names = header.slice('diff --git '.length).replaceAll('"', '');
  return names.slice(2, Math.floor((names.length - 1) / 2));
}

function lineAt(added: readonly AddedLine[]): (offset: number) => number {
  const starts: number[] = [];
  let start = 0;
  for (const { text } of added) {
    starts.push(start);
    start += text.length + 1;
  }
  return (offset) => added[starts.findLastIndex((each) => each <= offset)]?.line ?? 0;
}

function placesOf(text: string, form: string): readonly number[] {
  const at = text.indexOf(form);
  return at < 0 ? [] : [at];
}

const examples =
  /example|sample|dummy|fake|place-?holder|redacted|changeme|your[-_]|xxxx|0000|1234567890|0123456789|abcdefgh|deadbeef|\.\.\./i;

/** Long enough to be real, of enough different characters, and not called an example. */
function isPlaceholder(token: string): boolean {
  if (token.startsWith('-----BEGIN')) return token.length < 160;
  return examples.test(token) || new Set(token.slice(-16)).size < 7;
}

function withoutRepeats(findings: readonly SecretFinding[]): readonly SecretFinding[] {
  const known = new Set(findings.filter(({ kind }) => kind === 'known').map(({ path, line }) => `${path}\0${line}`));
  const seen = new Set<string>();
  return findings.filter(({ path, line, kind }) => {
    const key = `${path}\0${line}`;
    if (seen.has(key) || (kind === 'shape' && known.has(key))) return false;
    seen.add(key);
    return true;
  });
}
