/** `forge answer`: answers what a run asks and continues the run, unless another process is working on it. */
import { isHeld } from '../api/choose-run.ts';
import { openContext } from '../api/context.ts';
import { readChronicle } from '../api/find-run.ts';
import { type AnswerRequest, askingRun, giveAnswers } from '../api/give-answer.ts';
import { ForgeError } from '../errors.ts';
import type { Chronicle } from '../views/chronicle.ts';
import { answerCommand, questionText } from '../views/question-text.ts';
import type { CommandCall } from './commands.ts';
import { openTerminal, type Terminal } from './terminal.ts';
import { wordsFor } from './words-for.ts';

export async function run(call: CommandCall): Promise<number> {
  const { switches } = call;
  const context = openContext({ cwd: process.cwd() });
  const terminal = openTerminal();
  const json = switches.has('json');
  const named = await wordsFor(context, call.words);
  const { run: name, question } = await askingRun(context, { run: named.run, question: named.task });
  const { engine } = await context.runs();
  const isWorkedOn = isHeld(await engine.summarize(name));
  const chronicle = await readChronicle(engine, name);
  const answer = await answerFrom(call, { chronicle, question, terminal });
  if (answer === undefined) return 3;
  const { into } = call.values;
  const { answers } = await giveAnswers(context, { run: name, question, ...answer, into });
  const answered = answers.map((one) => one.question);
  if (!json) console.log(`Answered: ${answered.join(', ')}`);
  if (!isWorkedOn && switches.has('no-resume') && !json) console.log(`  Continue the run: forge resume ${name}`);
  if (isWorkedOn || switches.has('no-resume')) return 0;
  // What works on runs is loaded only now: the person has read that the answer was taken.
  const [{ conductRun }, { performOperation }, { resumeRun }] = await Promise.all([
    import('./conduct.ts'),
    import('../api/operation.ts'),
    import('../api/resume-run.ts'),
  ]);
  return conductRun({
    terminal,
    json,
    yes: switches.has('yes'),
    chronicle,
    answered,
    begin: async (watched) => {
      await performOperation(resumeRun, watched, { run: name });
    },
  });
}

interface Asked {
  readonly chronicle: Chronicle;
  /** Undefined when several are open and none was named. */
  readonly question: string | undefined;
  readonly terminal: Terminal;
}

type Given = Pick<AnswerRequest, 'option' | 'text' | 'recommended'>;

/** What is asked, with its options, and the command for each: nobody should have to look elsewhere. */
function noAnswer({ chronicle: { state }, question }: Asked): ForgeError {
  const open = [...state.questions].filter(([key, { answer }]) => answer === undefined && (question ?? key) === key);
  const name = state.created?.run ?? '';
  const texts = open.map(
    ([key, { question: asked }]) => `${questionText(asked)}\n  ${answerCommand(name, key, asked)}`,
  );
  return new ForgeError('bad-input', ['No answer was given. The run asks:', ...texts].join('\n\n'), {
    hint: '--yes takes the recommended answers.',
  });
}

/** Undefined when the person changed nothing or left. */
async function answerFrom({ values, switches }: CommandCall, asked: Asked): Promise<Given | undefined> {
  const { option, text } = values;
  if (switches.has('edit')) {
    const { questions } = asked.chronicle.state;
    const open = [...questions].findLast(
      ([key, { answer }]) => answer === undefined && (asked.question ?? key) === key,
    );
    const checkout = open?.[1].question.checkout;
    if (checkout !== undefined) {
      const { openEditor } = await import('../api/edit-text.ts');
      await openEditor(checkout.path, { cwd: process.cwd(), env: process.env });
      return { option: checkout.option };
    }
    const [{ editablePlan }, { editText }] = await Promise.all([
      import('../api/editable-plan.ts'),
      import('../api/edit-text.ts'),
    ]);
    const edited = await editText({
      text: editablePlan(asked.chronicle),
      name: 'plan.yaml',
      cwd: process.cwd(),
      env: process.env,
    });
    if (edited === undefined) console.error('Nothing was changed, so nothing is answered.');
    return edited === undefined ? undefined : { text: edited };
  }
  if (option !== undefined || text !== undefined) {
    return { ...(option === undefined ? {} : { option }), ...(text === undefined ? {} : { text }) };
  }
  if (switches.has('yes')) return { recommended: true };
  if (!asked.terminal.isInteractive || asked.question === undefined) throw noAnswer(asked);
  const { askPerson } = await import('./ask-person.ts');
  return askPerson(asked.terminal, asked.chronicle, asked.question, new AbortController().signal);
}
