/**
 * Whether a model thinks before it answers, for models that are asked: those of Anthropic. What somebody said counts,
 * then what the workflow wants; a model that cannot do as asked does what it can, with the reason why. Pure.
 */

export const thinkingNames = ['adaptive', 'disabled'] as const;
export type Thinking = (typeof thinkingNames)[number];

export interface ThinkingQuestion {
  /** Of the role, else of the agent. */
  readonly wanted: Thinking | undefined;
  /** What the workflow wants where nobody said anything: only of a model that is known to take it. */
  readonly usual?: Thinking | undefined;
  /** Whose models the agent talks to. */
  readonly provider: string | undefined;
  /** Undefined: the agent's own. */
  readonly model: string | undefined;
}

export interface ThinkingAnswer {
  /** Undefined: the model is not asked. */
  readonly thinking?: Thinking;
  readonly reasons: readonly string[];
}

export function thinkingFor({ wanted, usual, provider, model }: ThinkingQuestion): ThinkingAnswer {
  if (wanted === undefined) {
    if (usual === undefined || provider !== 'anthropic' || model === undefined) return { reasons: [] };
    const { thinking } = thinkingFor({ wanted: usual, provider, model });
    return thinking === usual
      ? { thinking, reasons: [`thinking ${usual}: usual for this work in this workflow`] }
      : { reasons: [] };
  }
  if (provider !== 'anthropic')
    return { reasons: ["thinking is not asked for: this agent's models have no such setting"] };
  if (model !== undefined && wanted === 'disabled' && alwaysThinks.test(model))
    return { thinking: 'adaptive', reasons: [`thinking adaptive: ${model} does not work without`] };
  if (model !== undefined && wanted === 'adaptive' && neverAdapt.some((family) => family.test(model)))
    return { reasons: [`thinking is not asked for: ${model} does not take adaptive`] };
  return { thinking: wanted, reasons: [`thinking ${wanted}: settings say so`] };
}

/** They refuse requests that disable it. */
const alwaysThinks = /(?:^|[./-])(?:fable|mythos)(?:$|[-@:[])/i;
/** Small models, and those from before adaptive thinking. */
const neverAdapt: readonly RegExp[] = [
  /(?:^|[./-])haiku(?:$|[-@:[])/i,
  /(?:^|[./-])claude-3[-.]/i,
  /(?:^|[./-])(?:opus|sonnet)-4(?:[-.][015])?(?:-\d{8})?(?:$|[@:[]|-v\d)/i,
];
