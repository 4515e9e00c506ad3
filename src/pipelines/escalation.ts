/**
 * When a person has to take over, and what they are told: one sentence about the reason, what to look at, and the exact
 * command that goes on. The task stops; everything else goes on. Pure.
 */
export const escalationReasons = [
  'gate-failed',
  'gate-misconfigured',
  'output-missing',
  'agent-failed',
  'verdict-malformed',
  'rounds-used-up',
  'checks-red',
  'hook-failed',
  'merge-conflict',
  'merge-refused',
  'record-conflict',
  'record-refused',
  'not-terminal',
] as const;
export type EscalationReason = (typeof escalationReasons)[number];

export interface RecordEscalation {
  readonly reason: EscalationReason;
  readonly phase: string;
  readonly detail: string;
  /** What to do about it, if that is known. */
  readonly remediation?: string | undefined;
  /** What to look at, in the commit that holds the work. */
  readonly artifact?: string | undefined;
}

const startsAnew: readonly EscalationReason[] = ['gate-failed', 'gate-misconfigured', 'not-terminal'];

/** Why the phase is not tried again: gates and verdicts never are, work that failed was already. */
const words: Readonly<Record<EscalationReason, string>> = {
  'gate-failed': 'the gate is closed',
  'gate-misconfigured': 'the gates cannot be read',
  'output-missing': 'the phase did not leave what it should',
  'agent-failed': 'the agent failed twice',
  'verdict-malformed': 'there is no usable verdict',
  'rounds-used-up': 'the rounds are used up',
  'checks-red': 'the checks fail',
  'hook-failed': 'a git hook does not let it through',
  'merge-conflict': 'it conflicts with what was merged before',
  'merge-refused': 'the merge was refused',
  'record-conflict': 'someone else changed the record',
  'record-refused': 'the record cannot be written',
  'not-terminal': 'it is not finished after two runs',
};

export function escalationLine({
  reason,
  phase,
  detail,
}: Pick<RecordEscalation, 'reason' | 'phase' | 'detail'>): string {
  return `${phase}: ${words[reason]}${detail === '' ? '' : `: ${detail}`}`;
}

export function escalationLines(
  { id, kind }: { readonly id: string; readonly kind: 'task' | 'bug' },
  escalation: RecordEscalation,
  run: string,
): readonly string[] {
  const { artifact, remediation, reason } = escalation;
  // What a run was started with does not change under it: another gate or another base needs another run.
  const again = startsAnew.includes(reason)
    ? `forge ${kind === 'bug' ? 'bug fix' : 'task run'} ${id} --again`
    : `forge retry ${run} ${id}`;
  return [
    `${id} is escalated. ${sentence(escalationLine(escalation))}`,
    ...(remediation === undefined || remediation === '' ? [] : [`To do: ${remediation}`]),
    ...(artifact === undefined ? [] : [`Look at: ${artifact}`]),
    `Then: ${again}`,
  ];
}

function sentence(text: string): string {
  const whole = `${text.charAt(0).toUpperCase()}${text.slice(1)}`;
  return /[.!?]$/.test(whole) ? whole : `${whole}.`;
}
