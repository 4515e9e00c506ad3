/**
 * What a person reads in the morning, from the facts of a milestone's run alone: what was delivered and what shows it,
 * what was decided in their name and how to reverse it, what is open, and what it cost. Pure.
 */
import { z } from 'zod';
import type { Chronicle, TakenBack } from '../../views/chronicle.ts';
import type { MorningReport } from '../../views/morning-text.ts';
import { openQuestions } from '../../views/run-view.ts';
import { workedMs } from '../../views/timeline.ts';
import { isPending } from './decide-items.ts';
import { readSliceData, type SliceData } from './slice-data.ts';
import { readTaskData } from './task-data.ts';

const decisionsSchema = z.object({
  unit: z.string().optional(),
  decisions: z.array(
    z.object({ choice: z.string(), why: z.string().default(''), alternative: z.string().default('') }),
  ),
});
const namedSchema = z.object({ subject: z.object({ id: z.string(), title: z.string() }) });

export function morningReport(chronicle: Chronicle): MorningReport {
  const { state, notes } = chronicle;
  const named = namedSchema.safeParse(notes.get('subject')?.data);
  const { id, title: asked } = named.success ? named.data.subject : { id: '', title: state.created?.title ?? '' };
  const title = (state.output as { title?: string } | undefined)?.title ?? asked;
  const slices = [...state.tasks].filter(([key]) => /^S\d+$/.test(key));
  return {
    subject: { id, title },
    status: state.status,
    delivered: delivered(chronicle),
    decisions: numbered(chronicle),
    open: openItems(chronicle),
    usage: state.usage,
    workedMs: workedMs(chronicle.timeline.run, chronicle.timeline.seen),
    forecast: forecastOf(chronicle),
    slices: slices.map(([key, { outcome }]) => {
      const data = readSliceData(outcome?.data);
      const { items } = data.review;
      return {
        id: key,
        title: data.title === '' ? (state.scheduled.get(key)?.title ?? key).replace(`${key} `, '') : data.title,
        status: outcome?.status ?? 'running',
        tasks:
          data.tasks === 0 ? [...state.tasks.keys()].filter((one) => one.startsWith(`${key}/`)).length : data.tasks,
        ...countObjections(chronicle, key, items),
      };
    }),
  };
}

/** What became of objections, with what a person decided about them at the end or at once. */
function countObjections({ state }: Chronicle, slice: string, items: SliceData['review']['items']) {
  const fates = items.map((one) => {
    if (one.fix.startsWith('applied')) return 'fixed';
    const asked = [`triage/${slice}-${one.id}`, `${slice}/review/decide-${one.id}`];
    const chosen = asked.map((key) => state.questions.get(key)?.answer?.option).find((option) => option !== undefined);
    if (chosen === 'keep') return 'kept';
    if (chosen === 'refactor') return isChangedAtEnd(state) ? 'fixed' : 'open';
    if (chosen !== undefined) return 'later';
    return one.state === 'resolved' ? 'withdrawn' : 'open';
  });
  const count = (fate: (typeof fates)[number]): number => fates.filter((one) => one === fate).length;
  return {
    objections: items.length,
    fixed: count('fixed'),
    kept: count('kept'),
    later: count('later'),
    open: count('open'),
  };
}

function isChangedAtEnd(state: Chronicle['state']): boolean {
  return state.steps.get('review-fix/triage/unit')?.end?.status === 'done';
}

const spanSchema = z.tuple([z.number(), z.number(), z.number()]);
const expectedSchema = z.object({
  expected: z.object({ usd: spanSchema, minutes: spanSchema, tokens: spanSchema.optional() }),
});

