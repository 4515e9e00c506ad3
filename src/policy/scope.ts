/**
 * Compares what a task really changed with what it and the others declared. Each difference is a flag
 * with the action the settings give its case; what is declared and touches nothing special has none.
 * A path may carry several flags, for a deletion may also hit another task's file: the strictest decides.
 * Linear in declared paths and changes: each path is looked up, never compared with every declaration.
 */
import { coverageOf } from '../plan/coverage.ts';
import { compilePatterns, literalPath, patternsMeet } from '../plan/path-pattern.ts';
import { PatternIndex } from '../plan/pattern-index.ts';
import { namesProtected, pathGuards } from './protected-paths.ts';
import type { Change, ScopeFlag, ScopeSettings } from './receipt.ts';

export interface ScopeQuestion {
  readonly task: string;
  readonly writes: readonly string[];
  readonly forbids: readonly string[];
  /** The tasks whose declarations count as foreign; the task itself is skipped if it is among them. */
  readonly others: readonly { readonly id: string; readonly writes: readonly string[] }[];
  readonly changes: readonly Change[];
  readonly settings: ScopeSettings;
}

/** Flags in the order of the changes. */
export function judgeScope(question: ScopeQuestion): ScopeFlag[] {
  const { task, changes, settings } = question;
  const writes = coverageOf(question.writes);
  const forbids = coverageOf(question.forbids);
  // Only changes of protected paths need it, and most commits have none.
  let compiled: ReturnType<typeof compilePatterns> | undefined;
  const declared = (): ReturnType<typeof compilePatterns> => {
    compiled ??= compilePatterns(question.writes);
    return compiled;
  };
  const guardOf = pathGuards(settings);
  const foreign = indexOf(question);

  return changes.flatMap(({ path, status }) => {
    const found: (Pick<ScopeFlag, 'case' | 'reason'> & { readonly action?: ScopeFlag['action'] })[] = [];
    const guard = guardOf(path);
    const ban = forbids.first(path)?.pattern;
    if (guard !== undefined) {
      const isNamed = namesProtected(declared(), path, guard.pattern);
      const reason = `protected by "${guard.pattern.text}"${isNamed ? `, and declared by ${task}` : ''}`;
      found.push({ case: guard.case, reason, action: isNamed ? softer(settings[guard.case]) : settings[guard.case] });
    }
    if (ban !== undefined) found.push({ case: 'forbidden', reason: `${task} must not change "${ban.text}"` });
    if (writes.first(path) === undefined) {
      const owners = foreign(path);
      if (owners.length > 0) found.push({ case: 'foreign', reason: `declared by ${owners.join(', ')}` });
      if (status === 'deleted') found.push({ case: 'deletion', reason: `deleted, but not declared by ${task}` });
      if (found.length === 0) found.push({ case: 'undeclared', reason: `not declared by ${task}` });
    }
    return found.map(({ case: name, action = settings[name], reason }) => ({ path, case: name, action, reason }));
  });
}

/** Secrets that a change would bring into the repository. */
export function judgeSecrets(found: readonly FoundSecret[], settings: ScopeSettings): ScopeFlag[] {
  return found.map(({ path, line, kind }) => {
    const where = line === 0 ? 'its name' : `line ${line}`;
    return kind === 'known'
      ? { path, case: 'secret', action: settings.secret, reason: `${where} holds a secret that agents were given` }
      : { path, case: 'token', action: settings.token, reason: `${where} looks like a token or a private key` };
  });
}

export interface FoundSecret {
  readonly path: string;
  readonly line: number;
  readonly kind: 'known' | 'shape';
}

export interface GuardedQuestion extends Pick<ScopeQuestion, 'changes' | 'settings'> {
  readonly task: string;
  readonly declared: readonly string[];
  readonly secrets: readonly FoundSecret[];
}

/** Only what somebody beside the task has to agree to, whatever the task declares: protected paths, instructions, secrets. */
export function judgeGuarded({ task, declared, changes, secrets, settings }: GuardedQuestion): ScopeFlag[] {
  const flags = judgeScope({ task, writes: declared, forbids: [], others: [], changes, settings });
  const guarded = flags.filter((flag) => flag.case === 'protected' || flag.case === 'instructions');
  return [...guarded, ...judgeSecrets(secrets, settings)].filter(({ action }) => action !== 'allow');
}

/**
 * The same for the set-up of a new project, which brings a .gitignore and the instructions for agents that were approved
 * with its plans. A person decides about the rest.
 */
export function judgeFirstChanges(question: Pick<GuardedQuestion, 'changes' | 'secrets' | 'settings'>): ScopeFlag[] {
  const changes = question.changes.filter(({ path }) => !/(?:^|\/)\.gitignore$/.test(path));
  const flags = judgeGuarded({ ...question, changes, task: 'the set-up', declared: ['**'] });
  return flags.filter((flag) => flag.case !== 'instructions').map((flag) => ({ ...flag, action: softer(flag.action) }));
}

/** What an approved plan declares by name is a person's to decide, not a dead end. */
function softer(action: ScopeFlag['action']): ScopeFlag['action'] {
  return action === 'refuse' ? 'ask' : action;
}

export function scopeVerdict(flags: readonly ScopeFlag[]): 'allowed' | 'ask' | 'refused' {
  if (flags.some((flag) => flag.action === 'refuse')) return 'refused';
  return flags.some((flag) => flag.action === 'ask') ? 'ask' : 'allowed';
}

/** Looks up who else declares a path; three names are enough for a reason. */
function indexOf({ task, others }: ScopeQuestion): (path: string) => string[] {
  const index = declarationsOf(others);
  return (path) => {
    const target = literalPath(path);
    const owners = new Set<string>();
    for (const entry of index.above(target)) {
      if (entry.value !== task && patternsMeet(entry.pattern, target)) owners.add(entry.value);
      if (owners.size === 3) break;
    }
    return [...owners];
  };
}

/** Every task of a plan is judged against the same list, which is filed once. */
const filed = new WeakMap<ScopeQuestion['others'], PatternIndex<string>>();

function declarationsOf(others: ScopeQuestion['others']): PatternIndex<string> {
  const known = filed.get(others);
  if (known !== undefined) return known;
  const index = new PatternIndex<string>();
  for (const { id, writes } of others) {
    for (const pattern of compilePatterns(writes)) index.add(pattern, id);
  }
  filed.set(others, index);
  return index;
}
