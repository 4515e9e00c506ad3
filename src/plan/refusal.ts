/**
 * A refusal is a value that says what is wrong and shows what to write instead. Texts quoted in it come
 * from plans and models, so they are cut short and escaped before they reach a person or a prompt.
 */

export interface Refusal {
  readonly status: 'refused';
  readonly problem: string;
  readonly fix: string;
}

export function makeRefusal(problem: string, fix: string): Refusal {
  return { status: 'refused', problem, fix };
}

/** One fault of a document: where it is (`tasks[2].depends[0]`), what it is, what to write instead. */
export interface Issue {
  readonly where: string;
  readonly problem: string;
  readonly fix: string;
}

/** An example to copy, cut where it would fill the page. */
export function clipText(text: string, limit = 500): string {
  return text.length > limit ? `${text.slice(0, limit)}…` : text;
}

/** Untrusted text for a message: escaped, in quotes, at most `limit` characters of it. */
export function quoteUntrusted(text: string, limit = 80): string {
  return JSON.stringify(clipText(text, limit));
}

/** `"T1", "T2" and 4 more`, each shown as above. */
export function quoteList(items: readonly string[], limit = 5): string {
  const shown = items.slice(0, limit).map((item) => quoteUntrusted(item));
  if (items.length > limit) return `${shown.join(', ')} and ${items.length - limit} more`;
  return shown.length < 2 ? shown.join('') : `${shown.slice(0, -1).join(', ')} and ${shown.at(-1)}`;
}
