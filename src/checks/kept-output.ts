/** The beginning and the end of a log, as a report keeps them: 3 KiB and 7 KiB, never half a character. */
import { open } from 'node:fs/promises';
import { Capture } from '../process/capture.ts';

const limits = { headBytes: 3 * 1024, tailBytes: 7 * 1024 };

export async function keptOutput(logFile: string): Promise<string> {
  const file = await open(logFile, 'r').catch(() => undefined);
  if (file === undefined) return '';
  try {
    const capture = new Capture(limits);
    for await (const chunk of file.createReadStream({ autoClose: false })) capture.push(chunk as Buffer);
    return capture.captured().text;
  } finally {
    await file.close();
  }
}
