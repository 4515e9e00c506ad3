/** `forge resume`: continues a run, in front of the person or in the background. */
import { type ApiContext, openContext } from '../api/context.ts';
import { performOperation } from '../api/operation.ts';
import { type ResumedRun, resumableRun, resumeRun } from '../api/resume-run.ts';
import { standingOf } from '../api/run-standing.ts';
import { backgroundContext, printStarted } from './background.ts';
import type { CommandCall } from './commands.ts';
import { conductRun } from './conduct.ts';
import { openTerminal } from './terminal.ts';

export async function run(call: CommandCall): Promise<number> {
  const { run: name } = await resumableRun(openContext({ cwd: process.cwd() }), call.words[0]);
  if (!call.switches.has('detach')) return resumeHere(call, name);
  const input = { ...wishesOf(call, name), yes: call.switches.has('yes'), planOnly: call.switches.has('plan-only') };
  const work = await performOperation(resumeRun, backgroundContext(), input);
  return printStarted(work, { json: call.switches.has('json'), text: `${name} continues in the background` });
}

/** In this process, with the switches of the call. */
export async function resumeHere(call: CommandCall, name: string, planOnly?: boolean): Promise<number> {
  const open = (context: ApiContext) => performOperation(resumeRun, context, wishesOf(call, name));
  return conductNamedRun(call, name, { open, planOnly: planOnly ?? (call.switches.has('plan-only') || undefined) });
}

function wishesOf({ values: { budget, into, agent, units }, switches }: CommandCall, name: string) {
  const limit = units === undefined ? {} : { units: Number(units) };
  return { run: name, takeOver: switches.has('take-over'), budget, into, agent, ...limit };
}

/** Works on a run that there is already, however it is opened. */
export async function conductNamedRun(
  { switches }: CommandCall,
  name: string,
  { open, planOnly }: { open: (context: ApiContext) => Promise<ResumedRun>; planOnly?: boolean | undefined },
): Promise<number> {
  const { chronicle } = await standingOf(openContext({ cwd: process.cwd() }), name);
  return conductRun({
    terminal: openTerminal(),
    json: switches.has('json'),
    yes: switches.has('yes'),
    chronicle,
    planOnly,
    begin: async (context, note) => {
      const { notices } = await open(context);
      for (const notice of notices) note(notice);
    },
  });
}
