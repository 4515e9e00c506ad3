/**
 * How hard a model is asked to think: one ordered scale, a default for each kind of work, and a ceiling per family of
 * models, above which providers refuse the request or ignore the word. The default counts only for models that are known
 * to take an effort; any other keeps its own. Pure.
 */

export const effortNames = ['low', 'medium', 'high', 'xhigh', 'max'] as const;
export type Effort = (typeof effortNames)[number];

export function isEffort(text: string): text is Effort {
  return (effortNames as readonly string[]).includes(text);
}

/** Who decides or looks for a cause thinks longest; who only sums up, least. */
const usualEfforts: ReadonlyMap<string, Effort> = rolesByEffort({
  high:
    'architect planner first-planner module-planner allocator reviewer final-reviewer module-reviewer auditor ' +
    'supervisor qa-engineer impact-judge debugger diagnostician',
  medium:
    'developer worker module-developer engineer bug-fixer bootstrapper tester module-tester integration-tester ' +
    'acceptance-tester researcher product-manager',
  low: 'learner librarian collator overseer halt-advisor scribe',
});

function rolesByEffort(names: Partial<Record<Effort, string>>): ReadonlyMap<string, Effort> {
  return new Map(
    Object.entries(names).flatMap(([effort, list]) => list.split(' ').map((role) => [role, effort as Effort] as const)),
  );
}

/** What a role is usually given; a task that only writes documents needs little of whoever does it. */
export function usualEffort({
  role,
  tag,
  wanted,
}: {
  readonly role: string;
  readonly tag: string | undefined;
  /** What the workflow gives this work. */
  readonly wanted: Effort | undefined;
}): EffortQuestion['usual'] {
  const effort = wanted ?? usualEfforts.get(role.replace(/-\d+$/, ''));
  if (effort === undefined) return undefined;
  if (effort === 'medium' && tag?.toLowerCase() === 'docs') return { effort: 'low', why: 'the task is tagged docs' };
  return { effort, why: `usual for the role ${role}${wanted === undefined ? '' : ' in this workflow'}` };
}

export interface EffortQuestion {
  /** What the task asks for; untrusted. */
  readonly task: string | undefined;
  /** The tier went up because of a risk: so does the effort. */
  readonly risk: boolean;
  readonly settings: string | undefined;
  /** What the work is usually given. */
  readonly usual?: { readonly effort: Effort; readonly why: string } | undefined;
  readonly model: string | undefined;
}

export function effortFor(question: EffortQuestion): { effort: Effort | undefined; reasons: string[] } {
  const asked = askedEffort(question);
  if (asked === undefined) return { effort: undefined, reasons: [] };
  const ceiling = effortCeiling(question.model);
  if (effortNames.indexOf(asked.effort) <= effortNames.indexOf(ceiling))
    return { effort: asked.effort, reasons: [asked.reason] };
  return { effort: ceiling, reasons: [asked.reason, `effort ${ceiling}: as far as ${question.model} goes`] };
}

/** A model that is not named is the agent's own and has no ceiling that is known here. */
export function effortCeiling(model: string | undefined): Effort {
  if (model === undefined) return 'max';
  return ceilings.find(([family]) => family.test(model))?.[1] ?? 'high';
}

/** By the family's name, with or without `claude-`, a provider's prefix or a version in between. */
const ceilings: readonly (readonly [RegExp, Effort])[] = [
  [/(?:^|[./-])(?:haiku|sonnet)(?:$|[-@:[])/i, 'medium'],
  [/(?:^|[./-])(?:opus|fable)(?:$|[-@:[])/i, 'max'],
  [/(?:^|\/)gpt-(?:5[\w.-]*-codex-max|5[.-][2-9]|[6-9])/i, 'xhigh'],
];

function askedEffort({
  task,
  risk,
  settings,
  usual,
  model,
}: EffortQuestion): { effort: Effort; reason: string } | undefined {
  if (task !== undefined && task !== '') return readEffort(task, 'the task says so');
  if (risk) return { effort: 'max', reason: 'effort max: the risk is high' };
  if (settings !== undefined) return readEffort(settings, 'settings say so');
  if (usual === undefined || model === undefined || !takesEffort(model)) return undefined;
  return { effort: usual.effort, reason: `effort ${usual.effort}: ${usual.why}` };
}

/** Small models refuse requests that name an effort, and of unknown ones nothing is known. */
function takesEffort(model: string): boolean {
  return !/haiku/i.test(model) && ceilings.some(([family]) => family.test(model));
}

function readEffort(text: string, why: string): { effort: Effort; reason: string } {
  const effort = text.trim().toLowerCase();
  if (isEffort(effort)) return { effort, reason: `effort ${effort}: ${why}` };
  return { effort: 'medium', reason: `effort medium: there is no effort ${JSON.stringify(text.slice(0, 40))}` };
}
