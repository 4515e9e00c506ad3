/** Every session of an agent in a run: who, for what, with which model, when, what it used, how it ended. Pure. */
import type { EffectInput, EffectOutput } from '../engine/effect-map.ts';
import type { Usage } from '../policy/usage.ts';
import { describeSession, roleOf } from './agent-session.ts';
import type { Chronicle } from './chronicle.ts';
import { pathTitle, placeOfEffect } from './outline.ts';
import { ownerName } from './report/report-spans.ts';
import { workedMs } from './timeline.ts';

export interface SessionRow {
  readonly key: string;
  readonly role: string;
  /** The title of the work it belongs to. */
  readonly owner: string;
  /** Titles of everything around it. */
  readonly where: string;
  readonly agent: string;
  readonly model: string;
  readonly tier: string;
  /** Why this agent and model. */
  readonly reasons: readonly string[];
  /** Which attempt of the move it is, and how often it was begun. */
  readonly attempt: number;
  readonly tries: number;
  readonly startedAt: string;
  readonly endedAt: string | undefined;
  readonly workedMs: number;
  readonly usage: Usage | undefined;
  readonly status: 'running' | 'interrupted' | 'replied' | 'failed';
  readonly summary: string;
  /** What it began with and what it left: the same where it changed nothing. */
  readonly from: string;
  readonly to: string | undefined;
  readonly files: number;
  readonly leftBehind: EffectOutput<'agent.run'>['leftBehind'];
  readonly notes: readonly string[];
}

export function sessionRows(chronicle: Chronicle, isLive: boolean): SessionRow[] {
  const { state, sessions, timeline } = chronicle;
  return [...state.effects].flatMap(([key, effect]): SessionRow[] => {
    if (effect.kind !== 'agent.run') return [];
    const input = effect.input as Partial<EffectInput<'agent.run'>>;
    const output = effect.result?.output as EffectOutput<'agent.run'> | undefined;
    const session = sessions.get(key);
    const timing = timeline.effects.get(key);
    const place = placeOfEffect(state, key);
    const isOpen = effect.open !== undefined && isLive;
    return [
      {
        key,
        role: roleOf(input),
        owner: ownerName(chronicle, key),
        where: place === undefined ? '' : pathTitle(state, place),
        agent: output?.route?.agent ?? input.agent ?? '',
        model: output?.route?.model ?? '',
        tier: output?.route?.tier ?? '',
        reasons: output?.route?.reasons ?? [],
        attempt: input.attempt ?? 1,
        tries: effect.attempts,
        startedAt: timing?.startedAt ?? '',
        endedAt: timing?.endedAt,
        workedMs: workedMs(timing, timeline.seen),
        usage: session?.usage,
        status:
          output === undefined
            ? isOpen
              ? 'running'
              : 'interrupted'
            : session?.outcome.status === 'replied'
              ? 'replied'
              : 'failed',
        summary: session === undefined ? '' : describeSession(session),
        from: input.commit ?? '',
        to: output?.commit,
        files: output?.changes.length ?? 0,
        leftBehind: output?.leftBehind ?? [],
        notes: output?.notes ?? [],
      },
    ];
  });
}
