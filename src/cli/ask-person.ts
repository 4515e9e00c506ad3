/** Puts a run's question to the person at the terminal until the answer fits. A plan can be changed in their editor. */

import { editText, openEditor } from '../api/edit-text.ts';
import { editablePlan, planProblems, withRemarks } from '../api/editable-plan.ts';
import { ForgeError } from '../errors.ts';
import type { Chronicle } from '../views/chronicle.ts';
import { questionPage } from '../views/plan-text.ts';
import { optionChoices, questionHead, wordsAsked } from '../views/question-text.ts';
import { bulletLines } from '../views/text-block.ts';
import { chooseOption } from './choose.ts';
import { promptLine } from './prompt.ts';
import type { Terminal } from './terminal.ts';

export type PersonAnswer = { readonly option: string; readonly text?: string } | { readonly text: string };

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
  const page = questionPage(chronicle, question, { columns });
  terminal.write(`\n${page === undefined ? '' : `${page}\n\n`}${questionHead(question, { columns })}\n`);
  const options = optionChoices(question);
  // Some approvals are about something that has no text to edit.
  const { checkout } = question;
  const canEdit = question.draft !== undefined || checkout !== undefined;
  const edit = canEdit ? [{ name: 'e', id: 'edit', label: `Change ${isPlan ? 'the plan' : 'it'} in your editor` }] : [];
  const recommended = question.options.findIndex((option) => option.recommended);
  let draft: string | undefined;
  for (;;) {
    const chosen = await chooseOption(terminal, {
      choices: [...options, ...edit],
      // Whoever has changed the plan does not want the old one.
      marked: draft === undefined ? (recommended === -1 ? undefined : recommended) : options.length,
      // A plan's own words are the plan itself; a typing error must not become one.
      words: !isPlan && (question.freeText || options.length === 0),
      signal,
    });
    if (chosen === undefined) return undefined;
    if ('words' in chosen) return { text: chosen.words };
    const option = question.options[chosen.index];
    const asked = option === undefined ? undefined : wordsAsked(option);
    if (option !== undefined && asked !== undefined) {
      const text = (await promptLine(asked.prompt, { signal }))?.trim();
      if (text !== undefined && text !== '') return { option: option.id, text };
      // Nothing said is nothing to go by: the question stands.
      if (text === undefined || !asked.isOptional) continue;
    }
    if (option !== undefined) return { option: option.id };
    if (checkout !== undefined) {
      if (await isEdited(terminal, checkout.path)) return { option: checkout.option };
      continue;
    }
    const edited = await editPlan(terminal, chronicle, draft ?? editablePlan(chronicle));
    if (edited.status === 'usable') return { text: edited.text };
    draft = edited.text ?? draft;
  }
}

/** Whether the person left their editor as one does. What they changed is looked at by the run. */
async function isEdited(terminal: Terminal, path: string): Promise<boolean> {
  try {
    await openEditor(path, { cwd: process.cwd(), env: process.env });
    return true;
  } catch (error) {
    if (!(error instanceof ForgeError)) throw error;
    terminal.say(`${error.message}. ${error.hint ?? ''}`);
    return false;
  }
}

type EditedText =
  | { readonly status: 'usable'; readonly text: string }
  /** With what there is to go on from next time. */
  | { readonly status: 'again'; readonly text: string | undefined };

async function editPlan(terminal: Terminal, chronicle: Chronicle, from: string): Promise<EditedText> {
  const { env } = process;
  try {
    const text = await editText({ text: from, name: 'plan.yaml', cwd: process.cwd(), env });
    if (text === undefined) {
      terminal.say('Nothing was changed.');
      return { status: 'again', text: undefined };
    }
    const problems = await planProblems(text, chronicle);
    if (problems.length === 0) return { status: 'usable', text };
    const lines = bulletLines(problems, Math.max(30, terminal.columns()));
    terminal.write(`The edited text cannot be used:\n${lines.join('\n')}\n`);
    terminal.say('Your text is kept; press e to edit it again.');
    return { status: 'again', text: withRemarks(text, problems) };
  } catch (error) {
    if (!(error instanceof ForgeError)) throw error;
    terminal.say(`${error.message}. ${error.hint ?? ''}`);
    return { status: 'again', text: undefined };
  }
}
