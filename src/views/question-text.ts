/** A question as a person reads it on a terminal, and what they mean by a number. */
import type { Question } from '../engine/facts.ts';
import { plainLines, wrap } from './terminal-text.ts';
import type { TextOptions } from './text-block.ts';

export function questionText(question: Question, options: TextOptions = {}): string {
  const columns = Math.max(30, options.columns ?? 80);
  const detail = question.detail === '' ? [] : plainLines(question.detail);
  return [
    ...wrap(question.title, columns),
    ...detail.flatMap((line) => wrap(line, columns - 2).map((part) => `  ${part}`.trimEnd())),
    ...question.options.flatMap(({ label, recommended }, index) => {
      const text = `${label}${recommended ? ' (recommended)' : ''}`;
      const lead = `  ${index + 1}. `;
      return wrap(text, columns - lead.length).map(
        (part, line) => (line === 0 ? lead : ' '.repeat(lead.length)) + part,
      );
    }),
    ...(question.freeText
      ? [question.options.length === 0 ? '  Answer in your own words.' : '  Or answer in your own words.']
      : []),
  ].join('\n');
}

/** The option meant by its number or id; by nothing at all, the recommended one. */
export function chosenOption(question: Question, typed: string): string | undefined {
  const word = typed.trim();
  if (word === '') return question.options.find((option) => option.recommended)?.id;
  const byNumber = /^\d+$/.test(word) ? question.options[Number(word) - 1] : undefined;
  return (question.options.find((option) => option.id === word) ?? byNumber)?.id;
}
