/**
 * What is said of steps and tasks as they go by, and where a run stands: one line when a step starts with something to
 * say, one when it ends, each with the path of titles that leads to it. The words are the step's own.
 */
import type { FactOf } from '../engine/facts.ts';
import { isRunOver, type RunState } from '../engine/run-state.ts';
import type { Chronicle } from './chronicle.ts';
import { pathTitle } from './outline.ts';
import { describeProgress } from './task-progress.ts';

type Lines = string | readonly string[] | undefined;

export function stepStarted({ key, data }: FactOf<'step.started'>, state: RunState): Lines {
  return data.detail === '' ? undefined : `${pathTitle(state, { type: 'step', key })}: ${data.detail}`;
}

export function stepEnded({ key, data }: FactOf<'step.ended'>, state: RunState): Lines {
  const { status, detail, lines } = data;
  if (status === 'done' && detail === '' && lines.length === 0) return undefined;
  const said = detail === '' ? status : detail;
  return [`${pathTitle(state, { type: 'step', key })}: ${said}`, ...lines.map((line) => `  ${line}`)];
}

export function taskStarted({ key }: FactOf<'task.started'>, state: RunState): string {
  return `▶ ${pathTitle(state, { type: 'task', key })}: started`;
}

const marks = { done: '✓', failed: '✗', blocked: '⊘', skipped: '–' } as const;

/** How it ended, what to type to look into it, and how far its schedule is. */
export function taskEnded({ key, data }: FactOf<'task.ended'>, { state, progress }: Chronicle, look: string): Lines {
  const said = data.status === 'done' ? (data.detail ?? '') : data.reason;
  const hint = data.status === 'failed' || data.status === 'blocked' ? ` (${look})` : '';
  const title = pathTitle(state, { type: 'task', key });
  const line = `${marks[data.status]} ${title}: ${data.status}${said === '' ? '' : `, ${said}`}${hint}`;
  const beside = describeProgress(progress, key);
  return beside === undefined ? line : [line, beside];
}

/** Where a run stands or stopped, to be read after `at`: an open question, or the newest step that is not over, and how many tasks are done. */
export function describeStanding(state: RunState): string {
  if (isRunOver(state)) return 'over';
  const asked = [...state.questions.values()].findLast(({ answer }) => answer === undefined);
  if (asked !== undefined) return `the question "${asked.question.title}"`;
  const open = [...state.steps].filter(([, { end }]) => end === undefined);
  const newest = open.reduce<(typeof open)[number] | undefined>(
    (best, one) => (best === undefined || one[1].startedSeq > best[1].startedSeq ? one : best),
    undefined,
  );
  const announced = [...state.announced.values()].filter(({ kind }) => kind === 'task').map(({ key }) => key);
  const total = new Set([...announced, ...state.scheduled.keys()]).size;
  const done = [...state.tasks.values()].filter(({ outcome }) => outcome?.status === 'done').length;
  const where = newest === undefined ? [] : [pathTitle(state, { type: 'step', key: newest[0] })];
  return [...where, ...(total < 2 ? [] : [`${done}/${total} done`])].join(', ');
}
