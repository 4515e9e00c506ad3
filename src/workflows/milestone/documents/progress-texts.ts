/**
 * Two documents that follow from the facts of a run alone: where the milestone stands, and what happened in it, one line
 * each, in the order it ended. An events file that an earlier run left is continued. Pure.
 */
import { z } from 'zod';
import type { Chronicle } from '../../../views/chronicle.ts';
import { joinLines, oneLine, sectionLines } from './plan-texts.ts';

/** Recorded when the milestone is opened: where the two go, and what lay there. */
export const projectedSchema = z.object({
  subject: z.object({ id: z.string(), title: z.string() }),
  projected: z.object({ state: z.string(), events: z.string(), stateBefore: z.string(), eventsBefore: z.string() }),
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
  const events = [...unitEvents(run, subject.id), ...repairEvents(run, subject.id)];
  const lines = [...events].sort((a, b) => a.seq - b.seq).map(({ line }) => `${JSON.stringify(line)}\n`);
  return (before === '' || before.endsWith('\n') ? before : `${before}\n`) + lines.join('');
}

interface NumberedEvent {
  readonly seq: number;
  readonly line: Readonly<Record<string, unknown>>;
}

function unitEvents({ state }: Chronicle, milestone: string): readonly NumberedEvent[] {
  return [...state.steps].flatMap(([key, { kind, title, end }]) => {
    if (end === undefined || (kind !== 'unit' && kind !== 'gate')) return [];
    const named = kind === 'unit' ? { unit: `${title}/${unitId(milestone, key)}` } : { event: title, unit: key };
    const line = { ts: end.at, ...named, milestone, status: end.status, summary: oneLine(end.detail) };
    return [{ seq: end.seq, line }];
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
