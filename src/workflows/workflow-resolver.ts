/**
 * A module hook for projects' own workflows: `forge`, `forge/workflow` and `zod` are this Forge's, wherever it is
 * installed, so that a repository needs nothing of its own. Runs on Node's loader thread; knows nothing else.
 */
type Next = (specifier: string, context: Context) => Promise<{ url: string }>;
interface Context {
  readonly parentURL?: string;
}

let own: Readonly<Record<string, string>> = {};

export function initialize(data: Readonly<Record<string, string>>): void {
  own = data;
}

export async function resolve(specifier: string, context: Context, next: Next): Promise<object> {
  const url = own[specifier];
  if (url === undefined || context.parentURL?.includes('/.forge/workflows/') !== true) return next(specifier, context);
  return { url, shortCircuit: true };
}
