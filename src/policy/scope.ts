/**
 * Compares what a task really changed with what it and the others declared. Each difference is a flag
 * with the action the settings give its case; what is declared and touches nothing special has none.
 * A path may carry several flags, for a deletion may also hit another task's file: the strictest decides.
 * Linear in declared paths and changes: each path is looked up, never compared with every declaration.
 */
import { coverageOf } from '../plan/coverage.ts';
import { compilePatterns, literalPath, patternsMeet } from '../plan/path-pattern.ts';
import { PatternIndex } from '../plan/pattern-index.ts';
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
  const guarded = coverageOf(settings.protectedPaths);
  const foreign = indexOf(question);

  return changes.flatMap(({ path, status }) => {
    const found: Pick<ScopeFlag, 'case' | 'reason'>[] = [];
    const guard = guarded.first(path)?.pattern;
    const ban = forbids.first(path)?.pattern;
    if (guard !== undefined) found.push({ case: 'protected', reason: `protected by "${guard.text}"` });
    if (ban !== undefined) found.push({ case: 'forbidden', reason: `${task} must not change "${ban.text}"` });
    if (writes.first(path) === undefined) {
      const owners = foreign(path);
      if (owners.length > 0) found.push({ case: 'foreign', reason: `declared by ${owners.join(', ')}` });
      if (status === 'deleted') found.push({ case: 'deletion', reason: `deleted, but not declared by ${task}` });
      if (found.length === 0) found.push({ case: 'undeclared', reason: `not declared by ${task}` });
    }
    return found.map((flag) => ({ path, case: flag.case, action: settings[flag.case], reason: flag.reason }));
  });
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
