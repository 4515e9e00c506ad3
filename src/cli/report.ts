/** `forge report`: a run as Markdown on standard output, or as HTML and SARIF in files that the caller names. */
import { writeFileSync } from 'node:fs';
import { openContext } from '../api/context.ts';
import { performOperation } from '../api/operation.ts';
import { reportRun } from '../api/report-run.ts';
import { ForgeError } from '../errors.ts';
import type { CommandCall } from './commands.ts';

export async function run({ words: [name], values, switches }: CommandCall): Promise<number> {
  const files = (['html', 'sarif'] as const).flatMap((format) => {
    const file = values[format];
    return file === undefined ? [] : [{ format, file }];
  });
  const printed = switches.has('json') ? ['json'] : files.length === 0 ? ['markdown'] : [];
  const wanted = [...printed.map((format) => ({ format, file: '-' })), ...files];
  const context = openContext({ cwd: process.cwd() });
  for (const { format, file } of wanted) {
    const { text } = await performOperation(reportRun, context, { run: name, format });
    if (file === '-') process.stdout.write(text);
    else {
      write(file, text);
      // Standard output may be the data of another format.
      console.error(`Wrote ${file}`);
    }
  }
  return 0;
}

function write(file: string, text: string): void {
  try {
    writeFileSync(file, text);
  } catch (error) {
    throw new ForgeError('bad-input', `${file} cannot be written: ${(error as Error).message}`, {
      hint: 'Name a file in a directory that exists, or - for standard output.',
      cause: error,
    });
  }
}
