/**
 * Says whether a plan can be run, and if not, everything that is wrong with it at once: where, what, and
 * what to write instead. The input is untrusted: any value is answered with a value, never a throw.
 * Faults make a plan invalid; warnings are what the scheduler copes with but a person may want to know.
 */
import { resolveVerify } from './command-line.ts';
import { concurrentOverlaps } from './concurrent-overlap.ts';
import { findCycles } from './cycles.ts';
import { explainSchema } from './explain-schema.ts';
import { compilePattern, coversEverything } from './path-pattern.ts';
import { patternProblem } from './path-rules.ts';
import { type Plan, planSchema, type Task, taskSchema } from './plan.ts';
import { type Issue, quoteList, quoteUntrusted } from './refusal.ts';
import { nearestWord } from './task-id.ts';

export type PlanValidation =
  | { readonly status: 'valid'; readonly plan: Plan; readonly warnings: readonly Issue[] }
  | { readonly status: 'invalid'; readonly issues: readonly Issue[] };

export function validatePlan(input: unknown): PlanValidation {
  const parsed = planSchema.safeParse(input);
  if (!parsed.success)
    return { status: 'invalid', issues: explainSchema(parsed.error.issues, input, { fields, aliases }) };
  const { tasks } = parsed.data;
  const issues = [
    ...checkIds(tasks),
    ...checkDepends(tasks),
    ...tasks.flatMap(checkPaths),
    ...tasks.flatMap(checkVerify),
  ];
  if (tasks.length === 0)
    issues.push({ where: 'tasks', problem: 'The plan has no task.', fix: 'Add at least one task.' });
  if (issues.length > 0) return { status: 'invalid', issues };
  return { status: 'valid', plan: parsed.data, warnings: [...tasks.flatMap(checkWrites), ...checkOverlap(tasks)] };
}

const fields = [...Object.keys(taskSchema.shape), ...Object.keys(planSchema.shape), 'run', 'cwd', 'env', 'timeout'];

/** What planners call these fields when they do not remember the name. */
const otherNames: Readonly<Record<string, string>> = {
  depends: 'dependencies dependsOn depends_on deps after',
  writes: 'files paths outputs scope',
  forbids: 'exclude',
  verify: 'commands checks tests verification',
  run: 'command cmd',
  cwd: 'directory dir',
  objective: 'description goal',
  title: 'name',
  doneWhen: 'done_when done',
  kind: 'type',
  expectedMinutes: 'minutes estimate',
  complexity: 'size',
  behaviourChanges: 'behaviour_changes behaviorChanges changes breaking',
};
const aliases = Object.fromEntries(
  Object.entries(otherNames).flatMap(([field, names]) => names.split(' ').map((name) => [name, field])),
);

/** Ids become refs and directories, so they follow the stricter of both, on any file system. */
function checkIds(tasks: readonly Task[]): Issue[] {
  const first = new Map<string, number>();
  return tasks.flatMap(({ id }, place) => {
    const where = `tasks[${place}].id`;
    if (!/^[A-Za-z0-9][A-Za-z0-9._-]{0,63}$/.test(id)) {
      const fix =
        'Use up to 64 letters, digits, dots, dashes and underscores, beginning with a letter or digit, such as "T1".';
      return [{ where, problem: `The id ${quoteUntrusted(id)} cannot name a branch or a directory.`, fix }];
    }
    if (/\.\.|\.$|\.lock$/i.test(id)) {
      const fix = `Leave out "..", a dot at the end and ".lock", such as ${quoteUntrusted(
        id
          .replace(/\.lock$/i, '')
          .replace(/\.+/g, '-')
          .replace(/-$/, ''),
      )}.`;
      return [{ where, problem: `The id ${quoteUntrusted(id)} cannot name a branch.`, fix }];
    }
    const earlier = first.get(id.toLowerCase());
    if (earlier === undefined) {
      first.set(id.toLowerCase(), place);
      return [];
    }
    const same = tasks[earlier]?.id === id;
    const problem = same
      ? `The id ${quoteUntrusted(id)} is used by tasks[${earlier}] too.`
      : `The id ${quoteUntrusted(id)} differs from ${quoteUntrusted(tasks[earlier]?.id ?? '')} only in case.`;
    return [{ where, problem, fix: 'Give every task an id of its own.' }];
  });
}

/** Guessing what was meant looks at every id, so only the first few faults get a guess. */
const maxGuesses = 20;

