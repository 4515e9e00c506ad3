/**
 * How hard a model is asked to think: one ordered scale, and a ceiling per family of models, above which providers
 * refuse the request or ignore the word. Without anyone asking, the agent keeps its own default. Pure.
 */

export const efforts = ['low', 'medium', 'high', 'xhigh', 'max'] as const;
export type Effort = (typeof efforts)[number];

export function isEffort(text: string): text is Effort {
  return (efforts as readonly string[]).includes(text);
}

export interface EffortQuestion {
  /** What the task asks for; untrusted. */
  readonly task: string | undefined;
  /** The tier went up because of a risk: so does the effort. */
  readonly risk: boolean;
  readonly settings: string | undefined;
  readonly model: string | undefined;
}

export function effortFor(question: EffortQuestion): { effort: Effort | undefined; reasons: string[] } {
  const asked = askedEffort(question);
  if (asked === undefined) return { effort: undefined, reasons: [] };
  const ceiling = effortCeiling(question.model);
  if (efforts.indexOf(asked.effort) <= efforts.indexOf(ceiling))
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

function askedEffort({ task, risk, settings }: EffortQuestion): { effort: Effort; reason: string } | undefined {
  if (task !== undefined && task !== '') return readEffort(task, 'the task says so');
  if (risk) return { effort: 'max', reason: 'effort max: the risk is high' };
  return settings === undefined ? undefined : readEffort(settings, 'settings say so');
}

function readEffort(text: string, why: string): { effort: Effort; reason: string } {
  const effort = text.trim().toLowerCase();
  if (isEffort(effort)) return { effort, reason: `effort ${effort}: ${why}` };
  return { effort: 'medium', reason: `effort medium: there is no effort ${JSON.stringify(text.slice(0, 40))}` };
}
