/**
 * Which answer a request gets. Nothing is remembered between requests but how often an answer was asked for: the place
 * in a script follows from the conversation itself, so parallel jobs, retries and sessions continued after a kill all
 * find theirs. Several rules may fit a long session; the one whose prompt came last wins, then the first in the script.
 */
import type { ModelRequest, Turn } from './request.ts';
import type { Answer, PlainAnswer, Rule, Rules } from './script.ts';

export interface Picked {
  readonly rule: Rule;
  /** How many answers were given since the prompt that the rule is about. */
  readonly place: number;
  /** How many prompts of this session fit the rule: two when a session was continued with the same brief. */
  readonly prompts: number;
  /** Undefined when the script has no answer left. */
  readonly answer: Answer | undefined;
}

export function pick(rules: Rules, request: ModelRequest): Picked | undefined {
  const fitting = rules.flatMap((rule) => {
    const at = promptsOf(rule, request);
    const last = at.at(-1);
    return last === undefined ? [] : [{ rule, last, prompts: at.length }];
  });
  const newest = Math.max(...fitting.map(({ last }) => last));
  const found = fitting.find(({ last }) => last === newest);
  if (found === undefined) return undefined;
  const place = answersAfter(request.turns, found.last);
  return { rule: found.rule, place, prompts: found.prompts, answer: found.rule.answers[place] };
}

export function tryOf(answer: Answer, tries: number): PlainAnswer {
  if (!('tries' in answer)) return answer;
  const chosen = answer.tries[Math.min(tries, answer.tries.length - 1)];
  if (chosen === undefined) throw new Error('a script has at least one try');
  return chosen;
}

/** Where the session's prompts are that the rule speaks of. */
function promptsOf(rule: Rule, { system, turns }: ModelRequest): readonly number[] {
  const said = [system, ...turns.filter(({ role }) => role === 'user').map(({ text }) => text)].join('\n');
  if (!rule.says.every((text) => said.includes(text))) return [];
  const users = turns.flatMap((turn, at) => (turn.role === 'user' ? [{ ...turn, at }] : []));
  if (rule.now.length > 0) return users.filter(({ text }) => holdsAll(text, rule.now)).map(({ at }) => at);
  const naming = users.filter(({ text }) => rule.says.some((part) => text.includes(part)));
  return (naming.length > 0 ? naming : users.slice(-1)).map(({ at }) => at);
}

/** Text and calls of one answer may come back as several turns in a row. */
function answersAfter(turns: readonly Turn[], from: number): number {
  const later = turns.slice(from + 1);
  return later.filter((turn, at) => turn.role === 'assistant' && later[at - 1]?.role !== 'assistant').length;
}

function holdsAll(text: string, wanted: readonly string[]): boolean {
  return wanted.every((part) => text.includes(part));
}
