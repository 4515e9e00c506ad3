/**
 * Tools that run at the provider: each use has a fee and reads the whole input again. They pass only where a person
 * has set what one use costs, and where the number of uses has a bound. Pure.
 */
import type { Json } from '../strict-json.ts';
import { type FieldRule, NotUnderstood, notSentSentence, refuseField } from './rule.ts';

export const mostUses = 20;

/** What a request that names no number of uses is limited to. */
export const usualUses = 5;

/** For the `type` of such a tool; `uses` is its own limit, where it has one. */
export function hostedToolRule(name: string, uses?: Json): FieldRule {
  return (value, at, { fees, facts }) => {
    if (!Object.hasOwn(fees, name)) {
      throw new NotUnderstood(
        `${notSentSentence} "${at}" is ${name}, a tool that runs at the provider for a fee. Turn it off in the agent, or set what one use costs: "meter: { fees: { ${name}: 0.01 } }" for this agent in .forge/config.yaml.`,
      );
    }
    if (uses !== undefined && uses !== null && !isUses(uses))
      throw new NotUnderstood(`${notSentSentence} "max_uses" of ${name} must be a whole number from 1 to ${mostUses}.`);
    facts.hosted.push({ name, uses: isUses(uses) ? uses : undefined });
    return value;
  };
}

export function hostedWithoutBound(name: string): FieldRule {
  return refuseField(
    `is ${name.slice(0, 40) || 'unknown'}, a tool that may run at the provider, where its cost has no bound.`,
  );
}

export function isUses(value: Json | undefined): value is number {
  return typeof value === 'number' && Number.isInteger(value) && value >= 1 && value <= mostUses;
}
