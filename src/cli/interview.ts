/**
 * Questions to the person at the terminal about something that is not said by words or flags. An answer that cannot be
 * used is asked for again with the reason; whoever leaves (Ctrl-C or Ctrl-D) leaves everything as it is.
 */
import { ForgeError } from '../errors.ts';
import { promptLine } from './prompt.ts';
import { openTerminal } from './terminal.ts';

export interface InterviewQuestion {
  readonly text: string;
  /** What Enter means; without it an answer is needed. */
  readonly enter?: string;
  /** What is wrong with an answer, in a sentence; undefined when it can be used. */
  readonly refuse?: (answer: string) => string | undefined;
}

/** Undefined: nobody is there to ask. */
export async function askMissing(question: InterviewQuestion): Promise<string | undefined> {
  const terminal = openTerminal();
  if (!terminal.isInteractive) return undefined;
  const { text, enter, refuse } = question;
  const prompt = enter === undefined ? `${text} ` : `${text} (Enter: ${enter}) `;
  for (;;) {
    const typed = (await promptLine(prompt))?.trim();
    if (typed === undefined)
      throw new ForgeError('record-refused', 'You left before the last question. Nothing was written.');
    if (typed === '' && enter !== undefined) return '';
    const fault = typed === '' ? 'This cannot be empty. Ctrl-D leaves.' : refuse?.(typed);
    if (fault === undefined) return typed;
    terminal.say(fault);
  }
}