function checkDepends(tasks: readonly Task[]): Issue[] {
  const ids = tasks.map((task) => task.id);
  const known = new Set(ids);
  let guesses = 0;
  const issues = tasks.flatMap((task, place) =>
    task.depends.flatMap((need, at) => {
      const where = `tasks[${place}].depends[${at}]`;
      if (need === task.id)
        return [{ where, problem: `${quoteUntrusted(need)} depends on itself.`, fix: 'Remove it.' }];
      if (known.has(need)) return [];
      const meant = guesses++ < maxGuesses ? nearestWord(need.slice(0, 64), ids) : undefined;
      const fix =
        meant === undefined
          ? `Use one of ${quoteList(ids, 8)}, or remove it.`
          : `Did you mean ${quoteUntrusted(meant)}?`;
      return [{ where, problem: `There is no task ${quoteUntrusted(need)}.`, fix }];
    }),
  );
  return [...issues, ...findCycles(tasks).flatMap((members) => cycleIssue(tasks, members))];
}

function cycleIssue(tasks: readonly Task[], members: readonly string[]): Issue[] {
  const place = tasks.findIndex((task) => task.id === members[0]);
  const need = tasks[place]?.depends.find((id) => id !== members[0] && members.includes(id));
  // A task that depends on itself has been reported where it does.
  if (need === undefined) return [];
  return [
    {
      where: `tasks[${place}].depends`,
      problem: `${quoteList(members, 12)} depend on each other in a circle.`,
      fix: `Remove one of these dependencies, such as ${quoteUntrusted(need)} from ${quoteUntrusted(members[0] ?? '')}.`,
    },
  ];
}

function checkPaths(task: Task, place: number): Issue[] {
  return (['writes', 'forbids'] as const).flatMap((field) =>
    task[field].flatMap((path, at) => {
      const fault = patternProblem(path);
      return fault === undefined ? [] : [{ where: `tasks[${place}].${field}[${at}]`, ...fault }];
    }),
  );
}

function checkVerify(task: Task, place: number): Issue[] {
  const where = `tasks[${place}].verify`;
  if (task.verify.length === 0 && task.kind !== 'docs') {
    const fix = 'Add a command that shows it works, such as "verify": ["npm test"], or set "kind" to "docs".';
    return [{ where, problem: `Nothing verifies ${quoteUntrusted(task.id)}.`, fix }];
  }
  return task.verify.flatMap((entry, at) => {
    const resolved = resolveVerify(entry);
    return resolved.status === 'resolved'
      ? []
      : [{ where: `${where}[${at}]`, problem: resolved.problem, fix: resolved.fix }];
  });
}

function checkWrites(task: Task, place: number): Issue[] {
  const where = `tasks[${place}].writes`;
  if (task.writes.length === 0) {
    const fix = 'List the paths it will change, such as ["src/auth/**"].';
    return [
      {
        where,
        problem: `${quoteUntrusted(task.id)} does not say what it writes, so all its changes will be flagged.`,
        fix,
      },
    ];
  }
  return task.writes.flatMap((path, at) => {
    if (!coversEverything(compilePattern(path))) return [];
    const problem = `${quoteUntrusted(task.id)} claims the whole repository, so nothing runs beside it.`;
    return [{ where: `${where}[${at}]`, problem, fix: 'Name the directories it needs.' }];
  });
}

function checkOverlap(tasks: readonly Task[]): Issue[] {
  const { overlaps, complete } = concurrentOverlaps(tasks);
  const warnings = overlaps.map(({ task, write, others }) => {
    const id = tasks[task]?.id ?? '';
    const rivals = others.map((other) => tasks[other.task]?.id ?? '');
    return {
      where: `tasks[${task}].writes[${write}]`,
      problem: `${quoteUntrusted(id)} and ${quoteList(rivals)} write the same files (${quoteUntrusted(tasks[task]?.writes[write] ?? '')}, ${others.map((other) => quoteUntrusted(other.pattern)).join(', ')}) and no dependency orders them, so they will run one after the other.`,
      fix: `Add ${quoteList(rivals)} to the depends of ${quoteUntrusted(id)}, or give each its own files.`,
    };
  });
  if (complete) return warnings;
  const problem = 'So many writes could meet that not all of them were compared.';
  return [...warnings, { where: 'tasks', problem, fix: 'Give tasks that can run together files of their own.' }];
}
