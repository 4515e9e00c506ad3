/**
 * The end of a sprint: a review of its requirements against what was merged, and a look back at events, verdicts and
 * figures with lessons for the next one. Both change the sprint's record and leave a document.
 */
import type { Bench, WorkflowResult } from '../../engine/bench.ts';
import type { StepEndInput } from '../../engine/facts.ts';
import { isTerminal } from '../../pipelines/record-states.ts';
import { type SprintFigures, sprintFigures } from '../../pipelines/sprint-figures.ts';
import type { Section } from '../../policy/sections.ts';
import type { StoredRecord } from '../../records/entity.ts';
import { countText, moneyText } from '../../views/figures.ts';
import { explainAnswer } from '../moves/ask-agent.ts';
import { askLead, dropLead } from './ask-lead.ts';
import { recordsOf } from './context.ts';
import { type PipelineInput, readIds } from './pipeline-input.ts';
import { type RetroResult, retroResult, type SprintReviewResult, sprintReviewResult } from './role-results.ts';

export type ClosedSprint =
  | { readonly status: 'done'; readonly detail: string; readonly lines?: readonly string[] }
  | { readonly status: 'failed'; readonly reason: string };

interface SprintMatter {
  readonly input: PipelineInput;
  readonly id: string;
  readonly sprint: StoredRecord;
  readonly tasks: readonly StoredRecord[];
  readonly events: readonly StoredRecord[];
  readonly figures: SprintFigures;
  readonly at: string;
}

/** `forge sprint review` and `forge sprint retro`: one of the two by itself. */
export async function runClosing(
  bench: Bench,
  input: PipelineInput,
  part: 'review' | 'retro',
): Promise<WorkflowResult> {
  const [id = ''] = readIds(input.requirement);
  const closed = await closeSprint(bench, input, { id, part });
  return closed.status === 'failed'
    ? { status: 'failed', reason: closed.reason }
    : { status: 'done', output: { sprint: id, detail: closed.detail } };
}

export async function closeSprint(
  bench: Bench,
  input: PipelineInput,
  { id, part }: { readonly id: string; readonly part: 'review' | 'retro' },
): Promise<ClosedSprint> {
  const title = part === 'review' ? `Review of ${id}` : `Retrospective of ${id}`;
  return bench.step(`${part}/${id}`, { kind: 'review', title, end: describeClosed }, async () => {
    const matter = await readSprint(bench, input, { id, part });
    if (typeof matter === 'string') return { status: 'failed', reason: matter };
    return part === 'review' ? reviewSprint(bench, matter) : lookBack(bench, matter);
  });
}

function describeClosed(closed: ClosedSprint): StepEndInput {
  if (closed.status === 'failed') return { status: 'failed', detail: closed.reason };
  return { status: 'done', detail: closed.detail, lines: [...(closed.lines ?? [])] };
}

async function readSprint(
  bench: Bench,
  input: PipelineInput,
  { id, part }: { readonly id: string; readonly part: string },
): Promise<SprintMatter | string> {
  const read = await bench.perform('records.read', `${part}/${id}/record`, { ids: [id] });
  const sprint = recordsOf(read, 'sprint').find((one) => one['sprintId'] === id);
  if (sprint === undefined) return `there is no sprint ${id}; see forge store list sprint`;
  const tasks = recordsOf(read, 'task').filter((task) => task['sprintId'] === id);
  const { events, at } = await bench.perform('events.read', `${part}/${id}/events`, { directories: [id] });
  return { input, id, sprint, tasks, events, figures: sprintFigures(tasks, events), at };
}

