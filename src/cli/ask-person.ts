/** Puts a run's question to the person at the terminal until the answer fits. A plan can be changed in their editor. */
import { editablePlan, requireUsablePlan } from '../api/editable-plan.ts';
import { editText } from '../api/edit-text.ts';
import { ForgeError } from '../errors.ts';
import type { Chronicle } from '../views/chronicle.ts';
import { planText } from '../views/plan-text.ts';
import { chosenOption, questionText } from '../views/question-text.ts';
import { promptLine } from './prompt.ts';
import type { Terminal } from './terminal.ts';

export type PersonAnswer = { readonly option: string } | { readonly text: string };

/** Undefined when the person left, or the question was answered elsewhere. */
export async function askPerson(
  terminal: Terminal,
  chronicle: Chronicle,
  key: string,
  signal: AbortSignal,
): Promise<PersonAnswer | undefined> {
  const question = chronicle.state.questions.get(key)?.question;
  if (question === undefined) return undefined;
  const columns = terminal.columns();
  const isPlan = question.topic === 'approval';
  const plan = isPlan ? planText(chronicle, { columns }) : undefined;
  terminal.write(
    `\n${plan === undefined ? '' : `${plan}\n\n`}${questionText(isPlan ? { ...question, freeText: false } : question, { columns })}\n`,
  );
  if (isPlan) terminal.write('  e. Change the plan in your editor\n');
  for (;;) {
    const typed = await promptLine('> ', signal);
    if (typed === undefined) return undefined;
    const word = typed.trim();
    if (isPlan && (word === 'e' || word === 'edit')) {
      const text = await edit(terminal, chronicle);
      if (text !== undefined) return { text };
      continue;
    }
    const option = chosenOption(question, word);
    if (option !== undefined) return { option };
    // A plan's own words are the plan itself; a typing error must not become one.
    if (word !== '' && !isPlan && (question.freeText || question.options.length === 0)) return { text: word };
    terminal.write('Choose by number or name.\n');
  }
}

async function edit(terminal: Terminal, chronicle: Chronicle): Promise<string | undefined> {
  const { env } = process;
  try {
    const text = await editText({ text: editablePlan(chronicle), name: 'plan.yaml', cwd: process.cwd(), env });
    if (text === undefined) {
      terminal.write('Nothing was changed.\n');
      return undefined;
    }
    requireUsablePlan(text, chronicle);
    return text;
  } catch (error) {
    if (!(error instanceof ForgeError)) throw error;
    terminal.write(`${error.message}\n`);
    return undefined;
  }
}
