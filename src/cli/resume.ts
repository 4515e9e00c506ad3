/** `forge resume`: goes on with a run, in front of the person or by itself. */
import { detachRun } from '../api/detach-run.ts';
import { type ApiContext, openContext, perform } from '../api/operation.ts';
import { type Resumed, resumableRun, resumeRun } from '../api/resume-run.ts';
import { runStatus } from '../api/run-status.ts';
import type { Call } from './commands.ts';
import { conduct } from './conduct.ts';
import { printJson } from './print.ts';
import { sameCall } from './same-call.ts';
import { openTerminal } from './terminal.ts';

export async function run(call: Call): Promise<number> {
  const context = openContext({ cwd: process.cwd() });
  const { run: name } = await resumableRun(context, call.words[0]);
  if (!call.switches.has('detach')) return goOn(call, name);
  const args = sameCall('resume', { ...call, words: [name] }, { without: ['detach'] });
  const detached = await perform(detachRun, context, { run: name, program: process.execPath, args });
  if (call.switches.has('json')) printJson(detached);
  else console.log(`${name} goes on in the background (pid ${detached.pid}).\n  forge attach ${name}`);
  return 0;
}

/** In this process, with the switches of the call. */
export async function goOn(call: Call, name: string, planOnly?: boolean): Promise<number> {
  const takeOver = call.switches.has('take-over');
  const { budget, into, agent } = call.values;
  const wish = {
    ...(budget === undefined ? {} : { budget }),
    ...(into === undefined ? {} : { into }),
    ...(agent === undefined ? {} : { agent }),
  };
  const open = (context: ApiContext) => perform(resumeRun, context, { run: name, takeOver, ...wish });
  return conductRun(call, name, { open, planOnly: planOnly ?? (call.switches.has('plan-only') || undefined) });
}

/** Works on a run that there is already, however it is opened. */
export async function conductRun(
  { switches }: Call,
  name: string,
  { open, planOnly }: { open: (context: ApiContext) => Promise<Resumed>; planOnly?: boolean | undefined },
): Promise<number> {
  const { chronicle } = await perform(runStatus, openContext({ cwd: process.cwd() }), { run: name });
  const json = switches.has('json');
  return conduct({
    terminal: openTerminal(),
    json,
    yes: switches.has('yes'),
    chronicle,
    planOnly,
    begin: async (context) => {
      const { handle, notices } = await open(context);
      for (const notice of notices) process.stderr.write(`note: ${notice}\n`);
      return handle;
    },
  });
}
