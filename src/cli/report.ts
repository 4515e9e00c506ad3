/** `forge report`: a run as Markdown on standard output, or as HTML and SARIF in files that the caller names. */
import { writeFileSync } from 'node:fs';
import { openContext, perform } from '../api/operation.ts';
import { type ReportFormat, reportRun } from '../api/report-run.ts';
import { ForgeError } from '../errors.ts';
import type { Call } from './commands.ts';

export async function run({ words: [name], values, switches }: Call): Promise<number> {
  const files = (['html', 'sarif'] as const).flatMap((format) => {
    const file = values[format];
    return file === undefined ? [] : [{ format, file }];
  });
  const printed: readonly ReportFormat[] = switches.has('json') ? ['json'] : files.length === 0 ? ['markdown'] : [];
  const formats = [...printed, ...files.map(({ format }) => format)];
  const { texts } = await perform(reportRun, openContext({ cwd: process.cwd() }), { run: name, formats });
  for (const { format, text } of texts) {
    const file = files.find((one) => one.format === format)?.file;
    if (file === undefined || file === '-') process.stdout.write(text);
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
    throw new ForgeError('bad-input', `${file} can not be written: ${(error as Error).message}`, {
      hint: 'Name a file in a directory that exists, or - for standard output.',
      cause: error,
    });
  }
}
