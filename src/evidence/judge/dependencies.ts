/**
 * What a commit changes about the packages that a set-up command installs. Checks run with the packages of the judge
 * commit; new ones are installed only once such a change was accepted, so a person sees names and versions. Pure.
 */

/** Files that decide what package managers install, where the settings do not name them. */
export function isDependencyFile(path: string): boolean {
  const file = path.split('/').at(-1)?.toLowerCase() ?? '';
  if (/(?:^|\/)(?:node_modules|fixtures|__fixtures__|testdata)\//.test(path)) return false;
  return manifests.test(file);
}

const manifests =
  /^(?:package\.json|package-lock\.json|npm-shrinkwrap\.json|yarn\.lock|pnpm-lock\.ya?ml|pnpm-workspace\.ya?ml|bun\.lockb?|deno\.lock|requirements.*\.(?:txt|in)|constraints.*\.txt|pyproject\.toml|poetry\.lock|uv\.lock|pdm\.lock|pipfile|pipfile\.lock|setup\.(?:py|cfg)|environment\.ya?ml|cargo\.(?:toml|lock)|go\.(?:mod|sum)|gemfile|gemfile\.lock|composer\.(?:json|lock)|mix\.(?:exs|lock)|pom\.xml|build\.gradle(?:\.kts)?|gradle\.lockfile)$/;

/** One sentence for each kind of change; none where a file changes in other ways only. */
export function dependencyChanges(path: string, before: string | undefined, after: string | undefined): string[] {
  if (before === after) return [];
  if (/(?:^|\/)package\.json$/.test(path)) return packageDependencies(read(before), read(after));
  const verb = before === undefined ? 'is added' : after === undefined ? 'is deleted' : 'changes';
  return [`${verb}: it decides which packages are installed`];
}

const groups = [
  'dependencies',
  'devDependencies',
  'optionalDependencies',
  'peerDependencies',
  'overrides',
  'resolutions',
  'pnpm',
  'workspaces',
  'bundledDependencies',
] as const;

type Json = Readonly<Record<string, unknown>>;

function packageDependencies(before: Json | undefined, after: Json | undefined): string[] {
  if (before === undefined || after === undefined)
    return before === after ? [] : ['cannot be read: the packages to install are not known'];
  return groups.flatMap((group) => {
    const [ours, theirs] = [before[group], after[group]];
    if (JSON.stringify(ours) === JSON.stringify(theirs)) return [];
    const changes = entryChanges(record(ours), record(theirs));
    return [`${group}: ${changes.length === 0 ? 'changed' : changes.join(', ')}`];
  });
}

const mostShown = 20;

function entryChanges(before: Json, after: Json): string[] {
  const names = [...new Set([...Object.keys(before), ...Object.keys(after)])].sort();
  const lines = names.flatMap((name) => {
    const [from, to] = [shown(before, name), shown(after, name)];
    if (from === to) return [];
    if (from === undefined) return [`+ ${name} ${to}`];
    return [to === undefined ? `- ${name}` : `${name} ${from} → ${to}`];
  });
  return lines.length > mostShown ? [...lines.slice(0, mostShown), `and ${lines.length - mostShown} more`] : lines;
}

function shown(entries: Json, name: string): string | undefined {
  if (!Object.hasOwn(entries, name)) return undefined;
  const value = entries[name];
  return (typeof value === 'string' ? value : JSON.stringify(value)).slice(0, 80);
}

function record(value: unknown): Json {
  return typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as Json) : {};
}

function read(text: string | undefined): Json | undefined {
  if (text === undefined) return {};
  try {
    const value: unknown = JSON.parse(text.startsWith('\u{feff}') ? text.slice(1) : text);
    return typeof value === 'object' && value !== null ? (value as Json) : undefined;
  } catch {
    return undefined;
  }
}
