/** What OpenAI's two ways to ask have in common. */
import { choice, noting, type Rule } from './rule.ts';

export const serviceTier: Rule = noting(
  (facts, value) => {
    facts.rush ||= value === 'priority' || value === 'fast';
  },
  choice('auto', 'default', 'standard', 'flex', 'scale', 'priority', 'fast'),
);

export function imagePart(rule: Rule): Rule {
  return noting((facts) => {
    facts.images += 1;
  }, rule);
}
