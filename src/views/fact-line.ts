/**
 * The plain lines of a run, for pipes and logs: one fact gives one line, several, or none. The chronicle is the
 * one that has just taken in the fact. Safe to print: nothing of an agent or a repository reaches the terminal raw.
 */
import type { EffectOutput } from '../engine/effect-map.ts';
import type { Fact, FactOf, FactType } from '../engine/facts.ts';
import { quoteCommand } from '../plan/quote-command.ts';
import { describeSession } from './agent-session.ts';
import type { Chronicle } from './chronicle.ts';
import { countText, durationText, shortCommit, spendText } from './figures.ts';
import { forecastNotes } from './forecast-text.ts';
import { taskTitle } from './outline.ts';
import { openQuestions } from './run-view.ts';
import { describeStanding, stepEnded, stepStarted, taskEnded, taskStarted } from './step-lines.ts';
import { plainLine } from './terminal-text.ts';
import { millisecondsBetween, workedMs } from './timeline.ts';
import { checksText } from './wording.ts';

export function factLine(fact: Fact, chronicle: Chronicle): string | undefined {
  const line = (lines[fact.type] as (fact: Fact, chronicle: Chronicle) => Lines)(fact, chronicle);
  if (line === undefined || line.length === 0) return undefined;
  return [line].flat().map(cleanLine).join('\n');
}

type Lines = string | readonly string[] | undefined;
type Handlers = { readonly [T in FactType]: (fact: FactOf<T>, chronicle: Chronicle) => Lines };

const lines: Handlers = {
  'run.created': ({ data }) => `Run ${data.run}: ${data.title}`,
  'run.opened': ({ data }, chronicle) => {
    const unjailed = data.jail === 'none' ? ['No jail: agents can write wherever you can.'] : [];
    return data.epoch === 1 ? unjailed : [resumingLine(chronicle), ...unjailed];
  },
  'run.suspended': ({ data }, chronicle) => suspended(data, chronicle),
  'run.ended': ({ data }, chronicle) => ended(data, chronicle),
  'landing.started': ({ data }) => `${data.branch} has moved: putting the result on top of it`,
  // A step speaks for its effects.
  'effect.started': ({ key, data }) =>
    data.within?.type !== 'step' && data.kind === 'agent.run' ? `${key}: started` : undefined,
  // Trouble, and what is done about it: nobody would know why it takes so long.
  'effect.progressed': ({ key, data: { note = '' } }) => (note === '' ? undefined : `${key}: ${note}`),
  'effect.finished': ({ key }, chronicle) => {
    const { kind, within } = chronicle.state.effects.get(key) ?? {};
    if (kind === 'forecast.make') return forecastNotes(chronicle);
    return within?.type === 'step' ? undefined : finished(key, chronicle);
  },
  'effect.interrupted': ({ key, data }) =>
    data.reason === 'crash' ? `${key}: cut off by a crash, so it is done again` : undefined,
  'steps.announced': () => undefined,
  'tasks.scheduled': ({ data: { added, tasks } }) =>
    added === undefined ? undefined : `${added.by} adds ${tasks.map(({ title }) => title).join(', ')}`,
  'task.waited': ({ data }) => `${data.task} waits for ${data.for.join(', ')}`,
  'step.started': (fact, { state }) => stepStarted(fact, state),
  'step.ended': (fact, { state }) => stepEnded(fact, state),
  'task.started': (fact, { state }) => taskStarted(fact, state),
  'task.ended': (fact, chronicle) => taskEnded(fact, chronicle, command(chronicle, 'logs', fact.data.task)),
  'task.reopened': ({ key, data }, { state }) => `${taskTitle(state, key)}: tried again (try ${data.generation})`,
  'question.asked': ({ key, data }, chronicle) =>
    `Waiting for an answer: ${data.title} (${command(chronicle, 'answer', key)})`,
  'question.answered': ({ key, data }, { state }) => {
    const question = state.questions.get(key)?.question;
    const label = question?.options.find((option) => option.id === data.option)?.label ?? data.option;
    const by = data.by === 'person' ? '' : ` (by ${data.by})`;
    return `Answered: ${question?.title ?? key} ${label ?? 'with a text'}${by}`;
  },
  'signal.received': ({ data: { signal, refused } }) => {
    if (refused !== undefined)
      return `Refused: ${signal.type === 'answer' ? `the answer to ${signal.key}` : signal.type}: ${refused}`;
    if (signal.type === 'answer') return undefined;
    if (signal.type === 'budget') return 'The limits of the run were changed';
    if (signal.type === 'agent') return `${signal.agent} does the work from now on`;
    if (signal.type === 'land') return `When it is done, it lands on ${signal.into}`;
    return `Asked to ${signal.type}${signal.reason === '' ? '' : `: ${signal.reason}`}`;
  },
  'plan.accepted': ({ data }) => `Plan approved: ${countText(data.plan.tasks.length, 'task')}`,
  'ref.moved': ({ data }) => `${data.ref} moved from ${refEnd(data.before)} to ${refEnd(data.after)}`,
  'note.recorded': ({ data }) => (data.text === '' ? undefined : data.text.split('\n')),
};

