/**
 * Names: of runs, and of the refs a run leaves in the user's repository. Pure. Titles and task names are
 * untrusted text; what comes out is always one valid component of a ref and of a path, never empty.
 * Layout: refs/forge/<run>/{integration, <name>/<n>, <name>/agent/<n>, undone/<n>, kept/<commit>}.
 */
import { createHash } from 'node:crypto';

const slugLength = 40;

/** `Fix the login!` and `k3f9` become `fix-the-login-k3f9`. */
export function makeRunId(title: string, suffix: string): string {
  const name = slug(title) || 'run';
  const tail = slug(suffix).slice(0, slugLength);
  return tail === '' ? name : `${name}-${tail}`;
}

/**
 * One component of a ref and of a path for any text. A name that is safe already stays as it is; any other
 * gets a short hash of itself, so that two names never meet.
 */
export function refComponent(name: string): string {
  if (isSafeComponent(name)) return name;
  const hash = createHash('sha256').update(name).digest('hex').slice(0, 8);
  return `${slug(name) || 'x'}-${hash}`;
}

/** Everything a run has in the user's repository. */
export function runPrefix(run: string): string {
  return `refs/forge/${refComponent(run)}/`;
}

export function integrationRef(run: string): string {
  return `${runPrefix(run)}integration`;
}

/** Where the captured commits of a workspace go; a number follows. */
export function capturePrefix(run: string, name: string): string {
  const component = refComponent(name);
  // These are the run's own; a task may have any name.
  const reserved = ['integration', 'undone', 'kept'].includes(component);
  return `${runPrefix(run)}${reserved ? `task-${component}` : component}/`;
}

export function agentPrefix(run: string, name: string): string {
  return `${capturePrefix(run, name)}agent/`;
}

export function isAgentRef(ref: string): boolean {
  return /\/agent\/\d+$/.test(ref);
}

export function undonePrefix(run: string): string {
  return `${runPrefix(run)}undone/`;
}

/** Where commits go that facts name and no other ref of the run holds; the commit's id follows. */
export function keptPrefix(run: string): string {
  return `${runPrefix(run)}kept/`;
}

export function isKeptRef(ref: string): boolean {
  return /^refs\/forge\/[^/]+\/kept\/[0-9a-f]+$/.test(ref);
}

/** The highest number among `<prefix><n>`, 0 when there is none. */
export function lastNumber(refs: readonly string[], prefix: string): number {
  let last = 0;
  for (const ref of refs) {
    const rest = ref.startsWith(prefix) ? ref.slice(prefix.length) : '';
    if (/^[1-9]\d{0,8}$/.test(rest)) last = Math.max(last, Number(rest));
  }
  return last;
}

function slug(text: string): string {
  return text
    .normalize('NFKD')
    .replaceAll(/\p{Mark}+/gu, '')
    .toLowerCase()
    .replaceAll(/[^a-z0-9]+/g, '-')
    .slice(0, slugLength)
    .replaceAll(/^-+|-+$/g, '');
}

function isSafeComponent(name: string): boolean {
  return /^[A-Za-z0-9][A-Za-z0-9._@-]{0,99}$/.test(name) && !name.includes('..') && !/\.(lock)?$/i.test(name);
}