/** Slices are forecast when they are planned: what the run expected is the sum. */
function forecastOf({ state }: Chronicle): MorningReport['forecast'] {
  const made = [...state.effects.values()].filter(
    ({ kind, result }) => kind === 'forecast.make' && result !== undefined,
  );
  if (made.length === 0) return { status: 'none' };
  const spans = made.flatMap(({ result }) => {
    const read = expectedSchema.safeParse(result?.output);
    return read.success ? [read.data.expected] : [];
  });
  if (spans.length === 0) return { status: 'uncounted' };
  const sum = (of: 'usd' | 'minutes' | 'tokens') => {
    const added = (at: 0 | 1 | 2): number => spans.reduce((all, span) => all + (span[of]?.[at] ?? 0), 0);
    return { low: added(0), likely: added(1), high: added(2) };
  };
  const hasTokens = spans.every(({ tokens }) => tokens !== undefined);
  return {
    status: 'made',
    usd: sum('usd'),
    minutes: sum('minutes'),
    ...(hasTokens ? { tokens: sum('tokens') } : {}),
  };
}

function innerTasks({ tasks }: { readonly tasks: Chronicle['state']['tasks'] }) {
  return [...tasks].filter(([key]) => /^S\d+\/T/.test(key));
}

function delivered(chronicle: Chronicle): MorningReport['delivered'] {
  return innerTasks(chronicle.state).flatMap(([task, { outcome }]) => {
    if (outcome?.status !== 'done') return [];
    const data = readTaskData(outcome.data);
    // What a split task promised is there when its parts are.
    const slice = task.slice(0, task.indexOf('/'));
    const parts = data.parts.map((id) => readTaskData(chronicle.state.tasks.get(`${slice}/${id}`)?.outcome?.data));
    const passed = [data, ...parts].flatMap(({ verification }) =>
      verification.filter(({ status }) => status === 'passed' || status === 'flaky'),
    );
    const evidence = [...new Set(passed.map(({ command }) => command))].join(', ');
    const kept = data.truths.filter((truth) => !data.pruned.some((one) => one.includes(truth)));
    return kept.map((requirement) => ({ requirement, task, evidence, commit: (parts.at(-1) ?? data).commit }));
  });
}

type Decision = MorningReport['decisions'][number];
/** `at`: the fact that made it known. `source`: the key of the note, step, task or question that holds it. */
type Found = Omit<Decision, 'id'> & { readonly at: number; readonly source: string };

/** Choices of whoever discussed the milestone. */
function ofNotes({ notes, state }: Chronicle): readonly Found[] {
  return [...notes].flatMap(([key, { data }]) =>
    decided(data, { unit: '', at: state.recorded.get(key) ?? 0, source: key }),
  );
}

/** Choices of whoever planned, and of whoever fixed what a review found. */
function ofSteps({ steps }: Pick<TakenBack, 'steps'>): readonly Found[] {
  return [...steps].flatMap(([key, { end }]) =>
    decided(end?.data, { unit: key.split('/', 1)[0] ?? key, at: end?.seq ?? 0, source: key }),
  );
}

function decided(data: unknown, { unit, at, source }: Pick<Found, 'unit' | 'at' | 'source'>): readonly Found[] {
  const read = decisionsSchema.safeParse(data);
  if (!read.success) return [];
  return read.data.decisions.map((one) => ({ unit: read.data.unit ?? unit, ...one, redo: redoOf(one), at, source }));
}

function redoOf({ alternative }: { readonly alternative: string }): string {
  return alternative === '' ? 'plan and build it without this choice' : `plan and build it as: ${alternative}`;
}

function ofTasks(where: Pick<TakenBack, 'tasks'>): readonly Found[] {
  return innerTasks(where).flatMap(([unit, { outcome, endedSeq: at = 0 }]) => {
    const { decisions, pruned } = readTaskData(outcome?.data);
    return [
      ...decisions.map((one) => ({ unit, ...one, redo: redoOf(one), at, source: unit })),
      ...pruned.map((one) => ({
        unit,
        choice: `Dropped: ${one}`,
        why: 'the worker showed that it cannot be done as planned',
        alternative: 'deliver it',
        redo: 'build the dropped requirement as a task of its own',
        at,
        source: unit,
      })),
    ];
  });
}

