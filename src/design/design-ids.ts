/**
 * The ids of designs and PRDs: modules `M-001`, features `F-001`, journeys `J-001`, interfaces `API-001`, and acceptance
 * criteria in the four ways people write them. `F-001/AC3` is the one form Forge writes. Pure.
 */

export const modulePattern = /\bM-\d{3,}\b/g;

/** In order, each once. */
export function idsIn(text: string, letter: 'M' | 'F' | 'J' | 'API'): string[] {
  return [...new Set([...text.matchAll(idPatterns[letter])].map(([id]) => id))];
}

const idPatterns = {
  M: modulePattern,
  F: /\bF-\d{3,}\b/g,
  J: /\bJ-\d{3,}\b/g,
  API: /\bAPI-\d{3,}\b/g,
} as const;

/** The id at the beginning of a heading, a cell or a file name: `M-001: Store`, `M-001-store.md`. */
export function leadingId(text: string, letter: 'M' | 'F' | 'J' | 'API'): string | undefined {
  const found = /^\s*([A-Z]{1,3}-\d{3,})(?!\d)/.exec(text)?.[1];
  return found?.startsWith(`${letter}-`) === true ? found : undefined;
}

/** What follows the id in a heading: `M-001: Task store` is named `Task store`. */
export function nameAfterId(text: string): string {
  return text.replace(/^\s*[A-Z]{1,3}-\d{3,}\s*[:–—-]?\s*/, '').trim();
}

/** `F-001/AC3`, `F-001-AC-3`, `F-001 AC#3`, `F001_AC3`: all of them are `F-001/AC3`. */
export function criteriaIn(text: string): string[] {
  const found = [...text.matchAll(/(?<![A-Za-z0-9])F[-_]?(\d{3,})\s?[/_ -]\s?AC\s?[-_#]?\s?(\d{1,4})(?!\d)/gi)];
  return [...new Set(found.map(([, feature, number]) => criterionId(`F-${feature ?? ''}`, Number(number))))];
}

export function criterionId(feature: string, number: number): string {
  return `${feature}/AC${number}`;
}

/** `owner/repo#123`: the only reference that counts as a tracked issue. `#123` alone says nothing to a stranger. */
export function issueIn(text: string): string | undefined {
  return /(?<![\w./-])[\w.-]+\/[\w.-]+#\d+(?!\w)/.exec(text)?.[0];
}
