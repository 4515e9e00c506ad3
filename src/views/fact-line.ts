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
import { unscoped } from './modules-keys.ts';
import { moduleEnded, modulesFinished, modulesNoted, modulesStarted, moduleStarted } from './modules-lines.ts';
import { whereText } from './position.ts';
import { openQuestions } from './run-view.ts';
import { plainLine } from './terminal-text.ts';
import { between, workedMs } from './timeline.ts';
import { wavesFinished, wavesNoted, wavesStarted, waveTitle } from './waves-lines.ts';
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
  'effect.started': ({ key, data }, chronicle) => {
    if (isWaves(chronicle)) return wavesStarted(key, chronicle);
    if (isModules(chronicle)) return modulesStarted(key, chronicle);
    return data.kind === 'agent.run' ? `${key}: started` : undefined;
  },
  // Trouble, and what is done about it: nobody would know why it takes so long.
  'effect.progressed': ({ key, data: { note = '' } }) => (note === '' ? undefined : `${key}: ${note}`),
  'effect.finished': ({ key }, chronicle) => {
    const cut = truncated(key, chronicle);
    if (cut !== undefined) return cut;
    if (isWaves(chronicle)) return wavesFinished(key, chronicle);
    return isModules(chronicle) ? modulesFinished(key, chronicle) : finished(key, chronicle);
  },
  'effect.interrupted': ({ key, data }) =>
    data.reason === 'crash' ? `${key}: cut off by a crash, and done again` : undefined,
  'steps.announced': () => undefined,
  'step.started': ({ data }) => (data.detail === '' ? undefined : `${data.title}: ${data.detail}`),
  'step.ended': ({ key, data }, chronicle) => {
    const title = chronicle.state.steps.get(key)?.title ?? key;
    const line = `${title}: ${data.detail === '' ? data.status : data.detail}`;
    return [line, ...data.lines.map((one) => `  ${one}`)];
  },
  'task.started': (fact, chronicle) => {
    if (isModules(chronicle)) return moduleStarted(fact, chronicle);
    return isWaves(chronicle) ? undefined : `${fact.data.task}: started`;
  },
  'task.ended': (fact, chronicle) => {
    if (isModules(chronicle)) return moduleEnded(fact, chronicle);
    const { data } = fact;
    const name = isWaves(chronicle) ? waveTitle(chronicle, data.task) : data.task;
    if (data.status === 'done') return isWaves(chronicle) ? undefined : `${name}: done`;
    const look = data.status === 'failed' ? ` (${command(chronicle, 'logs', data.task)})` : '';
    return `${name}: ${data.status}: ${data.reason}${look}`;
  },
  'task.reopened': ({ data }, chronicle) =>
    `${isWaves(chronicle) ? waveTitle(chronicle, data.task) : data.task}: tried again (try ${data.generation})`,
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
  'plan.accepted': ({ data }, chronicle) =>
    `Plan approved: ${counted(data.plan.tasks.length, isModules(chronicle) ? 'module' : 'task')}`,
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

/** A reply that does not count, of any role in any workflow. */
function truncated(key: string, chronicle: Chronicle): Lines {
  const reading = chronicle.readings.get(key);
  if (reading === undefined || reading.status === 'accepted') return undefined;
  const place = placeOf(key, chronicle);
  const role = `${reading.role.charAt(0).toUpperCase()}${reading.role.slice(1)}`;
  const subject = place === '' ? role : `${place}${reading.role}`;
  if (reading.status === 'trouble') return `${subject}: ${reading.why}`;
  if (!reading.isLast) {
    return `${subject}: ${replyFault(reading)}, retrying in recovery mode ${reading.attempt + 1}/${replyAttempts} (${reading.why})`;
  }
  const meaning = reading.role === 'tester' ? ', unverified' : '';
  return `${subject}: no usable reply in ${replyAttempts} attempts${meaning} (${reading.why})`;
}

/** Whose session it was, where that is not plain from the role. */
function placeOf(key: string, chronicle: Chronicle): string {
  const [first = '', ...rest] = unscoped(key)
    .replace(/\/recovery#\d+$/, '')
    .split('/');
  if (rest.length === 0) return '';
  if (first === 'final') return `Lens ${rest.at(-1) ?? ''}: `;
  return `${isWaves(chronicle) ? waveTitle(chronicle, first) : first}: `;
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

function whereOf(chronicle: Chronicle): string {
  return whereText(chronicle) ?? 'where it stopped';
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
