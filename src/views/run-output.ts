/** What a `waves` run ended with, and the same figures while it is still under way. Tolerant of odd outputs. */
import { z } from 'zod';
import { type Bug, bugSchema } from '../policy/role-results.ts';
import type { Chronicle } from './chronicle.ts';
import { proposalOf } from './proposal.ts';
import { testsOf } from './waves-keys.ts';

export interface RunFigures {
  readonly bugsFound: number;
  readonly bugsFixed: number;
  readonly remainingBugs: readonly Bug[];
  readonly lessonsAdded: number;
  readonly unverified: readonly string[];
  readonly branch: string | undefined;
}

export function runFigures(chronicle: Chronicle): RunFigures {
  const { state } = chronicle;
  const output = outputSchema.safeParse(state.output ?? {});
  const said = output.success ? output.data : {};
  const counted = countBugs(chronicle);
  const saved = savedSchema.safeParse(state.effects.get('save')?.result?.output);
  const published = state.refs.findLast((move) => move.ref.startsWith('refs/heads/') && move.after !== undefined)?.ref;
  return {
    bugsFound: said.bugsFound ?? counted.found,
    bugsFixed: said.bugsFixed ?? counted.found - counted.open.length,
    remainingBugs: said.remainingBugs ?? counted.open,
    lessonsAdded: said.lessonsAdded ?? (saved.success ? saved.data.added : 0),
    unverified: said.unverified ?? [],
    branch: said.branch ?? published?.replace('refs/heads/', ''),
  };
}

/** A bug named again is the same one; one that is not named again was mended. */
function countBugs(chronicle: Chronicle): { found: number; open: readonly Bug[] } {
  const places = [...(proposalOf(chronicle)?.waves ?? []).map((_, index) => index + 1), 'integration' as const];
  let found = 0;
  const open: Bug[] = [];
  for (const place of places) {
    let before: readonly Bug[] = [];
    for (const { bugs } of testsOf(chronicle, place)) {
      const known = new Set(before.map((bug) => bug.title));
      found += bugs.filter((bug) => !known.has(bug.title)).length;
      before = bugs;
    }
    open.push(...before);
  }
  return { found, open };
}

const outputSchema = z.object({
  bugsFound: z.number().optional().catch(undefined),
  bugsFixed: z.number().optional().catch(undefined),
  remainingBugs: z.array(bugSchema).optional().catch(undefined),
  lessonsAdded: z.number().optional().catch(undefined),
  unverified: z.array(z.string()).optional().catch(undefined),
  branch: z.string().optional().catch(undefined),
});
const savedSchema = z.object({ added: z.number() });
