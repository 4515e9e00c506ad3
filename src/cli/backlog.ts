/**
 * `forge task`, `forge bug` and `forge sprint`: records by name, interviews where something is missing and somebody is
 * there to ask, and runs of the workflow that takes records through their phases.
 */
import { openContext } from '../api/context.ts';
import { newBug, newTask, type NewRecord, openSprints } from '../api/new-record.ts';
import { performOperation } from '../api/operation.ts';
import { recordStatus, sprintStatus } from '../api/sprint-status.ts';
import { collateStore } from '../api/collate-store.ts';
import { recordError } from '../api/store-place.ts';
import { suggestWord } from '../api/suggest.ts';
import { workflowKeeping } from '../workflows/registry.ts';
import { plainLine } from '../views/terminal-text.ts';
import { recordLines, sprintLines } from './backlog-lines.ts';
import { chooseFrom } from './choose.ts';
import type { CommandCall } from './commands.ts';
import { askMissing, type InterviewQuestion } from './interview.ts';
import { printJson } from './print.ts';
import { run } from './run.ts';
import { openTerminal } from './terminal.ts';

export async function runTaskNew({ words: [given], values, switches }: CommandCall): Promise<number> {
  const context = openContext({ cwd: process.cwd() });
  const { sprints, tasks } = await performOperation(openSprints, context, {});
  const { pipeline, feature } = values;
  // Nobody should answer four questions to hear that there is no sprint.
  if (values['sprint'] === undefined && sprints.length === 0)
    throw recordError(
      'There is no open sprint',
      [],
      'Begin one: forge sprint new "<wish>". Or name one with --sprint.',
    );
  const title = await ask(given, 'Title of the task:');
  const sprint = values['sprint'] ?? (await chooseSprint(sprints, switches));
  const more = (name: string, question: InterviewQuestion) => askMore(values[name], switches, question);
  const description = await more('description', { text: 'What is it about?', enter: 'leave it open' });
  const estimate = await more('estimate', { text: 'Size: S, M, L or XL?', enter: 'leave it open', refuse: wrongSize });
  const depends = await more('depends', {
    text: 'After which tasks? Ids with commas',
    enter: 'none',
    refuse: (typed) => unknownTask(idsIn(typed), tasks),
  });
  const made = await performOperation(newTask, context, {
    title,
    depends: idsIn(depends),
    ...onlySaid({ sprint, pipeline, feature, description, estimate }),
  });
  return tellNew(made, switches, `forge task run ${made.id}`);
}

function wrongSize(typed: string): string | undefined {
  return /^(S|M|L|XL)$/i.test(typed) ? undefined : 'A size is S, M, L or XL.';
}

function unknownTask(typed: readonly string[], known: readonly string[]): string | undefined {
  const id = typed.find((one) => !known.includes(one));
  if (id === undefined) return undefined;
  return `There is no task ${id}. ${suggestWord(id, known, 'See forge store list task.')}`;
}

async function chooseSprint(
  sprints: readonly { readonly id: string; readonly title: string }[],
  switches: CommandCall['switches'],
): Promise<string | undefined> {
  if (sprints.length === 1 || switches.has('json') || !openTerminal().isInteractive) return undefined;
  const labels = sprints.map(({ id, title }) => plainLine(`${id}: ${title}`));
  const at = await chooseFrom(openTerminal(), 'Which sprint does it belong to?', labels);
  if (at === undefined) throw recordError('You left before the last question. Nothing was written', []);
  return sprints[at]?.id;
}

export async function runBugNew({ words: [given], values, switches }: CommandCall): Promise<number> {
  const title = await ask(given, 'What is wrong, in one line:');
  const more = (name: string, question: InterviewQuestion) => askMore(values[name], switches, question);
  const severity = await more('severity', {
    text: 'Severity: critical, major or minor?',
    enter: 'major',
    refuse: (typed) => (/^(critical|major|minor)$/.test(typed) ? undefined : 'A bug is critical, major or minor.'),
  });
  const description = await more('description', { text: 'How does it show?', enter: 'leave it open' });
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
  const wish = call.values['file'] === undefined ? [await ask(call.words[0], 'What should the sprint bring?')] : [];
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
    values: { ...values, ...options, workflow: workflowKeeping('.forge/store').name },
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

async function ask(given: string | undefined, text: string): Promise<string> {
  if (given !== undefined && given.trim() !== '') return given;
  const answer = await askMissing({ text });
  if (answer !== undefined) return answer;
  throw recordError('The words are missing', [], 'Write them after the command, in quotes. Nothing was changed.');
}

/** Asked only where somebody is there and no flag says it. */
async function askMore(
  given: string | undefined,
  switches: CommandCall['switches'],
  question: InterviewQuestion,
): Promise<string> {
  if (given !== undefined) return given;
  return switches.has('json') ? '' : ((await askMissing(question)) ?? '');
}

function idsIn(text: string): string[] {
  return text.split(/[\s,]+/).filter((id) => id !== '');
}