async function reviewSprint(bench: Bench, matter: SprintMatter): Promise<ClosedSprint> {
  const { id, sprint, tasks } = matter;
  const open = tasks.filter(({ status }) => !isTerminal('task', status));
  if (open.length > 0)
    return {
      status: 'failed',
      reason: `${countText(open.length, 'task')} of ${id} not over yet: forge sprint run ${id}`,
    };
  const { commit } = await bench.perform('integration.read', `review/${id}/base`, {});
  const answer = await askLead(bench, `review/${id}/architect`, {
    input: matter.input,
    role: 'architect',
    result: sprintReviewResult,
    commit,
    sections: sectionsOf(matter),
    task: 'Go through the requirements of the sprint. Is each met by what is in the tree? Say complete only if all are.',
    describe: ({ verdict, summary }) => ({
      status: verdict === 'complete' ? 'done' : 'failed',
      detail: `${verdict}: ${summary}`,
    }),
  });
  await dropLead(bench, 'architect', commit);
  if (answer.status !== 'accepted') return { status: 'failed', reason: `there is no review: ${explainAnswer(answer)}` };
  const { result } = answer;
  const all = tasks.every(({ status }) => status === 'committed');
  const status = result.verdict === 'complete' && all ? 'completed' : 'partially-completed';
  await leaveDocument(bench, `review/${id}/document`, `${id}-review.md`, reviewText(matter, result));
  const written = await writeSprint(bench, `review/${id}/write`, matter, { ...sprint, status, completedAt: matter.at });
  return written ?? { status: 'done', detail: `${status}: ${result.summary}`, lines: figureLines(matter.figures) };
}

async function lookBack(bench: Bench, matter: SprintMatter): Promise<ClosedSprint> {
  const { id, sprint, figures } = matter;
  const { base } = bench.run;
  const answer = await askLead(bench, `retro/${id}/librarian`, {
    input: matter.input,
    role: 'librarian',
    result: retroResult,
    commit: base,
    sections: [
      ...sectionsOf(matter),
      { title: 'Events', text: eventLines(matter.events), budget: 16_000, keep: 'head' as const },
    ],
    task: 'Say what went well and badly, and what to do differently, from these figures and events. At most three lessons.',
    describe: ({ summary }) => ({ status: 'done', detail: summary }),
  });
  await dropLead(bench, 'librarian', base);
  if (answer.status !== 'accepted')
    return { status: 'failed', reason: `there is no retrospective: ${explainAnswer(answer)}` };
  const { result } = answer;
  if (result.lessons.length > 0)
    await bench.perform('memory.save', `retro/${id}/lessons`, { lessons: result.lessons, applied: [] });
  await leaveDocument(bench, `retro/${id}/document`, `${id}-retrospective.md`, retroText(matter, result));
  const isOver = sprint['status'] === 'completed' || sprint['status'] === 'partially-completed';
  const written = isOver
    ? await writeSprint(bench, `retro/${id}/write`, matter, { ...sprint, status: 'retrospective-done' })
    : undefined;
  const cost = figures.cost.usd > 0 ? `, ${moneyText(figures.cost.usd)}` : '';
  return (
    written ?? {
      status: 'done',
      detail: `${figures.done} of ${countText(figures.tasks, 'task')} done${cost}: ${result.summary}`,
      lines: figureLines(figures),
    }
  );
}

/** Undefined when it was written. */
async function writeSprint(
  bench: Bench,
  key: string,
  { id, sprint, at }: SprintMatter,
  after: StoredRecord,
): Promise<ClosedSprint | undefined> {
  // A sprint that was never set going is active from its first task on.
  const via = sprint['status'] === 'planning' ? ['active'] : [];
  const { records } = await bench.perform('records.write', key, {
    at,
    records: [{ entity: 'sprint', id, before: sprint as never, after: after as never, via }],
  });
  const [answer] = records;
  if (answer === undefined || answer.status === 'written' || answer.status === 'merged') return undefined;
  return {
    status: 'failed',
    reason: `the record of ${id} was not written: ${answer.problem || `${answer.fields.join(', ')} changed meanwhile`}`,
  };
}

/** Shown in `.forge/` and beside the run. */
async function leaveDocument(bench: Bench, key: string, path: string, content: string): Promise<void> {
  await bench.record(key, 'note.recorded', { text: `wrote ${path}`, data: { document: { path, content } } });
}

