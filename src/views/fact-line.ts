/**
 * The plain lines of a run, for pipes and logs: one fact gives one line, several, or none. The chronicle is the
 * one that has just taken in the fact. Safe to print: nothing of an agent or a repository reaches the terminal raw.
 */
import type { EffectOutput } from '../engine/effect-map.ts';
import type { Fact, FactOf, FactType } from '../engine/facts.ts';
import { quoteCommand } from '../plan/command-line.ts';
import { replyAttempts } from '../policy/reply.ts';
import { replyFault } from './agent-reading.ts';
import { type Chronicle, isModules, isWaves, lastReading } from './chronicle.ts';
import { counted, duration, shortCommit, spend } from './figures.ts';
import { modulesNoted } from './modules-lines.ts';
import { pathTitle, taskTitle } from './outline.ts';
import { openQuestions } from './run-view.ts';
import { plainLine } from './terminal-text.ts';
import { between, workedMs } from './timeline.ts';
import { describeStanding, stepEnded, stepStarted, taskEnded, taskStarted } from './step-lines.ts';
import { wavesNoted } from './waves-lines.ts';
import { checksText, replyText } from './wording.ts';

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
    const cut = unusableReply(key, chronicle);
    if (cut !== undefined) return cut;
    return chronicle.state.effects.get(key)?.within?.type === 'step' ? undefined : finished(key, chronicle);
  },
  'effect.interrupted': ({ key, data }) =>
    data.reason === 'crash' ? `${key}: cut off by a crash, and done again` : undefined,
  'steps.announced': () => undefined,
  'tasks.scheduled': ({ data: { added, tasks } }) =>
    added === undefined ? undefined : `${added.by} adds ${tasks.map(({ title }) => title).join(', ')}`,
  'task.waited': ({ data }) => `${data.task} waits for ${data.for.join(', ')}`,
  'step.started': (fact, { state }) => stepStarted(fact, state),
  'step.ended': (fact, { state }) => stepEnded(fact, state),
  'task.started': (fact, { state }) => taskStarted(fact, state),
  'task.ended': (fact, chronicle) => taskEnded(fact, chronicle.state, command(chronicle, 'logs', fact.data.task)),
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
    if (signal.type === 'budget') return 'Its limits were changed';
    if (signal.type === 'agent') return `${signal.agent} does the work from now on`;
    if (signal.type === 'land') return `When it is done, it lands on ${signal.into}`;
    return `Asked to ${signal.type}${signal.reason === '' ? '' : `: ${signal.reason}`}`;
  },
  'plan.accepted': ({ data }) => `Plan approved: ${counted(data.plan.tasks.length, 'task')}`,
  'ref.moved': ({ data }) => `${data.ref} moved from ${refEnd(data.before)} to ${refEnd(data.after)}`,
  'note.recorded': ({ key, data }, chronicle) => {
    if (isWaves(chronicle)) return wavesNoted(key, chronicle);
    return isModules(chronicle) ? modulesNoted(key, chronicle) : data.text;
  },
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
      return `Paused${why} (go on with ${go})`;
    case 'waiting':
      return `Waiting for a person${why} (${command(chronicle, 'answer', openQuestions(chronicle)[0]?.key)})`;
    case 'limit':
      return `Stopped by a limit${why} (go on with ${go})`;
    case 'error':
      return `Stopped${why}${code === undefined ? '' : ` [${code}]`} (nothing is lost; when it is mended, go on with ${go})`;
  }
}

function ended({ status, reason }: FactOf<'run.ended'>['data'], { state, timeline }: Chronicle): Lines {
  const took = duration(workedMs(timeline.run, timeline.seen) || between(timeline.run.startedAt, timeline.seen));
  const cost = spend(state.usage);
  const figures = `${took}${cost === '' ? '' : `, ${cost}`}`;
  const why = reason === '' ? '' : `: ${reason}`;
  const word = { done: 'Done', failed: 'Failed', cancelled: 'Cancelled' }[status];
  return `${word}${why} (${figures})`;
}

/** A reply that does not count, and what is done about it; how the session ends is said by its step. */
function unusableReply(key: string, chronicle: Chronicle): Lines {
  const reading = chronicle.readings.get(key);
  if (reading === undefined || reading.status === 'accepted') return undefined;
  const { within } = chronicle.state.effects.get(key) ?? {};
  const subject = within === undefined ? key : pathTitle(chronicle.state, within);
  if (reading.status === 'truncated' && !reading.isLast) {
    const next = `asking again (attempt ${reading.attempt + 1} of ${replyAttempts})`;
    return `${subject}: ${replyFault(reading)}, ${next}: ${reading.why}`;
  }
  return within?.type === 'step' ? undefined : `${subject}: ${reading.why}`;
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
  const reading = effect?.kind === 'agent.run' ? lastReading(chronicle, key) : undefined;
  if (reading === undefined) return undefined;
  const { text } = replyText(reading);
  return `${key}: ended${text === '' ? '' : `: ${text}`}`;
}

function landed(key: string, output: EffectOutput<'merge.land'>): Lines {
  if (output.status === 'stale') return undefined;
  return `${key.split('/')[0]}: merged ${shortCommit(output.receipt.after)}, ${counted(output.receipt.changed.length, 'file')}`;
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