/** What a setting or `--yes` answered in a person's place. */
function ofReviews({ questions }: Pick<TakenBack, 'questions'>): readonly Found[] {
  return [...questions].flatMap(([key, { question, answer, answeredSeq: at = 0 }]) => {
    if (answer === undefined || answer.by === undefined || !/yes/.test(answer.by)) return [];
    const chosen = question.options.find(({ id }) => id === answer.option)?.label ?? answer.option ?? '';
    const others = question.options.filter(({ id }) => id !== answer.option).map(({ label }) => label);
    const unit = key.replace(/^triage\//, '').split('-', 1)[0] ?? key;
    return [
      {
        unit,
        choice: `${chosen}: ${question.title}`,
        why: 'the recommended answer',
        alternative: others.join(', or: '),
        redo: 'change what the objection is about',
        at,
        source: key,
      },
    ];
  });
}

/**
 * In the order in which they became known first, so that a number means one decision for good: what is tried again gives
 * up its numbers, gets them back where it decides the same, and otherwise takes new ones.
 */
function numbered(chronicle: Chronicle): readonly Decision[] {
  const valid = [...ofNotes(chronicle), ...madeIn(chronicle.state)];
  const every = [...chronicle.takenBack.flatMap(madeIn), ...valid].sort((a, b) => a.at - b.at);
  const ids = new Map([...new Set(every.map(nameOf))].map((name, at) => [name, `D${at + 1}`]));
  const isValid = new Set(valid);
  const byId = new Map(every.flatMap((one) => (isValid.has(one) ? [[ids.get(nameOf(one)) ?? '', one]] : [])));
  const inOrder = [...byId].sort(([a], [b]) => Number(a.slice(1)) - Number(b.slice(1)));
  return inOrder.map(([id, { unit, choice, why, alternative, redo }]) => ({
    id,
    unit,
    choice,
    why,
    alternative,
    redo,
  }));
}

function madeIn(where: TakenBack): readonly Found[] {
  return [...ofSteps(where), ...ofTasks(where), ...ofReviews(where)];
}

function nameOf({ source, choice }: Found): string {
  return `${source}\n${choice}`;
}

function openItems(chronicle: Chronicle): readonly string[] {
  const { state } = chronicle;
  const tasks = [...state.tasks].filter(([, { outcome }]) => outcome !== undefined && outcome.status !== 'done');
  const inner = tasks.filter(([key]) => key.includes('/'));
  const shown = inner.length > 0 ? inner : tasks;
  const unreviewed = [...state.tasks].flatMap(([key, { outcome }]) => {
    const { problem } = readSliceData(/^S\d+$/.test(key) ? outcome?.data : undefined).review;
    return problem === '' ? [] : [`${key} was not reviewed: ${problem}`];
  });
  const waiting = state.steps.has('triage')
    ? []
    : [...state.tasks].flatMap(([key, { outcome }]) =>
        readSliceData(/^S\d+$/.test(key) ? outcome?.data : undefined)
          .review.items.filter(isPending)
          .map(({ id, claim }) => `${key} ${id} waits for you at the end of the milestone: ${claim}`),
      );
  const owed = [...state.tasks].flatMap(([key, { outcome }]) =>
    outcome?.status !== 'done' || !key.includes('/')
      ? []
      : readTaskData(outcome.data).dropped.map((one) => `${key} still owes: ${one}`),
  );
  const output = state.output as { followUps?: readonly { slice: string; id: string; claim: string }[] } | undefined;
  return [
    ...shown.map(([key, { outcome }]) => `${key} is ${outcome?.status}: ${outcome?.reason}`),
    ...owed,
    ...unreviewed,
    ...waiting,
    ...openQuestions(chronicle).map(({ title }) => `A question waits: ${title}`),
    ...(output?.followUps ?? []).map(({ slice, id, claim }) => `Follow-up ${slice} ${id}: ${claim}`),
  ];
}
