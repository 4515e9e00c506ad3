/** What OpenAI's two ways to ask have in common. */
import { choiceRule, type FieldRule, notingRule } from './rule.ts';

export const serviceTier: FieldRule = notingRule(
  (facts, value) => {
    facts.rush ||= value === 'priority' || value === 'fast';
  },
  choiceRule('auto', 'default', 'standard', 'flex', 'scale', 'priority', 'fast'),
);

export function imagePart(rule: FieldRule): FieldRule {
  return notingRule((facts) => {
    facts.images += 1;
  }, rule);
}
