/** The commands `forge milestone …`: where milestones stand, work on one, add to one, and what came of it. */
import { readFileSync } from 'node:fs';
import { openContext } from '../api/context.ts';
import { addMilestoneSlice, addMilestoneTask, discussMilestone, newMilestone } from '../api/milestone-edit.ts';
import { reverseDecision } from '../api/milestone-reverse.ts';
import { chooseMilestone, milestoneMorning, milestoneRuns } from '../api/milestone-runs.ts';
import { milestoneStatus } from '../api/milestone-status.ts';
import { performOperation } from '../api/operation.ts';
import { ForgeError, messageOf } from '../errors.ts';
import { milestoneText } from '../views/milestone-text.ts';
import { morningText } from '../views/morning-text.ts';
import { plainLine } from '../views/terminal-text.ts';
import { workflowKeeping } from '../workflows/registry.ts';
import type { CommandCall } from './commands.ts';
import { run as pauseRun } from './pause.ts';
import { printJson } from './print.ts';
import { resumeHere, run as resumeRun } from './resume.ts';
import { run as startRun } from './run.ts';
import { openTerminal } from './terminal.ts';

const here = () => openContext({ cwd: process.cwd() });

export async function runStatus({ words: [milestone], switches }: CommandCall): Promise<number> {
  const report = await performOperation(milestoneStatus, here(), milestone === undefined ? {} : { milestone });
  if (switches.has('json')) printJson(report);
  else
    for (const line of milestoneText(report, { columns: width(), isVerbose: switches.has('verbose') }))
      console.log(line);
  return 0;
}

/** The autopilot: starts the run of a milestone, or continues the one that is there. */
export function runAutopilot(call: CommandCall): Promise<number> {
  return workOn(call, 'run');
}

async function workOn(call: CommandCall, action: 'run' | 'next'): Promise<number> {
  const workflow = workflowKeeping('.gsd');
  const chosen = await performOperation(chooseMilestone, here(), { milestone: call.words[0], action });
  if (chosen.status === 'start') {
    const values = { ...call.values, workflow: workflow.name };
    return startRun({ ...call, words: [chosen.milestone], values });
  }
  process.stderr.write(`note: ${chosen.milestone} is under way: continuing ${chosen.run}\n`);
  const given = [...Object.keys(call.values), ...call.switches].filter((name) => Object.hasOwn(workflow.options, name));
  if (given.length > 0)
    process.stderr.write(`note: it keeps the options it was started with; --${given.join(', --')} changes nothing\n`);
  const again = { ...call, words: [chosen.run] };
  return call.switches.has('detach') ? resumeRun(again) : resumeHere(again, chosen.run);
}

/** One unit of work, then it stops: that it is paused then is what was asked for. */
export async function runNext(call: CommandCall): Promise<number> {
  const code = await workOn({ ...call, values: { ...call.values, units: call.values['units'] ?? '1' } }, 'next');
  if (code !== 130) return code;
  const paused = (await milestoneRuns(here())).find(
    ({ summary }) => summary.status === 'paused' && summary.reason.endsWith('as asked for'),
  );
  if (paused === undefined) return code;
  if (!call.switches.has('json'))
    process.stderr.write(`One more unit: forge milestone next ${plainLine(paused.milestone)}\n`);
  return 0;
}

export async function runPause(call: CommandCall): Promise<number> {
  const chosen = await performOperation(chooseMilestone, here(), { milestone: call.words[0], action: 'pause' });
  if (chosen.status === 'resume') return pauseRun({ ...call, words: [chosen.run] });
  throw new ForgeError('bad-input', `No run works on ${chosen.milestone}`, {
    hint: 'forge list shows the runs of this repository.',
  });
}

export async function runNew({ words: [title = ''], values, switches }: CommandCall): Promise<number> {
  const { file } = values;
  const text = file === undefined ? '' : readText(file);
  const [first = ''] = text.trim().split('\n', 1);
  const named = title.trim() === '' ? first.replace(/^#+\s*/, '').slice(0, 200) : title;
  if (named === '') {
    throw new ForgeError('bad-input', 'The milestone has no text', {
      hint: 'Say what it should reach: forge milestone new "<text>", or --file with a file that says it.',
    });
  }
  const added = await performOperation(newMilestone, here(), { title: named, text });
  return printAdded({ ...added, note: `Plan and build it: forge milestone run ${added.id}` }, switches);
}

export async function runDiscuss({ words: [milestone = '', text = ''], switches }: CommandCall): Promise<number> {
  const added = await performOperation(discussMilestone, here(), { milestone, text });
  return printAdded(added, switches, `Written down for ${added.id}. Agents keep to it.`);
}

export async function runAddSlice({
  words: [milestone = '', title = ''],
  values,
  switches,
}: CommandCall): Promise<number> {
  const { risk, demo, depends } = values;
  const added = await performOperation(addMilestoneSlice, here(), {
    milestone,
    title,
    depends: listOf(depends),
    ...(risk === undefined ? {} : { risk: risk as 'low' }),
    ...(demo === undefined ? {} : { demo }),
  });
  return printAdded(added, switches);
}

export async function runAddTask({
  words: [milestone = '', slice = '', title = ''],
  values,
  switches,
}: CommandCall): Promise<number> {
  const { file, writes, depends } = values;
  const text = file === undefined ? '' : readText(file);
  const wishes = { milestone, slice, title, text, writes: listOf(writes), depends: listOf(depends) };
  return printAdded(await performOperation(addMilestoneTask, here(), wishes), switches);
}

export async function runReport({ words: [milestone], switches }: CommandCall): Promise<number> {
  const report = await performOperation(milestoneMorning, here(), milestone === undefined ? {} : { milestone });
  if (switches.has('json')) printJson(report);
  else for (const line of morningText(report, width())) console.log(line);
  return 0;
}

export async function runReverse({ words: [decision = '', milestone], switches }: CommandCall): Promise<number> {
  const dry = switches.has('dry-run');
  const done = await performOperation(reverseDecision, here(), {
    decision,
    dry,
    ...(milestone === undefined ? {} : { milestone }),
  });
  if (switches.has('json')) printJson(done);
  else {
    console.log(plainLine(`${done.decision}: ${done.choice}`));
    for (const line of [...done.redo, ...done.files]) console.log(`  ${plainLine(line)}`);
    console.log(
      plainLine(
        dry ? `Do it: forge milestone reverse ${done.decision}` : `Build it: forge milestone run ${done.milestone}`,
      ),
    );
  }
  return 0;
}

function printAdded(
  added: {
    readonly id: string;
    readonly files: readonly string[];
    readonly root: string;
    readonly note?: string | undefined;
  },
  switches: CommandCall['switches'],
  what = `${added.id} was added.`,
): number {
  const { id, files, root, note } = added;
  if (switches.has('json')) printJson({ id, files, root });
  else
    for (const line of [plainLine(what), ...files.map((file) => `  ${plainLine(file)}`), plainLine(note ?? '')])
      if (line !== '') console.log(line);
  return 0;
}

function listOf(text: string | undefined): string[] {
  return (text ?? '')
    .split(',')
    .map((one) => one.trim())
    .filter((one) => one !== '');
}

function readText(file: string): string {
  try {
    return readFileSync(file === '-' ? 0 : file, 'utf8');
  } catch (error) {
    throw new ForgeError('bad-input', `${file} cannot be read: ${messageOf(error)}`);
  }
}

function width(): number {
  const terminal = openTerminal();
  return terminal.isLive ? terminal.columns() : 120;
}
