/** `forge record`: writes down what the agents of a run did, so that `forge rehearse` can play it again. */
import { openContext } from '../api/context.ts';
import { performOperation } from '../api/operation.ts';
import { recordRun } from '../api/record-run.ts';
import { countText } from '../views/figures.ts';
import type { CommandCall } from './commands.ts';
import { printJson } from './print.ts';

/** One word is the file: the newest run that is over is meant. */
export async function run({ words, switches }: CommandCall): Promise<number> {
  const [name, file] = words.length === 1 ? [undefined, words[0]] : words;
  await record(name, file ?? '', switches.has('json'));
  return 0;
}

/** After a run, or of one that is over. With `--json` nothing is said among the facts of a run. */
export async function record(name: string | undefined, file: string, json: boolean): Promise<void> {
  const recorded = await performOperation(recordRun, openContext({ cwd: process.cwd() }), { run: name, file });
  if (json) return printJson({ type: 'run.recorded', ...recorded });
  console.log(`Recorded ${countText(recorded.jobs, 'job')} in ${recorded.file}\n  forge rehearse ${file}`);
  if (recorded.redacted.length > 0)
    process.stderr.write(`note: secrets were left out of ${recorded.redacted.join(', ')}; these files will differ\n`);
}
