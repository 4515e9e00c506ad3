/** A question as a person reads it on a terminal, and what they mean by a number. */
import type { Question } from '../engine/facts.ts';
import { plainLine, plainLines, wrapText } from './terminal-text.ts';
import type { TextOptions } from './text-block.ts';

export function questionText(question: Question, options: TextOptions = {}): string {
  const columns = Math.max(30, options.columns ?? 80);
  return [
    ...headLines(question, columns),
    ...choiceLines(optionChoices(question), columns).lines,
    ...(question.freeText
      ? [question.options.length === 0 ? '  Answer in your own words.' : '  Or answer in your own words.']
      : []),
  ].join('\n');
}

/** The option of a question about a plan that takes words: how it should be different. */
export const planWish = 'modify';

export interface AskedWords {
  /** What to put before the place to type them. */
  readonly prompt: string;
  /** Whether the option means something without them. */
  readonly isOptional: boolean;
}

/** An option takes words when its label ends with what to say: `Try again (say how)`, `Stop (say why if you like)`. */
export function wordsAsked({ id, label }: { readonly id: string; readonly label: string }): AskedWords | undefined {
  if (id === planWish) return { prompt: 'What should be different? ', isOptional: false };
  const asked = /\(((?:say|give|name)\b[^()]*)\)$/.exec(label)?.[1];
  if (asked === undefined) return undefined;
  return { prompt: `${asked.charAt(0).toUpperCase()}${asked.slice(1)}: `, isOptional: asked.endsWith('if you like') };
}

/** What to type, with every option by its id; the number before an option is as good. */
export function answerCommand(run: string, key: string, question: Question): string {
  const isPlan = question.topic === 'approval';
  const options = question.options.map((option) => {
    const words = wordsAsked(option)?.isOptional === false ? ' --text "…"' : '';
    return `--option ${option.id}${words}${option.recommended ? ' (recommended)' : ''}`;
  });
  const edit = question.draft === undefined && question.checkout === undefined ? [] : ['--edit'];
  const text = !isPlan && (question.freeText || question.options.length === 0) ? ['--text "…"'] : [];
  return plainLine(`forge answer ${run} ${key} ${[...options, ...edit, ...text].join(' | ')}`);
}

/** Without the options: those are for whoever lets a person choose. */
export function questionHead(question: Question, options: TextOptions = {}): string {
  return headLines(question, Math.max(30, options.columns ?? 80)).join('\n');
}

/** Something that can be chosen, by what a person types for it or by its id. */
export interface Choice {
  readonly name: string;
  readonly id: string;
  readonly label: string;
}

export function optionChoices({ options }: Question): readonly Choice[] {
  return options.map(({ id, label, recommended }, index) => ({
    name: String(index + 1),
    id,
    label: `${label}${recommended ? ' (recommended)' : ''}`,
  }));
}

/** One line or more for each, and the line at which each begins. */
export function choiceLines(
  choices: readonly Choice[],
  columns: number,
): { readonly lines: readonly string[]; readonly starts: readonly number[] } {
  const lines: string[] = [];
  const starts: number[] = [];
  for (const { name, label } of choices) {
    const lead = `  ${name}. `;
    starts.push(lines.length);
    for (const [index, part] of wrapText(label, columns - lead.length).entries())
      lines.push((index === 0 ? lead : ' '.repeat(lead.length)) + part);
  }
  return { lines, starts };
}

/** The choice meant by what was typed, as an index. */
export function chosenBy(choices: readonly Choice[], typed: string): number | undefined {
  const word = typed.trim().toLowerCase();
  const byId = choices.findIndex((choice) => choice.id.toLowerCase() === word);
  const found = byId === -1 ? choices.findIndex((choice) => choice.name === word) : byId;
  return found === -1 ? undefined : found;
}

function headLines({ title, detail }: Question, columns: number): string[] {
  return [
    ...wrapText(title, columns),
    ...(detail === '' ? [] : plainLines(detail)).flatMap((line) =>
      wrapText(line, columns - 2).map((part) => `  ${part}`.trimEnd()),
    ),
  ];
}
