/**
 * What views draw from: the run's state with what the state leaves out (when, what agents left, what hangs below what),
 * advanced fact by fact, so that a live display never starts over. It owns its state; nobody else advances it. It knows
 * no workflow. A fact costs what is new in it, however long the run is.
 */
import type { Fact, FactData } from '../engine/facts.ts';
import { advanceRun, emptyState, type RunState } from '../engine/run-state.ts';
import { type AgentSession, readSession } from './agent-session.ts';
import { advanceOutline, emptyOutline, type Outline } from './outline.ts';
import { advanceProgress, emptyProgress, type TaskProgress } from './task-progress.ts';
import { advanceTimeline, emptyTimeline, type Timeline } from './timeline.ts';

export interface Chronicle {
  readonly state: RunState;
  readonly timeline: Timeline;
  /** By effect key. */
  readonly sessions: Map<string, AgentSession>;
  /** What was said last about an effect that is under way, by its key. */
  readonly remarks: Map<string, string>;
  /** What the workflow recorded itself, by key, in the order it came. */
  readonly notes: Map<string, RecordedNote>;
  /** What no longer counts because a task was tried again, for each time. */
  readonly takenBack: TakenBack[];
  readonly outline: Outline;
  readonly progress: TaskProgress;
  /** Where the whole run stands, as its workflow said last. */
  standing: RunStanding | undefined;
}

export type TakenBack = Pick<RunState, 'tasks' | 'steps' | 'questions'>;

export interface RunStanding {
  readonly text: string;
  readonly isBad: boolean;
}

export interface RecordedNote {
  readonly at: string;
  readonly text: string;
  readonly data: unknown;
}

export function emptyChronicle(): Chronicle {
  return {
    state: emptyState(),
    timeline: emptyTimeline(),
    sessions: new Map(),
    remarks: new Map(),
    notes: new Map(),
    takenBack: [],
    outline: emptyOutline(),
    progress: emptyProgress(),
    standing: undefined,
  };
}

export function chronicleOf(facts: Iterable<Fact>): Chronicle {
  const chronicle = emptyChronicle();
  for (const fact of facts) advanceChronicle(chronicle, fact);
  return chronicle;
}

export function advanceChronicle(chronicle: Chronicle, fact: Fact): Chronicle {
  const { state, timeline, sessions, remarks } = chronicle;
  if (fact.type === 'task.reopened') chronicle.takenBack.push(takenBackBy(state, fact.data));
  advanceRun(state, fact);
  advanceTimeline(timeline, fact);
  advanceOutline(chronicle.outline, state, fact);
  advanceProgress(chronicle.progress, fact);
  if (fact.type === 'effect.finished') {
    const effect = state.effects.get(fact.key);
    const session = effect?.kind === 'agent.run' ? readSession(effect.input, fact.data.output) : undefined;
    if (session !== undefined) sessions.set(fact.key, session);
  }
  if (fact.type === 'effect.progressed' && fact.data.note !== undefined) remarks.set(fact.key, fact.data.note);
  // It works again: what it waited for is over.
  if (fact.type === 'effect.progressed' && fact.data.process !== undefined) remarks.delete(fact.key);
  if (fact.type === 'effect.finished' || fact.type === 'effect.interrupted') remarks.delete(fact.key);
  if (fact.type === 'note.recorded') {
    chronicle.notes.set(fact.key, { at: fact.at, text: fact.data.text, data: fact.data.data });
    chronicle.standing = fact.data.standing ?? chronicle.standing;
  }
  if (fact.type === 'task.reopened') for (const key of fact.data.forgotten) sessions.delete(key);
  return chronicle;
}

/** Before the state forgets it. */
function takenBackBy(
  { tasks, steps, questions }: RunState,
  reopened: Pick<FactData<'task.reopened'>, 'tasks' | 'forgotten' | 'steps'>,
): TakenBack {
  const undone = new Set(reopened.tasks);
  const forgotten = new Set([...reopened.forgotten, ...reopened.steps]);
  return {
    tasks: new Map([...tasks].filter(([key]) => undone.has(key))),
    steps: new Map([...steps].flatMap(([key, step]) => (forgotten.has(key) ? [[key, { ...step }]] : []))),
    questions: new Map([...questions].filter(([key]) => forgotten.has(key))),
  };
}
