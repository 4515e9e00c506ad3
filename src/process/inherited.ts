/**
 * Descriptors that this process got from whoever started it, beyond the standard streams. Node closes none of them, and
 * keeps only the first few from its children; all others would reach every program Forge starts, jail or not. A file or
 * socket somebody left open is nothing an agent may have.
 */
import { closeSync, openSync, readdirSync, readFileSync } from 'node:fs';

/** Those that a child would inherit. Node itself opens everything so that children do not, so the answer stays. */
export function inheritedDescriptors(): readonly number[] {
  found ??= look();
  return found;
}

/** Closes them: for Forge's own program, which was given none that it knows of. */
export function closeInherited(): void {
  for (const descriptor of inheritedDescriptors()) {
    try {
      closeSync(descriptor);
    } catch {
      // Somebody else closed it first.
    }
  }
  found = [];
}

/**
 * What a child gets as its descriptors: the given ones, and nothing in place of those it would inherit. `use` must start
 * the child before it returns.
 */
export function withoutInherited<T>(given: readonly StdioEntry[], use: (stdio: StdioEntry[]) => T): T {
  const over = inheritedDescriptors().filter((descriptor) => descriptor >= given.length);
  if (over.length === 0) return use([...given]);
  const nothing = openSync('/dev/null', 'r');
  try {
    const length = Math.max(...over) + 1;
    const covered = (index: number): StdioEntry => (over.includes(index) ? nothing : 'ignore');
    return use(Array.from({ length }, (_, index) => given[index] ?? covered(index)));
  } finally {
    closeSync(nothing);
  }
}

export type StdioEntry = 'ignore' | 'pipe' | number;

const closeOnExec = 0o2000000;
let found: readonly number[] | undefined;

function look(): readonly number[] {
  const channel = Number(process.env['NODE_CHANNEL_FD'] ?? -1);
  try {
    return readdirSync('/proc/self/fd')
      .map(Number)
      .filter((descriptor) => descriptor > 2 && descriptor !== channel && isInheritable(descriptor));
  } catch {
    // No /proc: not Linux, where there is no jail either.
    return [];
  }
}

function isInheritable(descriptor: number): boolean {
  try {
    const [, flags = ''] = /^flags:\s*(\d+)/m.exec(readFileSync(`/proc/self/fdinfo/${descriptor}`, 'utf8')) ?? [];
    return flags !== '' && (Number.parseInt(flags, 8) & closeOnExec) === 0;
  } catch {
    // The one that listed the directory is gone.
    return false;
  }
}
