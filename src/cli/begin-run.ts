/** Begins the run that `forge run` was asked for, and works on it in front of the person, or leaves it to the background. */
import { readFileSync } from 'node:fs';
import type { ApiContext } from '../api/context.ts';
import { performOperation } from '../api/operation.ts';
import { type InterruptedRun, startRun } from '../api/start-run.ts';
import { trustProject } from '../api/trust.ts';
import { ForgeError, messageOf } from '../errors.ts';
import { plainLine } from '../views/terminal-text.ts';
import { backgroundContext, printStarted } from './background.ts';
import { chooseFrom } from './choose.ts';
import { type CommandCall, commands } from './commands.ts';
import { conductRun } from './conduct.ts';
import { agoText } from './print.ts';
import { record } from './record.ts';
import { resumeHere } from './resume.ts';
import { openTerminal } from './terminal.ts';

export async function beginRun(call: CommandCall): Promise<number> {
  const { values, switches } = call;
  const json = switches.has('json');
  const yes = switches.has('yes');
  const planOnly = switches.has('plan-only');
  const input = inputOf(call);
  if (switches.has('detach')) return runInBackground(input, json);
  const terminal = openTerminal();
  const isAsked = terminal.isInteractive && !json && !yes;
  let begun: Begun = {};
  const code = await conductRun({
    terminal,
    json,
    yes,
    planOnly,
    whenNothingBegan: () => begun.code ?? 0,
    begin: async (context, note) => {
      begun = await begin(context, { input, isAsked, note });
    },
  });
  const { instead, started } = begun;
  const end = instead === undefined ? code : await resumeHere(call, instead, planOnly);
  const file = values['record'];
  const worked = instead ?? started;
  if (file !== undefined && worked !== undefined)
    await recordAfter(planOnly && end === 0 ? 3 : end, { run: worked, file, json });
  return end;
}

function inputOf(call: CommandCall) {
  const { values, switches } = call;
  return {
    requirement: readRequirement(call),
    workflow: values['workflow'],
    agent: values['agent'],
    into: values['into'],
    budget: values['budget'],
    parallel: readParallel(values['parallel']),
    memory: switches.has('no-memory') ? 'off' : undefined,
    options: workflowOptions(call),
    fresh: switches.has('fresh'),
    yes: switches.has('yes'),
    planOnly: switches.has('plan-only'),
    ...(values['units'] === undefined ? {} : { units: Number(values['units']) }),
  };
}

/** Whatever came of it; a run that is not over can be recorded when it is. */
async function recordAfter(end: number, about: { run: string; file: string; json: boolean }): Promise<void> {
  const { run: name, file, json } = about;
  if (end === 0 || end === 1) return record(name, file, json);
  process.stderr.write(`note: it is recorded when it is over: forge record ${name} ${file}\n`);
}

interface Begun {
  readonly started?: string;
  /** The person wants to continue this run. */
  readonly instead?: string;
  /** Of a command that began nothing: consent was not given, or the person left. */
  readonly code?: number;
}

async function begin(
  context: ApiContext,
  { input, isAsked, note }: { input: ReturnType<typeof inputOf>; isAsked: boolean; note: (text: string) => void },
): Promise<Begun> {
  const agreed = !isAsked || (await isTrusted(context));
  if (agreed !== true) return { code: agreed === false ? 2 : 130 };
  const first = await performOperation(startRun, context, { ...input, whenInterrupted: isAsked ? 'report' : 'same' });
  const chosen = first.status === 'interrupted' ? await chooseInterrupted(first.interrupted, isAsked) : 'new';
  if (chosen === undefined) return { code: 130 };
  if (chosen !== 'new') return { instead: chosen };
  // The requirement is kept while a person makes up their mind.
  const started =
    first.status === 'interrupted' ? await performOperation(startRun, context, { ...input, fresh: true }) : first;
  if (started.status === 'interrupted') throw new Error('a run that is not to be asked about was asked about');
  const others = first.status === 'started' ? first.interrupted : [];
  const notes = [
    ...started.notices,
    ...others
      .slice(0, 3)
      .map(({ run: name, status, where }) => `${name} is ${status} at ${where}; continue it: forge resume ${name}`),
    ...(others.length > 3 ? [`${others.length - 3} more runs are not over: forge list`] : []),
  ];
  for (const text of notes) note(text);
  return { started: started.run };
}

