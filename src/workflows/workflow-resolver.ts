/**
 * A module hook for projects' own workflows: `forge`, `forge/workflow` and `zod` are this Forge's, wherever it is
 * installed, so that a repository needs nothing of its own. Whatever else a module of an agreed copy asks for has to
 * lie in that copy. Runs on Node's loader thread; knows nothing else.
 */
type Next = (specifier: string, context: Context) => Promise<{ url: string }>;
interface Context {
  readonly parentURL?: string;
}

interface Data {
  readonly provided: Readonly<Record<string, string>>;
  readonly builtins: readonly string[];
  readonly copies: string;
}

let data: Data = { provided: {}, builtins: [], copies: '' };

export function initialize(given: Data): void {
  data = given;
}

export async function resolve(specifier: string, context: Context, next: Next): Promise<object> {
  const copy = copyOf(context.parentURL);
  if (copy === undefined) return next(specifier, context);
  const url = data.provided[specifier];
  if (url !== undefined) return { url, shortCircuit: true };
  const found = await next(specifier, context);
  if (found.url.startsWith(copy) || data.builtins.includes(found.url)) return found;
  throw new Error(`${specifier} is not part of what you agreed to`);
}

function copyOf(parent: string | undefined): string | undefined {
  const marker = `/${data.copies}/`;
  const at = parent?.indexOf(marker) ?? -1;
  return parent === undefined || at === -1 ? undefined : parent.slice(0, at + marker.length + 65);
}
