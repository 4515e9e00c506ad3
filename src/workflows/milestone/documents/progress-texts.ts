/**
 * Documents that follow from the facts of a run alone: where the milestone stands, what was decided in a person's name,
 * and what happened, one line each, in the order it ended. An events file that an earlier run left is continued. Pure.
 */
import { z } from 'zod';
import type { Chronicle } from '../../../views/chronicle.ts';
import type { MorningReport } from '../../../views/morning-text.ts';
import { joinLines, oneLine, sectionLines, tableLines } from './plan-texts.ts';

/** Recorded when the milestone is opened: where the two go, and what lay there. */
export const projectedSchema = z.object({
  subject: z.object({ id: z.string(), title: z.string() }),
  projected: z.object({
    state: z.string(),
    events: z.string(),
    stateBefore: z.string(),
    eventsBefore: z.string(),
    /** Runs of earlier versions did not say. */
    decisionsBefore: z.string().default(''),
  }),
});
export type ProjectedPlaces = z.infer<typeof projectedSchema>;

export function stateText({ state }: Chronicle, { subject: { id, title } }: ProjectedPlaces): string {
  const slices = [...state.scheduled].filter(([key]) => /^S\d+$/.test(key));
  const isDone = (key: string): boolean => state.tasks.get(key)?.outcome?.status === 'done';
  const units = [...state.steps].filter(([, { kind, end }]) => kind === 'unit' && end === undefined);
  const slice = units.map(([key]) => /^S\d+/.exec(key)?.[0]).find((one) => one !== undefined);
  const tasks = units.flatMap(([key]) => /^S\d+\/(T[\d.]+)\//.exec(key)?.[1] ?? []);
  const [phase = state.status] = units.map(([, step]) => step.title);
  const next = units.map(([key, step]) => `${step.title} ${unitId(id, key)}`).join(', ');
  return joinLines(
    `# ${id}: state`,
    '',
    `**Active Milestone:** ${id}: ${oneLine(title)}`,
    `**Active Slice:** ${slice ?? 'None'}`,
    `**Active Task:** ${tasks.length === 0 ? 'None' : tasks.join(', ')}`,
    `**Phase:** ${phase}`,
    `**Run:** ${state.created?.run ?? ''}`,
    '',
    ...sectionLines(
      'Slice Progress',
      slices.map(([key, { title: named }]) => `- [${isDone(key) ? 'x' : ' '}] ${oneLine(named)}`),
    ),
    ...sectionLines('Next Action', [next === '' ? oneLine(state.reason === '' ? state.status : state.reason) : next]),
  );
}

export function eventsText(run: Chronicle, { subject, projected }: ProjectedPlaces): string {
  const before = projected.eventsBefore;
  const { id } = subject;
  const events = [...unitEvents(run, id), ...repairEvents(run, id), ...leftEvents(run, id), ...dispatchEvents(run, id)];
  const lines = [...events].sort((a, b) => a.seq - b.seq).map(({ line }) => `${JSON.stringify(line)}\n`);
  return (before === '' || before.endsWith('\n') ? before : `${before}\n`) + lines.join('');
}

/** Those of this run, and below them those of earlier runs as they stand there. */
export function decisionsText(
  { state }: Chronicle,
  { subject: { id }, projected }: ProjectedPlaces,
  decisions: MorningReport['decisions'],
): string {
  const rows = decisions.map((one) => [one.id, one.unit, one.choice, one.why, one.alternative]);
  const run = state.created?.run ?? '';
  const title = `# ${id}: decisions`;
  const before = projected.decisionsBefore.trim();
  const earlier = before.startsWith(`${title}\n`) ? before.slice(title.length).trim() : before;
  return joinLines(
    title,
    '',
    `Of the run ${run}. To reverse one: \`forge milestone reverse <#> ${run}\``,
    '',
    ...tableLines(['#', 'Scope', 'Decision', 'Rationale', 'Alternative'], rows),
    ...(earlier === '' ? [] : ['', earlier]),
  );
}

interface NumberedEvent {
  readonly seq: number;
  readonly line: Readonly<Record<string, unknown>>;
}

function unitEvents({ state }: Chronicle, milestone: string): readonly NumberedEvent[] {
  return [...state.steps].flatMap(([key, { kind, title, end }]) => {
    // The document of a plan check says more than its step.
    if (end === undefined || (kind !== 'unit' && kind !== 'gate') || /\/plan-check#\d+\/gate$/.test(key)) return [];
    const unit = unitId(milestone, key);
    const named = kind === 'unit' ? { unit: `${title}/${unit}` } : { event: gateEvent(key, title), unit };
    const counts = Object.keys(end.figures).length === 0 ? {} : { counts: end.figures };
    const line = { ts: end.at, ...named, milestone, status: end.status, ...counts, summary: oneLine(end.detail) };
    return [{ seq: end.seq, line }];
  });
}

function gateEvent(key: string, title: string): string {
  return key === 'triage' ? 'review-triage' : title.replaceAll(' ', '_');
}

const eventSchema = z.object({ event: z.looseObject({ event: z.string() }) });

function leftEvents({ state, notes }: Chronicle, milestone: string): readonly NumberedEvent[] {
  return [...notes].flatMap(([key, { at, data }]) => {
    const isEvent = typeof data === 'object' && data !== null && 'event' in data;
    const read = isEvent ? eventSchema.safeParse(data) : undefined;
    if (read?.success !== true) return [];
    return [{ seq: state.recorded.get(key) ?? 0, line: { ts: at, milestone, ...read.data.event } }];
  });
}

const dispatchSchema = z.object({
  wall: z.object({ to: z.string() }),
  outcome: z.object({ usage: z.object({ inputTokens: z.number(), outputTokens: z.number() }) }),
  route: z.object({
    agent: z.string(),
    tier: z.string(),
    model: z.string().optional(),
    effort: z.string().optional(),
    thinking: z.string().optional(),
    reasons: z.array(z.string()),
  }),
});

/** Who did a unit in the end, with what, why, and for how much. */
function dispatchEvents({ state }: Chronicle, milestone: string): readonly NumberedEvent[] {
  return [...state.effects].flatMap(([key, { kind, startedSeq, result, input }]) => {
    const read = dispatchSchema.safeParse(kind === 'agent.run' ? result?.output : undefined);
    if (!read.success) return [];
    const { wall, outcome, route } = read.data;
    const line = {
      ts: wall.to,
      event: 'dispatch',
      unit: unitId(milestone, key),
      role: (input as { role?: string }).role ?? '',
      milestone,
      agent: route.agent,
      ...(route.model === undefined ? {} : { model: route.model }),
      tier: route.tier,
      ...(route.effort === undefined ? {} : { effort: route.effort }),
      ...(route.thinking === undefined ? {} : { thinking: route.thinking }),
      reason: route.reasons.join('; '),
      input_tokens: outcome.usage.inputTokens,
      output_tokens: outcome.usage.outputTokens,
    };
    return [{ seq: startedSeq, line }];
  });
}

const repairSchema = z.object({ repair: z.object({ strategy: z.string(), reason: z.string(), count: z.number() }) });

function repairEvents({ state, notes }: Chronicle, milestone: string): readonly NumberedEvent[] {
  return [...notes].flatMap(([key, { at, data }]) => {
    if (!/\/(?:repair|continue)#\d+$/.test(key)) return [];
    const read = repairSchema.safeParse(data);
    if (!read.success) return [];
    const { strategy, reason, count } = read.data.repair;
    const unit = `execute-task/${unitId(milestone, key)}`;
    const line = { ts: at, event: 'repair', unit, milestone, strategy, repair_count: count, reason: oneLine(reason) };
    return [{ seq: state.recorded.get(key) ?? 0, line }];
  });
}

/** `S01/T01` of `S01/T01/unit`, `S01` of `S01/plan`, the milestone of what belongs to no slice. */
function unitId(milestone: string, key: string): string {
  return /^S\d+(?:\/T[\d.]+)?/.exec(key)?.[0] ?? milestone;
}
