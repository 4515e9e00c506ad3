/**
 * What a test expects, as text that two versions can be compared by: white space, comments, kinds of quotes and trailing
 * commas say nothing, and a local variable may have another name. What is called, what is read from an object, what was
 * imported, and every literal count. Pure and bounded.
 */

const mostChars = 2000;
const mostCompared = 60;

const token =
  /\/\/[^\n]*|\/\*[\s\S]*?\*\/|"(?:[^"\\\n]|\\.)*"|'(?:[^'\\\n]|\\.)*'|`(?:[^`\\]|\\.)*`|\d[\w.]*|[A-Za-z_$][\w$]*|\S/g;

/** The telling words and signs of an assertion, joined by spaces. */
export function expectationText(source: string): string {
  const found = source.slice(0, mostChars).match(token) ?? [];
  const words = found.filter((word) => !/^\/[/*]/.test(word)).map(oneQuote);
  const kept = words.filter((word, at) => word !== ';' && !(word === ',' && /^[)\]}]$/.test(words[at + 1] ?? '')));
  return `${kept.join(' ')}${source.length > mostChars ? ` … ${source.length}` : ''}`;
}

function oneQuote(word: string): string {
  const [, quote, inner = ''] = /^(['"`])(.*)\1$/s.exec(word) ?? [];
  return quote === undefined || (quote === '`' && inner.includes('${'))
    ? word
    : `"${inner.replaceAll(/\\(['"`])/g, '$1')}"`;
}

/** Expectations of the version before that the version after does not have, beside those it has instead. */
export function changedExpectations(
  before: readonly string[],
  after: readonly string[],
  imported: ReadonlySet<string>,
): { readonly lost: readonly string[]; readonly gained: readonly string[] } {
  const left = new Map<string, number>();
  for (const each of after) left.set(each, (left.get(each) ?? 0) + 1);
  const take = (text: string): boolean => {
    const count = left.get(text) ?? 0;
    if (count > 0) left.set(text, count - 1);
    return count > 0;
  };
  const lost = before.filter((each) => !take(each));
  const gained = [...left].flatMap(([text, count]) => Array.from({ length: count }, () => text));
  if (lost.length > mostCompared || gained.length > mostCompared) return { lost, gained };
  const missing = lost.filter((each) => {
    const at = gained.findIndex((other) => isRenamed(each, other, imported));
    if (at !== -1) gained.splice(at, 1);
    return at === -1;
  });
  return { lost: missing, gained };
}

const fixedWords = new Set(
  'true false null undefined NaN Infinity None True False this self cls await async new typeof not in is and or lambda assert expect'.split(
    ' ',
  ),
);

/** The same but for names of local variables, each of which became one other name. */
function isRenamed(before: string, after: string, imported: ReadonlySet<string>): boolean {
  const one = before.split(' ');
  const other = after.split(' ');
  if (one.length !== other.length) return false;
  const names = new Map<string, string>();
  const taken = new Map<string, string>();
  const isLocal = (words: readonly string[], at: number): boolean => {
    const word = words[at] ?? '';
    if (!/^[A-Za-z_$][\w$]*$/.test(word) || fixedWords.has(word) || imported.has(word)) return false;
    return words[at - 1] !== '.' && !/^[(:!]$/.test(words[at + 1] ?? '');
  };
  return one.every((word, at) => {
    const now = other[at] ?? '';
    const local = isLocal(one, at);
    if (!local || !isLocal(other, at)) return word === now && !local === !isLocal(other, at);
    if (!names.has(word) && !taken.has(now)) {
      names.set(word, now);
      taken.set(now, word);
    }
    return names.get(word) === now && taken.get(now) === word;
  });
}

/** Names that a file imports, in any of the languages that are outlined. */
export function importedNames(source: string): ReadonlySet<string> {
  const found = new Set<string>();
  const text = source.slice(0, 200_000);
  const lists = [
    ...text.matchAll(/^[ \t]*import\b([^;'"]{0,2000}?)\bfrom\b/gm),
    ...text.matchAll(
      /\b(?:const|let|var)\s{1,9}([\w$]{1,100}|\{[^}]{0,2000}\})\s{0,9}=\s{0,9}(?:await\s{1,9})?(?:require|import)\(/g,
    ),
    ...text.matchAll(/^[ \t]*from\s{1,9}[\w.]{1,200}\s{1,9}import\s([^\n(]{1,500}|\([^)]{0,2000}\))/gm),
    ...text.matchAll(/^[ \t]*(?:import|use)\s{1,9}([\w.:{}, *]{1,500})/gm),
  ];
  for (const [, names = ''] of lists) for (const name of names.match(/[A-Za-z_$][\w$]*/g) ?? []) found.add(name);
  return found;
}
