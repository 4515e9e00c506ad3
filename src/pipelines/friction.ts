/**
 * Friction: what an agent, or the engine, found in the way of its work: guidance that was unused, failed, missing, stale
 * or redundant. Agents say only what they judge; who, when and with what is stamped from what was measured. What does
 * not name its matter is refused. Pure.
 */
import { z } from 'zod';
import { frictionKinds } from '../records/schemas.ts';
import type { EventMatter } from './canonical-event.ts';

export const frictionSchema = z.object({
  issue: z.string().trim().min(1).max(500).describe('what was in the way, in one sentence'),
  subkind: z
    .union([z.enum(frictionKinds), z.string().regex(/^x_[a-z_]+$/)])
    .describe(`${frictionKinds.join(', ')}, or a word of your own that begins with x_`),
  skill: z.string().max(120).optional().describe('the guidance it is about, such as a role, a document or a check'),
  evidence: z.record(z.string(), z.string().max(500)).optional(),
});
export type Friction = z.infer<typeof frictionSchema>;

export interface FrictionPlace {
  readonly persona: string;
  readonly phase: string;
  readonly iteration: number;
}

/** One event each; nothing is coalesced. */
export function frictionEvents(found: readonly Friction[], place: FrictionPlace): readonly EventMatter[] {
  return found.map((one, at) => ({ action: 'friction', ...place, number: at + 1, more: frictionFields(one, place) }));
}

/** Of the engine itself: an agent that failed, a verdict that could not be read. */
export function engineFriction(issue: string, subkind: `x_${string}`, phase: string): EventMatter {
  const place = { persona: 'orchestrator', phase, iteration: 1 };
  return { action: 'friction', ...place, more: frictionFields({ issue: issue.slice(0, 500), subkind }, place) };
}

function frictionFields({ issue, subkind, skill, evidence }: Friction, { persona, phase }: FrictionPlace) {
  return {
    type: 'friction',
    workflow: phase,
    persona,
    issue,
    subkind,
    ...(skill === undefined || skill.trim() === '' ? {} : { skill }),
    ...(evidence === undefined ? {} : { evidence }),
    resolution: { status: 'open' },
  };
}