/** Asked once per content, and never by default: what is not agreed to ends here. Undefined when the person left. */
async function isTrusted(context: ApiContext): Promise<boolean | undefined> {
  const { isRunnable, points } = await performOperation(trustProject, context, {});
  if (isRunnable) return true;
  const title = `This repository's own files would have Forge do this:\n${points.map((point) => `  - ${plainLine(point)}`).join('\n')}\nAgree to it?`;
  const chosen = await chooseFrom(openTerminal(), title, ['No', 'Yes']);
  if (chosen !== 1) return chosen === undefined ? undefined : false;
  return (await performOperation(trustProject, context, { agree: true })).isRunnable;
}

/** `new`, the run to continue, or nothing when the person left. Where nobody can be asked, the same work goes on. */
async function chooseInterrupted(lines: readonly InterruptedRun[], isAsked: boolean): Promise<string | undefined> {
  if (!isAsked) {
    const [same] = lines;
    process.stderr.write(
      `note: this was started before: continuing ${same?.run}, ${same?.status} at ${same?.where} (--fresh starts a new run)\n`,
    );
    return same?.run;
  }
  const old = lines.map(({ run: name, status, where, reason, updatedAt }) => {
    // What a run waits for is where it stands.
    const why = reason === '' || status === 'waiting' ? '' : `: ${reason}`;
    return `Continue ${name}, ${status} at ${where}${why} (${agoText(updatedAt)})`;
  });
  const chosen = await chooseFrom(openTerminal(), 'There are unfinished runs.', ['Start the new one', ...old]);
  if (chosen === undefined) return undefined;
  const line = lines[chosen - 1];
  if (line === undefined) return 'new';
  if (!line.isSame) {
    process.stderr.write('note: your new request was not started; the same command with --fresh starts it\n');
  }
  return line.run;
}

function readRequirement({ words: [text], values }: CommandCall): string {
  const file = values['file'];
  if (text !== undefined && file !== undefined) {
    throw new ForgeError('bad-input', 'There are two requirements', { hint: 'Give it as a word or with --file.' });
  }
  if (file === undefined) return text ?? '';
  try {
    return readFileSync(file === '-' ? 0 : file, 'utf8');
  } catch (error) {
    throw new ForgeError('bad-input', `The requirement cannot be read: ${messageOf(error)}`);
  }
}

/** Every flag that is not one of `forge run` is an option of the workflow. */
function workflowOptions({ values, switches }: CommandCall): Readonly<Record<string, string | true>> {
  const own = commands.find(({ name }) => name === 'run')?.flags ?? {};
  const given = [...Object.entries(values), ...[...switches].map((name) => [name, true] as const)];
  return Object.fromEntries(given.filter(([name]) => !Object.hasOwn(own, name)));
}

function readParallel(text: string | undefined): number | undefined {
  const parallel = text === undefined ? undefined : Number(text);
  if (parallel === undefined || (Number.isInteger(parallel) && parallel >= 1 && parallel <= 64)) return parallel;
  throw new ForgeError('bad-input', `--parallel ${text} is not a number of tasks`, { hint: 'Use 1 to 64.' });
}

async function runInBackground(input: ReturnType<typeof inputOf>, json: boolean): Promise<number> {
  const started = await performOperation(startRun, backgroundContext(), input);
  if (started.status === 'interrupted') throw new Error('a run in the background is never asked about');
  const word = started.status === 'started' ? 'runs' : 'continues';
  return printStarted(started, { json, text: `${started.run} ${word} in the background` });
}
