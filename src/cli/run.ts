/** `forge run`: a requirement becomes a run, in front of the person or by itself. */
import { readFileSync } from 'node:fs';
import { detachRun } from '../api/detach-run.ts';
import type { RunHandle } from '../api/facts.ts';
import { runLine } from '../api/run-lines.ts';
import { type ApiContext, type ContextOptions, openContext, perform } from '../api/operation.ts';
import { findSameWork, prepareRun, type Started, startRun } from '../api/start-run.ts';
import { trustProject } from '../api/trust.ts';
import { ForgeError, messageOf } from '../errors.ts';
import { chooseFrom } from './choose.ts';
import { type Call, commands } from './commands.ts';
import { plainLine } from '../views/terminal-text.ts';
import { conduct } from './conduct.ts';
import { ago, printJson } from './print.ts';
import { record } from './record.ts';
import { goOn } from './resume.ts';
import { sameCall } from './same-call.ts';
import { openTerminal } from './terminal.ts';

export async function run(call: Call): Promise<number> {
  const { values, switches } = call;
  const requirement = readRequirement(call);
  const planOnly = switches.has('plan-only');
  const input = {
    requirement,
    ...(values['workflow'] === undefined ? {} : { workflow: values['workflow'] }),
    ...(values['agent'] === undefined ? {} : { agent: values['agent'] }),
    ...(values['into'] === undefined ? {} : { into: values['into'] }),
    ...(values['as-run'] === undefined ? {} : { run: values['as-run'] }),
    planOnly,
    options: workflowOptions(call),
  };
  const settings = readSettings(call);
  if (switches.has('detach')) return detach(call, input, settings);
  const terminal = openTerminal();
  const json = switches.has('json');
  const isAsked = terminal.isInteractive && !json && !switches.has('yes');
  let instead: string | undefined;
  let without = 0;
  let worked: string | undefined;
  const code = await conduct({
    terminal,
    json,
    yes: switches.has('yes'),
    planOnly,
    ...(settings === undefined ? {} : { settings }),
    whenNothingBegan: () => without,
    begin: async (context) => {
      const begun = await begin(context, input, { isAsked, isFresh: switches.has('fresh') });
      instead = begun.instead;
      without = begun.code ?? 0;
      worked = instead ?? begun.handle?.run;
      return begun.handle;
    },
  });
  const end = instead === undefined ? code : await goOn(call, instead, planOnly);
  const file = values['record'];
  if (file !== undefined && worked !== undefined)
    await recordAfter(planOnly && end === 0 ? 3 : end, { run: worked, file, json });
  return end;
}

/** Whatever came of it; a run that is not over can be recorded when it is. */
async function recordAfter(end: number, about: { run: string; file: string; json: boolean }): Promise<void> {
  const { run: name, file, json } = about;
  if (end === 0 || end === 1) return record(name, file, json);
  process.stderr.write(`note: it is recorded when it is over: forge record ${name} ${file}\n`);
}

type Wishes = NonNullable<ContextOptions['settings']>;

interface Begun {
  readonly handle: RunHandle | undefined;
  /** The person wants to go on with this run. */
  readonly instead?: string | undefined;
  /** Of a command that began nothing: consent was not given, or the person left. */
  readonly code?: number;
}

async function begin(
  context: ApiContext,
  input: { readonly requirement: string; readonly run?: string },
  { isAsked, isFresh }: { readonly isAsked: boolean; readonly isFresh: boolean },
): Promise<Begun> {
  const agreed = !isAsked || (await isTrusted(context));
  if (agreed !== true) return { handle: undefined, code: agreed === false ? 2 : 130 };
  const whenInterrupted = isFresh ? 'ignore' : isAsked ? 'report' : 'same';
  const first = await perform(startRun, context, { ...input, whenInterrupted });
  const chosen = first.status === 'started' ? 'new' : await chooseInterrupted(first, isAsked);
  if (chosen === undefined) return { handle: undefined, code: 130 };
  if (chosen !== 'new') return { handle: undefined, instead: chosen };
  // The requirement is kept while a person makes up their mind.
  const started =
    first.status === 'started' ? first : await perform(startRun, context, { ...input, whenInterrupted: 'ignore' });
  if (started.status !== 'started') throw new Error('a run that is not to be asked about was asked about');
  const others = first.status === 'started' ? started.interrupted : [];
  const notes = [
    ...started.notices,
    ...others
      .slice(0, 3)
      .map((one) => `${one.run} is ${one.status} at ${runLine(one).where}; go on with it: forge resume ${one.run}`),
    ...(others.length > 3 ? [`${others.length - 3} more runs are not over: forge list`] : []),
  ];
  for (const note of notes) process.stderr.write(`note: ${note}\n`);
  return { handle: started.handle };
}

