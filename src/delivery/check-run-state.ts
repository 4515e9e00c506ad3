/**
 * Checks what a plan's `run-state.json` says against what git has: merged modules whose work is nowhere, work in flight without
 * a worktree, a scheduler that sleeps while work is ready; and before a delivery is tagged, changes that nobody committed. Git's
 * answers and the time come in as data. Pure.
 */
import { z } from 'zod';
import type { DeliveryState } from '../git/delivery-state.ts';
import { issueIn, type PlanIssue } from './plan-issue.ts';
import { readyModules } from './ready-modules.ts';

const moduleState = z.object({
  deps: z.array(z.string()).default([]),
  tier: z.number().default(0),
  plan_status: z.string().default('pending'),
  exec_status: z.string().default('pending'),
});
const entry = z.union([z.string(), z.looseObject({ id: z.string().optional(), module: z.string().optional() })]);
const runState = z.object({
  scheduler: z
    .object({ max_modules: z.number().default(6), idle_timeout_minutes: z.number().default(30) })
    .default({ max_modules: 6, idle_timeout_minutes: 30 }),
  modules: z.record(z.string(), moduleState).default({}),
  inflight: z
    .object({ modules: z.union([z.array(entry), z.record(z.string(), z.unknown())]).default([]) })
    .default({ modules: [] }),
  last_event_at: z.string().nullish(),
});
type RunState = z.output<typeof runState>;

export interface RunStateQuestion {
  readonly file: string;
  readonly text: string;
  /** Undefined where there is no repository to compare with. */
  readonly git: DeliveryState | undefined;
  readonly now: number;
}

export function checkRunState({ file, text, git, now }: RunStateQuestion): readonly PlanIssue[] {
  const read = readRunState(text);
  if (read === undefined)
    return [
      issueIn(file, {
        rule: 'CR-AF33',
        line: 0,
        description: 'run-state.json cannot be read.',
        fix: 'Restore it from the last commit.',
      }),
    ];
  return [...(git === undefined ? [] : againstGit(file, read, git)), ...idleness(file, read, now)];
}

/** Modules that are being worked on, as far as the file can be read. */
export function inflightModules(text: string): readonly string[] {
  const read = readRunState(text);
  return read === undefined ? [] : inflightOf(read);
}

function readRunState(text: string): RunState | undefined {
  try {
    return runState.parse(JSON.parse(text));
  } catch {
    return undefined;
  }
}

function againstGit(file: string, state: RunState, git: DeliveryState): PlanIssue[] {
  const flying = inflightOf(state);
  return Object.entries(state.modules).flatMap(([id, { exec_status }]) => {
    if (exec_status === 'merged' && !isInHistory(id, git))
      return [
        issueIn(
          file,
          {
            rule: 'CR-AF33',
            line: 0,
            description: `${id} is said to be merged, but no commit and no merged branch has it.`,
            fix: `Set ${id} back, or merge its work.`,
          },
          'critical',
        ),
      ];
    const isFlying = exec_status === 'running' || flying.includes(id);
    if (isFlying && !git.worktrees.some(({ path, branch }) => names(path, id) || names(branch, id)))
      return [
        issueIn(file, {
          rule: 'CR-AF33',
          line: 0,
          description: `${id} is said to be in flight, but it has no worktree.`,
          fix: `Set ${id} back to ready, or restore its worktree.`,
        }),
      ];
    return [];
  });
}

function inflightOf({ inflight }: RunState): string[] {
  if (!Array.isArray(inflight.modules)) return Object.keys(inflight.modules);
  return inflight.modules
    .flatMap((each) => (typeof each === 'string' ? [each] : [each.id ?? each.module ?? '']))
    .filter((id) => id !== '');
}

function isInHistory(id: string, { branches, subjects }: DeliveryState): boolean {
  return (
    subjects.some((subject) => names(subject, id)) || branches.some(({ name, isMerged }) => isMerged && names(name, id))
  );
}

function names(text: string, id: string): boolean {
  const at = text.indexOf(id);
  return at !== -1 && !/\d/.test(text[at + id.length] ?? '');
}

/** Ready work and a free slot, and nothing has happened for as long as the scheduler may wait. */
function idleness(file: string, state: RunState, now: number): PlanIssue[] {
  const { modules, scheduler, last_event_at } = state;
  const ready = readyModules(
    Object.entries(modules).map(([id, each]) => ({
      id,
      deps: each.deps,
      tier: each.tier,
      planStatus: each.plan_status,
      execStatus: each.exec_status,
    })),
  );
  const busy = new Set([
    ...inflightOf(state),
    ...Object.entries(modules).flatMap(([id, { exec_status }]) => (exec_status === 'running' ? [id] : [])),
  ]);
  const waiting = ready.filter((id) => !busy.has(id));
  const since = Date.parse(last_event_at ?? '');
  const isIdle = busy.size < scheduler.max_modules && !(now - since < scheduler.idle_timeout_minutes * 60_000);
  if (waiting.length === 0 || !isIdle) return [];
  const ids = waiting.slice(0, 10).join(', ');
  return [
    issueIn(file, {
      rule: 'CR-AF32',
      line: 0,
      description: `Nothing happens although ${ids} can start and slots are free.`,
      fix: 'Resume the run.',
    }),
  ];
}

/** Before the tag: nothing uncommitted, no branch left behind. `planDir` is relative to the repository. */
export function checkPreflight(planDir: string, git: DeliveryState, inflight: readonly string[]): readonly PlanIssue[] {
  const own = git.worktrees.filter(({ branch }) => isOwnBranch(branch));
  const others = git.worktrees.filter(({ branch }) => !isOwnBranch(branch));
  return [
    ...others.flatMap(({ path, changed }) =>
      changed.some((file) => file === planDir || file.startsWith(`${planDir}/`))
        ? [
            issueIn(planDir, {
              rule: 'CR-AF29',
              line: 0,
              description: `The plan directory has uncommitted changes in ${path}.`,
              fix: 'Commit or discard them.',
            }),
          ]
        : [],
    ),
    ...own.flatMap(({ path, branch, changed }) =>
      changed.length > 0 && !inflight.some((id) => names(branch, id))
        ? [
            issueIn(planDir, {
              rule: 'CR-AF30',
              line: 0,
              description: `The worktree ${path} has uncommitted changes although its agents have finished.`,
              fix: 'Commit what belongs to the delivery, discard the rest.',
            }),
          ]
        : [],
    ),
    ...git.branches.flatMap(({ name, isMerged }) =>
      /\/p\d+\/M-\d{3,}/.test(name) && !isMerged && !git.worktrees.some(({ branch }) => branch === name)
        ? [
            issueIn(planDir, {
              rule: 'CR-AF31',
              line: 0,
              description: `The module branch ${name} has no worktree and is not merged.`,
              fix: 'Merge it, or delete it.',
            }),
          ]
        : [],
    ),
  ];
}

function isOwnBranch(branch: string): boolean {
  return branch.startsWith('autoforge/') || branch.startsWith('forge/');
}
