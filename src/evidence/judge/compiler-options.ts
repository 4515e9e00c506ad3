/**
 * tsconfig.json: what a type check looks at and how strictly judges; how code is built is the commit's. A change of the
 * judging part is reported and the base's file judges; any other change stays. Comments and trailing commas are read
 * over; a file that cannot be read is not trusted.
 */

export function compilerChanges(before: string | undefined, after: string | undefined): string[] {
  if (after === undefined) return ['deleted'];
  const commit = judging(after);
  if (commit === undefined) return ['cannot be read'];
  if (before === undefined) return [];
  const base = judging(before);
  if (base === undefined) return ['could not be read before'];
  const names = [...new Set([...base.keys(), ...commit.keys()])].sort();
  return names
    .filter((name) => base.get(name) !== commit.get(name))
    .map((name) => `${name}: ${base.get(name) ?? 'none'} → ${commit.get(name) ?? 'none'}`.slice(0, 300));
}

export function compilerOverlay(base: string | undefined, commit: string): string | undefined {
  return compilerChanges(base, commit).length === 0 ? commit : base;
}

/** Options that loosen, narrow or redirect a check; targets, outputs and libraries are the commit's own affair. */
const judgingOptions =
  /^(?:strict\w*|no[A-Z]\w*|alwaysStrict|exactOptional\w+|useUnknown\w+|skip\w*LibCheck|allowUn\w+|suppress\w*|checkJs|allowJs|maxNodeModuleJsDepth|paths|baseUrl|rootDirs|typeRoots|plugins)$/;

function judging(text: string): Map<string, string> | undefined {
  const file = parse(text);
  if (file === undefined) return undefined;
  const options = file['compilerOptions'];
  const entries = [
    ...['extends', 'files', 'include', 'exclude', 'references'].map((key) => [key, file[key]] as const),
    ...Object.entries(typeof options === 'object' && options !== null ? options : {})
      .filter(([key]) => judgingOptions.test(key) && key !== 'noEmit' && key !== 'noEmitOnError')
      .map(([key, value]) => [`compilerOptions.${key}`, value as unknown] as const),
  ];
  return new Map(
    entries.flatMap(([key, value]) => (value === undefined ? [] : [[key, JSON.stringify(value)] as const])),
  );
}

function parse(text: string): Readonly<Record<string, unknown>> | undefined {
  if (text.length > 256 * 1024) return undefined;
  // A string is kept whole; comments and commas before a closing bracket go.
  const plain = text
    .replaceAll(/("(?:\\.|[^"\\])*")|\/\/[^\n]*|\/\*[\s\S]*?\*\//g, '$1')
    .replaceAll(/("(?:\\.|[^"\\])*")|,(?=\s*[}\]])/g, '$1');
  try {
    const value: unknown = JSON.parse(plain.startsWith('\u{feff}') ? plain.slice(1) : plain);
    return typeof value === 'object' && value !== null && !Array.isArray(value)
      ? (value as Readonly<Record<string, unknown>>)
      : undefined;
  } catch {
    return undefined;
  }
}
