/** The subject of the commit that fixed what acceptance found: the module, the criterion and what it says. Pure. */

const longestText = 60;

export function fixTitle(module: string, criteria: readonly { readonly id: string; readonly text: string }[]): string {
  const [only, ...more] = criteria;
  if (only === undefined) return `fix(${module}): satisfy acceptance criteria`;
  const named =
    more.length === 0 ? `${only.id} ${outcomeIn(only.text)}`.trim() : criteria.map(({ id }) => id).join(', ');
  return `fix(${module}): ${named}`;
}

/** `Given a comma, when it is exported, then the field is quoted`: the field is quoted. */
function outcomeIn(text: string): string {
  const line = text.replaceAll(/\s+/g, ' ').trim();
  const [, outcome = line] = /\bthen\b[,:]?\s+(.*)$/i.exec(line) ?? [];
  return outcome.length > longestText ? `${outcome.slice(0, longestText).trimEnd()}…` : outcome;
}
