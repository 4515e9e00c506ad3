/** Runs in the background: a process of their own works on them, started with what to do as data (work-child.ts). */
import { fileURLToPath } from 'node:url';
import { type ApiContext, openContext, type RunWorker } from '../api/context.ts';
import { printJson } from './print.ts';

export const backgroundWorker: RunWorker = {
  where: 'apart',
  program: process.execPath,
  args: [fileURLToPath(new URL('./work-child.js', import.meta.url))],
};

export function backgroundContext(): ApiContext {
  return openContext({ cwd: process.cwd(), worker: backgroundWorker });
}

export interface StartedWork {
  readonly run: string;
  readonly pid?: number | undefined;
  readonly log?: string | undefined;
}

/** Where the work goes on, for the person or a script. */
export function printStarted(
  { run, pid, log }: StartedWork,
  { json, text }: { readonly json: boolean; readonly text: string },
): number {
  if (json) printJson({ run, pid, log });
  else console.log(`${text} (pid ${pid}).\n  forge attach ${run}\n  forge status ${run}`);
  return 0;
}
