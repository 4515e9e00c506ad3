/**
 * `forge task`, `forge bug` and `forge sprint`: records by name, interviews where something is missing and somebody is
 * there to ask, and runs of the workflow that takes records through their phases.
 */

import { collateStore } from '../api/collate-store.ts';
import { openContext } from '../api/context.ts';
import { type NewRecord, newBug, newTask } from '../api/new-record.ts';
import { performOperation } from '../api/operation.ts';
import { recordStatus, sprintStatus } from '../api/sprint-status.ts';
import { recordError } from '../api/store-place.ts';
import { plainLine } from '../views/terminal-text.ts';
import { recordWorkflow } from '../workflows/registry.ts';
import { recordLines, sprintLines } from './backlog-lines.ts';
import type { CommandCall } from './commands.ts';
import { printJson } from './print.ts';
import { promptLine } from './prompt.ts';
import { run } from './run.ts';
import { openTerminal } from './terminal.ts';

export async function runTaskNew({ words: [given], values, switches }: CommandCall): Promise<number> {
  const title = await ask(given, 'Title of the task: ');
  const description = await askMore(values['description'], switches, 'What is it about? (Enter: nothing) ');
  const estimate = await askMore(values['estimate'], switches, 'Size: S, M, L or XL (Enter: open) ');
  const depends = await askMore(values['depends'], switches, 'After which tasks? Ids with commas (Enter: none) ');
  const { sprint, pipeline, feature } = values;
  const made = await performOperation(newTask, openContext({ cwd: process.cwd() }), {
    title,
    depends: idsIn(depends),
    ...onlySaid({ sprint, pipeline, feature, description, estimate }),
  });
  return tellNew(made, switches, `forge task run ${made.id}`);
}

export async function runBugNew({ words: [given], values, switches }: CommandCall): Promise<number> {
  const title = await ask(given, 'What is wrong, in one line: ');
  const severity = await askMore(values['severity'], switches, 'Severity: critical, major or minor (Enter: major) ');
  const description = await askMore(values['description'], switches, 'How does it show? (Enter: nothing) ');
  const { feature } = values;
  const made = await performOperation(newBug, openContext({ cwd: process.cwd() }), {
    title,
    ...onlySaid({ severity, description, feature }),
  });
  return tellNew(made, switches, `forge bug fix ${made.id}`);
}

/** What was not said is left out. */
function onlySaid<T extends Readonly<Record<string, string | undefined>>>(
  values: T,
): { readonly [K in keyof T]?: string } {
  const said = Object.entries(values).filter(([, value]) => value !== undefined && value !== '');
  return Object.fromEntries(said) as { readonly [K in keyof T]?: string };
}

function tellNew({ id, record, notes }: NewRecord, switches: CommandCall['switches'], next: string): number {
  if (switches.has('json')) printJson(record);
  else {
    console.log(plainLine(`Wrote ${id}: ${String(record['title'])}`));
    for (const note of notes) console.log(plainLine(`note: ${note}`));
    console.log(`Next: ${next}`);
  }
  return 0;
}

export const runTaskPlan = (call: CommandCall): Promise<number> => startRun(call, { until: 'review-plan' });
export const runBugTriage = (call: CommandCall): Promise<number> => startRun(call, { until: 'triage' });
export const runRecords = (call: CommandCall): Promise<number> => startRun(call, {});
export const runSprintPlan = (call: CommandCall): Promise<number> => startRun(call, { do: 'plan' });
export const runSprintReview = (call: CommandCall): Promise<number> => startRun(call, { do: 'review' });
export const runSprintRetro = (call: CommandCall): Promise<number> => startRun(call, { do: 'retro' });

export async function runSprintNew(call: CommandCall): Promise<number> {
  const wish = call.values['file'] === undefined ? [await ask(call.words[0], 'What should the sprint bring? ')] : [];
  return startRun({ ...call, words: wish }, { do: 'intake' });
}

export async function runSprintRun(call: CommandCall): Promise<number> {
  const { with: more, ...values } = call.values;
  const words = [...call.words, ...idsIn(more ?? '')];
  const code = await startRun({ ...call, words, values }, {});
  // What a sprint changed is seen in the pages at once; records that do not fit are told by collate itself.
  if ((code === 0 || code === 1) && !call.switches.has('detach')) {
    const { written } = await performOperation(collateStore, openContext({ cwd: process.cwd() }), {});
    if (!call.switches.has('json') && written.length > 0) console.log(plainLine(`Collated: ${written.join(', ')}`));
  }
  return code;
}

/** Several ids are one request. */
function startRun(call: CommandCall, options: Readonly<Record<string, string>>): Promise<number> {
  const { words, values } = call;
  return run({
    ...call,
    words: words.length === 0 ? [] : [words.join(' ')],
    values: { ...values, ...options, workflow: recordWorkflow },
  });
}

export async function runRecordStatus({ words: [id = ''], switches }: CommandCall): Promise<number> {
  const status = await performOperation(recordStatus, openContext({ cwd: process.cwd() }), { id });
  if (switches.has('json')) printJson(status);
  else for (const line of recordLines(status)) console.log(line);
  return 0;
}

export async function runSprintStatus({ words: [sprint], switches }: CommandCall): Promise<number> {
  const found = await performOperation(
    sprintStatus,
    openContext({ cwd: process.cwd() }),
    sprint === undefined ? {} : { sprint },
  );
  if (switches.has('json')) printJson(found);
  else if (found.length === 0) console.log('There are no sprints. Begin one: forge sprint new "<wish>"');
  else for (const one of found) for (const line of sprintLines(one, process.stdout.columns ?? 100)) console.log(line);
  return 0;
}

async function ask(given: string | undefined, question: string): Promise<string> {
  if (given !== undefined && given.trim() !== '') return given;
  const answer = openTerminal().isInteractive ? await promptLine(question) : undefined;
  if (answer !== undefined && answer.trim() !== '') return answer.trim();
  throw recordError('The words are missing', [], 'Write them after the command, in quotes. Nothing was changed.');
}

/** Asked only where somebody is there and no flag says it. */
async function askMore(
  given: string | undefined,
  switches: CommandCall['switches'],
  question: string,
): Promise<string> {
  if (given !== undefined) return given;
  if (switches.has('json') || !openTerminal().isInteractive) return '';
  return (await promptLine(question))?.trim() ?? '';
}

function idsIn(text: string): string[] {
  return text.split(/[\s,]+/).filter((id) => id !== '');
}
