/**
 * What is tidied up when a test file ends. Test files share a process and its modules, so a module that several of them
 * import cannot use `afterAll` itself: it would be called for the first of them only. `own-home.ts`, which is loaded for
 * every file, calls what was handed in here.
 */
const pending: (() => unknown)[] = [];

export function afterFile(tidy: () => unknown): void {
  pending.push(tidy);
}

/** The last first, as things were built on each other. */
export async function tidyFile(): Promise<void> {
  for (let next = pending.pop(); next !== undefined; next = pending.pop()) await next();
}
