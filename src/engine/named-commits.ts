/**
 * Which commits a fact names. Pure. Every string that could be the full id of a commit counts, whatever field it is in,
 * so that no effect can forget to list one; only what an agent said is left out, for that is not Forge's word.
 */
const commitId = /^[0-9a-f]{40}([0-9a-f]{24})?$/;

/** Fields that hold what agents or files say. */
const said: ReadonlySet<string> = new Set(['outcome', 'text', 'prompt', 'lessons', 'settings', 'input']);

export function commitsIn(value: unknown): readonly string[] {
  const found = new Set<string>();
  collect(value, found);
  return [...found];
}

function collect(value: unknown, found: Set<string>): void {
  if (typeof value === 'string') {
    if (commitId.test(value)) found.add(value);
  } else if (Array.isArray(value)) {
    for (const item of value) collect(item, found);
  } else if (typeof value === 'object' && value !== null) {
    for (const [name, item] of Object.entries(value)) if (!said.has(name)) collect(item, found);
  }
}