/** Where it goes on, and since when nobody was at it. */
export function resumingLine(chronicle: Chronicle): string {
  const since = chronicle.timeline.seenBefore.slice(0, 16).replace('T', ' ');
  return `Resuming: ${whereOf(chronicle)}${since === '' ? '' : ` (left at ${since} UTC)`}`;
}

function suspended({ reason, detail, code }: FactOf<'run.suspended'>['data'], chronicle: Chronicle): Lines {
  const why = detail === '' ? '' : `: ${detail}`;
  const go = command(chronicle, 'resume');
  switch (reason) {
    case 'paused':
      return `Paused${why} (continue with ${go})`;
    case 'waiting':
      return `Waiting for a person${why} (${command(chronicle, 'answer', openQuestions(chronicle)[0]?.key)})`;
    case 'limit':
      return `Stopped by a limit${why} (continue with ${go})`;
    case 'error':
      return `Stopped${why}${code === undefined ? '' : ` [${code}]`} (nothing is lost; when it is fixed, continue with ${go})`;
  }
}

function ended({ status, reason }: FactOf<'run.ended'>['data'], { state, timeline }: Chronicle): Lines {
  const took = durationText(
    workedMs(timeline.run, timeline.seen) || millisecondsBetween(timeline.run.startedAt, timeline.seen),
  );
  const cost = spendText(state.usage);
  const figures = `${took}${cost === '' ? '' : `, ${cost}`}`;
  const why = reason === '' ? '' : `: ${reason}`;
  const word = { done: 'Done', failed: 'Failed', cancelled: 'Cancelled' }[status];
  return `${word}${why} (${figures})`;
}

/** Any workflow's effect, by its kind alone. */
function finished(key: string, chronicle: Chronicle): Lines {
  const effect = chronicle.state.effects.get(key);
  const output = effect?.result?.output;
  if (effect?.kind === 'check.run') return `${key}: ${checksText(output as EffectOutput<'check.run'>)}`;
  if (effect?.kind === 'merge.land') return landed(key, output as EffectOutput<'merge.land'>);
  if (effect?.kind === 'merge.prepare') {
    const prepared = output as EffectOutput<'merge.prepare'>;
    return prepared.status === 'conflict' ? `${key}: conflict in ${prepared.files.join(', ')}` : undefined;
  }
  const session = chronicle.sessions.get(key);
  if (session === undefined) return undefined;
  const text = describeSession(session);
  return `${key}: ended${text === '' ? '' : `: ${text}`}`;
}

function landed(key: string, output: EffectOutput<'merge.land'>): Lines {
  if (output.status === 'stale') return undefined;
  return `${key.split('/')[0]}: merged ${shortCommit(output.receipt.after)}, ${countText(output.receipt.changed.length, 'file')}`;
}

function whereOf({ state }: Chronicle): string {
  return describeStanding(state) || 'where it stopped';
}

function command({ state }: Chronicle, verb: string, key?: string): string {
  return quoteCommand(['forge', verb, state.created?.run ?? '', ...(key === undefined ? [] : [key])]);
}

function refEnd(commit: string | undefined): string {
  return commit === undefined ? 'nothing' : shortCommit(commit);
}

/** Our own indentation stays; everything else about the text is made harmless. */
function cleanLine(line: string): string {
  const indent = /^ */.exec(line)?.[0] ?? '';
  return indent + plainLine(line);
}
