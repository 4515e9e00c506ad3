/** Whether an answer fits its question. Pure. */
import type { Answer, Question } from './facts.ts';

/** Why the answer cannot be taken, or undefined when it can. */
export function refuseAnswer(question: Question, answer: Answer): string | undefined {
  if (answer.option !== undefined) {
    if (question.options.some((option) => option.id === answer.option)) return undefined;
    const known = question.options.map((option) => option.id).join(', ');
    return `there is no option ${JSON.stringify(answer.option)}; options are: ${known || '(none, free text)'}`;
  }
  if (answer.text === undefined || answer.text === '') return 'it names no option and has no text';
  const takesText = question.freeText || question.options.length === 0;
  return takesText ? undefined : 'free text is not taken here; choose an option';
}

export function recommendedOption(question: Question): string | undefined {
  return question.options.find((option) => option.recommended)?.id;
}
