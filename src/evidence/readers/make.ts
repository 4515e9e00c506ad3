/**
 * Make that had nothing to do: `make: 'test' is up to date.` A file or directory of the target's name is enough for
 * that, and make calls it a success; no test ran. Only where make said nothing else.
 */
import { toReading, type Reading, type RunOutput } from './reading.ts';
import { plainLines } from './text.ts';

export function read(output: RunOutput): Reading | undefined {
  const lines = plainLines(output.stdout).filter((line) => line.trim() !== '');
  const idle = lines.length > 0 && lines.length < 100 && lines.every((line) => nothingToDo.test(line));
  return idle ? toReading([], output.root) : undefined;
}

const nothingToDo = /^g?make(?:\[\d+\])?: (?:['`].{1,200}' is up to date\.|Nothing to be done for ['`].{1,200}'\.)$/;
