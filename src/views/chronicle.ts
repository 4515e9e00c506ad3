/**
 * What views draw from: the run's state with what the state leaves out (when, notes, what agents answered),
 * advanced fact by fact, so that a live display never starts over. It owns its state; nobody else advances it.
 */
import { z } from 'zod';
import type { Fact } from '../engine/facts.ts';
import { advance, emptyState, type RunState } from '../engine/run-state.ts';
import { planSchema, taskSchema } from '../plan/plan.ts';
import { replyAttempts } from '../policy/reply.ts';
import { type AgentReading, readAgent } from './agent-reading.ts';
import { advanceOutline, type Outline } from './outline.ts';
import { advanceTimeline, emptyTimeline, type Timeline } from './timeline.ts';

export interface Chronicle {
  readonly state: RunState;
  readonly timeline: Timeline;
  /** By effect key. */
  readonly readings: Map<string, AgentReading>;
  readonly notes: Map<string, Note>;
  /** What was said last about an effect that is under way, by its key. */
  readonly remarks: Map<string, string>;
  readonly outline: Outline;
  /** The plan as shown for approval, then as approved. */
  waves: WavesNote | undefined;
  /** The modules as shown for approval last. */
  modules: ModulesNote | undefined;
}

export interface Note {
  readonly at: string;
  readonly text: string;
  readonly data: unknown;
}

/** Tolerant: a field that is missing or odd costs that field, not the view. */
const wavesNoteSchema = z.object({
  slug: z.string().catch(''),
  requirement: z.string().catch(''),
  overview: z
    .object({
      techStack: z.string().catch(''),
      architecture: z.string().catch(''),
      businessLogic: z.string().catch(''),
      keyDecisions: z.array(z.string()).catch([]),
    })
    .optional()
    .catch(undefined),
  waves: z.array(z.array(z.string())).catch([]),
  warnings: z.array(z.string()).catch([]),
  knowledgeApplied: z.array(z.string()).catch([]),
  confirmedDecisions: z.array(z.object({ question: z.string(), answer: z.string() })).catch([]),
  tasks: z.array(taskSchema).optional().catch(undefined),
});
export type WavesNote = z.infer<typeof wavesNoteSchema>;

const modulesNoteSchema = z.object({
  slug: z.string().catch(''),
  requirement: z.string().catch(''),
  plan: planSchema,
  order: z.array(z.array(z.string())).catch([]),
  warnings: z.array(z.string()).catch([]),
  knownRisks: z.array(z.string()).catch([]),
  knowledgeApplied: z.array(z.string()).catch([]),
  dirty: z.array(z.string()).catch([]),
  dirtyOverlap: z.array(z.string()).catch([]),
  lite: z.boolean().catch(false),
});
export type ModulesNote = z.infer<typeof modulesNoteSchema>;

export function emptyChronicle(): Chronicle {
  return {
    state: emptyState(),
    timeline: emptyTimeline(),
    readings: new Map(),
    notes: new Map(),
    remarks: new Map(),
    outline: new Map(),
    waves: undefined,
    modules: undefined,
  };
}

export function chronicleOf(facts: Iterable<Fact>): Chronicle {
  const chronicle = emptyChronicle();
  for (const fact of facts) advanceChronicle(chronicle, fact);
  return chronicle;
}

export function advanceChronicle(chronicle: Chronicle, fact: Fact): Chronicle {
  const { state, timeline, readings, notes, remarks } = chronicle;
  advance(state, fact);
  advanceTimeline(timeline, fact);
  advanceOutline(chronicle.outline, state, fact);
  if (fact.type === 'effect.finished') {
    const effect = state.effects.get(fact.key);
    const reading =
      effect?.kind === 'agent.run' ? readAgent(effect.input, fact.data.output, isOurs(chronicle)) : undefined;
    if (reading !== undefined) readings.set(fact.key, reading);
  }
  if (fact.type === 'effect.progressed' && fact.data.note !== undefined) remarks.set(fact.key, fact.data.note);
  // It works again: what it waited for is over.
  if (fact.type === 'effect.progressed' && fact.data.process !== undefined) remarks.delete(fact.key);
  if (fact.type === 'effect.finished' || fact.type === 'effect.interrupted') remarks.delete(fact.key);
  if (fact.type === 'task.reopened') for (const key of fact.data.forgotten) readings.delete(key);
  if (fact.type === 'note.recorded') {
    notes.set(fact.key, { at: fact.at, text: fact.data.text, data: fact.data.data });
    if (isModules(chronicle) && /^proposal(#|$)/.test(fact.key)) {
      const proposed = modulesNoteSchema.safeParse(fact.data.data);
      if (proposed.success) chronicle.modules = proposed.data;
    } else if (/^proposal(#|$)/.test(fact.key) || fact.key === 'waves') {
      chronicle.waves = wavesNote(fact.data.data, chronicle.waves);
    }
  }
  return chronicle;
}

export function isWaves(chronicle: Chronicle): boolean {
  return chronicle.state.created?.workflow === 'waves';
}

export function isModules(chronicle: Chronicle): boolean {
  return chronicle.state.created?.workflow === 'modules';
}

/** Its roles answer with what the roles of Forge's own workflows answer with. */
function isOurs(chronicle: Chronicle): boolean {
  return isWaves(chronicle) || isModules(chronicle);
}

/** The first attempt and the recoveries after it, as far as they were begun. */
export function attemptsOf({ state }: Chronicle, key: string): string[] {
  const keys = [key];
  for (let attempt = 2; attempt <= replyAttempts; attempt += 1) keys.push(`${key}/recovery#${attempt}`);
  return keys.filter((one) => state.effects.has(one));
}

/** Of the newest attempt that ended. */
export function lastReading(chronicle: Chronicle, key: string): AgentReading | undefined {
  return chronicle.readings.get(
    attemptsOf(chronicle, key).findLast((attempt) => chronicle.readings.has(attempt)) ?? key,
  );
}

/** The approved waves repeat the proposal but for its tasks. */
function wavesNote(data: unknown, before: WavesNote | undefined): WavesNote | undefined {
  const parsed = wavesNoteSchema.safeParse(data);
  if (!parsed.success) return before;
  return { ...parsed.data, tasks: parsed.data.tasks ?? before?.tasks };
}