function sectionsOf({ sprint, tasks, figures }: SprintMatter): readonly Section[] {
  const { sprintId, title, goal, description } = sprint;
  const about = [`${String(sprintId)}: ${String(title)}`, goal, description]
    .filter((one) => typeof one === 'string')
    .join('\n');
  return [
    { title: 'The sprint', text: about, budget: 20_000 },
    { title: 'Its tasks', text: tasks.map(taskLine).join('\n'), budget: 20_000 },
    { title: 'Its figures', text: figureLines(figures).join('\n'), budget: 6_000 },
  ];
}

function taskLine({ taskId, title, status, summaries }: StoredRecord): string {
  const built = Object(Object(summaries)['implementation'])['objective'];
  return `- ${String(taskId)} (${String(status)}): ${String(title)}${typeof built === 'string' ? `. ${built}` : ''}`;
}

function figureLines(figures: SprintFigures): readonly string[] {
  const { tasks, done, stopped, points, revisions, escalations, friction, cost, byTask, byPhase, byRole, burndown } =
    figures;
  const costs = (all: SprintFigures['byTask']): string =>
    all.length === 0 ? 'nothing yet' : all.map(({ name, usd }) => `${name} ${moneyText(usd)}`).join(', ');
  return [
    `Tasks: ${done} of ${tasks} done, ${stopped} stopped; points: ${points.done} of ${points.all}`,
    `Revisions: ${revisions}; escalations: ${escalations}; friction: ${friction}`,
    `Cost: ${moneyText(cost.usd)}, ${cost.tokens} tokens`,
    `By task: ${costs(byTask)}`,
    `By phase: ${costs(byPhase)}`,
    `By role: ${costs(byRole)}`,
    ...(burndown.length === 0
      ? []
      : [
          `Burndown: ${burndown.map(({ day, left, points: open }) => `${day} ${left} left (${open} points)`).join(', ')}`,
        ]),
  ];
}

/** What went otherwise than straight on. */
function eventLines(events: readonly StoredRecord[]): string {
  return events
    .filter(({ action, verdict }) => action !== 'start' && !(action === 'complete' && verdict !== 'revision'))
    .map(({ taskId, action, phase, notes, issue }) => {
      const what = typeof issue === 'string' ? issue : typeof notes === 'string' ? notes : '';
      return `- ${String(taskId)} ${String(phase)} ${String(action)}: ${what}`;
    })
    .join('\n');
}

function reviewText(matter: SprintMatter, { verdict, summary, requirements, gaps }: SprintReviewResult): string {
  const met = requirements.map(
    (one) => `- ${one.met ? '[x]' : '[ ]'} ${one.text}${one.evidence === '' ? '' : ` (${one.evidence})`}`,
  );
  return page([
    `# Review of ${matter.id}`,
    `${verdict}: ${summary}`,
    ...chapter('Requirements', met),
    ...chapter(
      'Gaps',
      gaps.map((one) => `- ${one}`),
    ),
    ...chapter(
      'Figures',
      figureLines(matter.figures).map((one) => `- ${one}`),
    ),
  ]);
}

function retroText(matter: SprintMatter, { summary, wentWell, wentBadly, actions, lessons }: RetroResult): string {
  const list = (items: readonly string[]): readonly string[] => items.map((one) => `- ${one}`);
  return page([
    `# Retrospective of ${matter.id}`,
    summary,
    ...chapter('What went well', list(wentWell)),
    ...chapter('What went badly', list(wentBadly)),
    ...chapter('What to do', list(actions)),
    ...chapter('Lessons', list(lessons.map(({ text }) => text))),
    ...chapter('Figures', list(figureLines(matter.figures))),
  ]);
}

function chapter(title: string, lines: readonly string[]): readonly string[] {
  return lines.length === 0 ? [] : [`## ${title}`, lines.join('\n')];
}

function page(blocks: readonly string[]): string {
  return `${blocks.join('\n\n')}\n`;
}
