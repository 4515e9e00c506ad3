/**
 * What friction says should change: events that are still open, put together by role, kind and guidance, each with a
 * proposal for a person. Nothing here changes anything. Pure.
 */
import type { StoredRecord } from '../records/entity.ts';

export interface EnrichProposal {
  readonly role: string;
  readonly kind: string;
  /** The guidance it is about, where the event names it. */
  readonly about: string;
  readonly count: number;
  /** What was said, each once. */
  readonly issues: readonly string[];
  readonly proposal: string;
  readonly events: readonly string[];
}

export function isOpenFriction({ type, resolution }: StoredRecord): boolean {
  const status = (Object(resolution) as { readonly status?: unknown }).status;
  return type === 'friction' && (status === undefined || status === 'open');
}

/** The most frequent first. */
export function proposeFromFriction(events: readonly StoredRecord[]): readonly EnrichProposal[] {
  const groups = new Map<string, StoredRecord[]>();
  for (const event of events.filter(isOpenFriction)) {
    const key = JSON.stringify([text(event['persona']), text(event['subkind']), text(event['skill'])]);
    groups.set(key, [...(groups.get(key) ?? []), event]);
  }
  return [...groups]
    .map(([key, found]) => {
      const [role = '', kind = '', about = ''] = JSON.parse(key) as readonly string[];
      return {
        role,
        kind,
        about,
        count: found.length,
        issues: [...new Set(found.map(({ issue }) => text(issue)))],
        proposal: proposalOf(kind, role, about),
        events: found.map(({ eventId }) => text(eventId)),
      };
    })
    .toSorted((a, b) => b.count - a.count || (`${a.role} ${a.kind}` < `${b.role} ${b.kind}` ? -1 : 1));
}

function proposalOf(kind: string, role: string, about: string): string {
  const file = `.forge/roles/${role}.md`;
  const it = about === '' ? 'the guidance' : about;
  switch (kind) {
    case 'skill_missing':
      return `Add what was missing to ${file}, below Responsibilities.`;
    case 'skill_failed':
      return `Correct ${it}: following it led to a mistake.`;
    case 'skill_stale':
      return `Bring ${it} up to date with the project.`;
    case 'skill_unused':
      return `Remove ${it} from what the ${role} is told, or say when to use it.`;
    case 'skill_redundant':
      return `Keep one of the two places that say the same about ${it}.`;
    case 'x_agent_failed':
      return 'See why agents failed: forge logs. If a phase is too large for one agent, split the task.';
    case 'x_verdict_malformed':
      return 'Say in the role file of the reviewer that a review ends with approved or revision.';
    default:
      return `Read what was said and decide whether ${file} should change.`;
  }
}

function text(value: unknown): string {
  return typeof value === 'string' ? value : '';
}
