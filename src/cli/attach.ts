/** `forge attach`: watches a run of another process and answers what it asks. Ctrl-C leaves it going. */
import { attachableRun, attachRun } from '../api/attach-run.ts';
import { openContext } from '../api/context.ts';
import { followOperation, performOperation } from '../api/operation.ts';
import { runStatus } from '../api/run-status.ts';
import { talkToRuns } from '../api/talk-to-run.ts';
import { askPerson } from './ask-person.ts';
import type { CommandCall } from './commands.ts';
import { exitCode } from './exit-code.ts';
import { RunScreen } from './run-screen.ts';
import { openTerminal } from './terminal.ts';

export async function run({ words: [name], switches }: CommandCall): Promise<number> {
  const leave = new AbortController();
  const context = openContext({ cwd: process.cwd(), signal: leave.signal });
  const terminal = openTerminal();
  const json = switches.has('json');
  const talk = await talkToRuns(context);
  const attached = await attachableRun(context, name);
  const screen = new RunScreen(terminal, { json, talk });
  const interrupted = (): void => leave.abort();
  process.on('SIGINT', interrupted);
  const asked = new Set<string>();
  let asking = Promise.resolve();
  const ask = async (key: string): Promise<void> => {
    if (leave.signal.aborted || screen.chronicle.state.questions.get(key)?.answer !== undefined) return;
    screen.hide();
    const answer = await askPerson(terminal, screen.chronicle, key, leave.signal);
    if (answer === undefined) leave.abort();
    else await talk.answer(attached.run, key, answer);
    screen.show();
  };
  try {
    for await (const fact of followOperation(attachRun, context, { run: attached.run })) {
      screen.take(fact);
      if (json || !terminal.isInteractive) continue;
      // Only what is open in the end of what was there already; a fact later, it may be answered.
      for (const key of fact.seq >= attached.from ? screen.openQuestions() : []) {
        if (asked.has(key)) continue;
        asked.add(key);
        asking = asking.then(() => ask(key));
      }
    }
    await asking;
    screen.finish();
    const { status } = await performOperation(runStatus, context, { run: attached.run });
    const isOver = status === 'done' || status === 'failed' || status === 'cancelled';
    if (!json && isOver) terminal.write(`\n${screen.summary()}\n`);
    if (!json && status === 'interrupted')
      process.stderr.write(`Nobody is at work on it: forge resume ${attached.run}\n`);
    if (leave.signal.aborted && !isOver) {
      if (!json && status === 'running') {
        const commands = `  forge attach ${attached.run}   to watch it again\n  forge pause ${attached.run}    to stop it for now\n`;
        process.stderr.write(`You left; the run continues in the background.\n${commands}`);
      }
      return 130;
    }
    return exitCode({ status });
  } finally {
    screen.hide();
    process.off('SIGINT', interrupted);
  }
}