/** Asked once per content, and never by default: what is not agreed to ends here. Undefined when the person left. */
async function isTrusted(context: ApiContext): Promise<boolean | undefined> {
  const { isRunnable, points } = await perform(trustProject, context, {});
  if (isRunnable) return true;
  const title = `This repository's own files would have Forge do this:\n${points.map((point) => `  - ${plainLine(point)}`).join('\n')}\nAgree to it?`;
  const chosen = await chooseFrom(openTerminal(), title, ['No', 'Yes']);
  if (chosen !== 1) return chosen === undefined ? undefined : false;
  return (await perform(trustProject, context, { agree: true })).isRunnable;
}

/** `new`, the run to go on with, or nothing when the person left. Where nobody can be asked, the same work goes on. */
async function chooseInterrupted(
  { interrupted, same }: Extract<Started, { status: 'interrupted' }>,
  isAsked: boolean,
): Promise<string | undefined> {
  const lines = interrupted.map((listing) => runLine(listing));
  if (!isAsked) {
    const [first] = lines;
    process.stderr.write(
      `note: this was begun before: going on with ${first?.run}, ${first?.status} at ${first?.where} (--fresh begins anew)\n`,
    );
    return first?.run;
  }
  const old = lines.map(({ run: name, status, where, reason, updatedAt }) => {
    // What a run waits for is where it stands.
    const why = reason === '' || status === 'waiting' ? '' : `: ${reason}`;
    return `Go on with ${name}, ${status} at ${where}${why} (${ago(updatedAt)})`;
  });
  const chosen = await chooseFrom(openTerminal(), 'There are runs that are not over.', ['Start the new one', ...old]);
  if (chosen === undefined) return undefined;
  const name = interrupted[chosen - 1]?.run;
  if (name === undefined) return 'new';
  if (!same.includes(name)) {
    process.stderr.write('note: what you asked for now is not begun; the same command with --fresh begins it\n');
  }
  return name;
}

function readRequirement({ words: [text], values }: Call): string {
  const file = values['file'];
  if (text !== undefined && file !== undefined) {
    throw new ForgeError('bad-input', 'There are two requirements', { hint: 'Give it as a word or with --file.' });
  }
  if (file === undefined) return text ?? '';
  try {
    return readFileSync(file === '-' ? 0 : file, 'utf8');
  } catch (error) {
    throw new ForgeError('bad-input', `The requirement can not be read: ${messageOf(error)}`);
  }
}

/** Every flag that is not one of `forge run` is an option of the workflow. */
function workflowOptions({ values, switches }: Call): Readonly<Record<string, string | true>> {
  const own = commands.find(({ name }) => name === 'run')?.flags ?? {};
  const given = [...Object.entries(values), ...[...switches].map((name) => [name, true] as const)];
  return Object.fromEntries(given.filter(([name]) => !Object.hasOwn(own, name)));
}

function readSettings({ values, switches }: Call): Wishes | undefined {
  const { parallel: text, budget } = values;
  const forgets = switches.has('no-memory');
  if (text === undefined && budget === undefined && !forgets) return undefined;
  const parallel = text === undefined ? undefined : Number(text);
  if (parallel !== undefined && !(Number.isInteger(parallel) && parallel >= 1 && parallel <= 64))
    throw new ForgeError('bad-input', `--parallel ${text} is not a number of tasks`, { hint: 'Use 1 to 64.' });
  return {
    ...(parallel === undefined ? {} : { parallel }),
    ...(budget === undefined ? {} : { budget }),
    ...(forgets ? { memory: 'off' as const } : {}),
  };
}

/** Refused here, where the person can see it, and only then left to a process of its own. */
async function detach(call: Call, input: object, settings: Wishes | undefined): Promise<number> {
  if (call.values['file'] === '-') {
    throw new ForgeError('bad-input', 'A run that goes on by itself can not read from this terminal', {
      hint: 'Put the requirement into a file.',
    });
  }
  const context = openContext({ cwd: process.cwd(), ...(settings === undefined ? {} : { settings }) });
  const prepared = await prepareRun(await context.forge(), startRun.input.parse(input), context.env);
  const same = call.switches.has('fresh') ? undefined : await findSameWork(context, prepared);
  const name = same?.run ?? prepared.run;
  const args =
    same === undefined
      ? sameCall('run', call, { without: ['detach'], values: { 'as-run': name } })
      : sameCall('resume', resumingCall(call, name), { without: [] });
  const detached = await perform(detachRun, context, { run: name, program: process.execPath, args });
  if (call.switches.has('json')) printJson(detached);
  else console.log(`${name} goes on by itself (pid ${detached.pid}).\n  forge attach ${name}\n  forge status ${name}`);
  return 0;
}

/** As far as it says how a run goes on. */
function resumingCall({ values: { into }, switches }: Call, name: string): Call {
  return {
    words: [name],
    values: into === undefined ? {} : { into },
    switches: new Set(['yes', 'json', 'plan-only'].filter((flag) => switches.has(flag))),
  };
}
