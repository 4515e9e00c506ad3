/** `forge answer`: answers what a run asks and goes on with it, unless another process is at work on it. */
import { answerQuestion } from '../api/answer-question.ts';
import { editablePlan } from '../api/editable-plan.ts';
import { editText } from '../api/edit-text.ts';
import { askingRun } from '../api/find-run.ts';
import { type ApiContext, openContext, perform } from '../api/operation.ts';
import { runStatus } from '../api/run-status.ts';
import { ForgeError } from '../errors.ts';
import { askPerson } from './ask-person.ts';
import type { Call } from './commands.ts';
import { conduct } from './conduct.ts';
import { openTerminal } from './terminal.ts';

export async function run(call: Call): Promise<number> {
  const { values, switches } = call;
  const context = openContext({ cwd: process.cwd() });
  const { run: name, question } = await askingRun(context, call.words[0], call.words[1]);
  const { chronicle, isHeld } = await perform(runStatus, context, { run: name });
  const input = { run: name, ...(question === undefined ? {} : { question }), ...(await answerOf(call, context, name)) };
  const json = switches.has('json');
  const { answers } = await perform(answerQuestion, context, { ...input, resume: false });
  if (!json) for (const answered of answers) console.log(`Answered ${answered.question}.`);
  if (isHeld || switches.has('no-resume')) return 0;
  return conduct({
    terminal: openTerminal(),
    json,
    yes: switches.has('yes'),
    chronicle,
    begin: async (watched) => (await watched.forge()).engine.resume(name, watched.watcher),
  });
}
