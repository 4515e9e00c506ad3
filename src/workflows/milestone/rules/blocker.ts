/**
 * Why a worker says it cannot go on, and what is tried before a person is needed. What the worker names itself counts
 * first; its words are only looked at where it names nothing, and then only for phrases, never for single words that
 * occur in any sentence. Pure.
 */
export const blockerClasses = [
  'context_overflow',
  'scope_exceeded',
  'model_refusal',
  'tooling_failure',
  'external_dependency',
  'unknown',
] as const;
export type BlockerClass = (typeof blockerClasses)[number];

export type BlockerRecovery =
  | { readonly action: 'tier-up' }
  | { readonly action: 'other-model' }
  | { readonly action: 'stop'; readonly sentence: string };

export interface Blocker {
  readonly class: BlockerClass;
  readonly recovery: BlockerRecovery;
}

export interface BlockerReport {
  /** As the worker classifies it; untrusted. */
  readonly kind?: string | undefined;
  readonly text: string;
}

/** `tried` are the recoveries that this piece of work had already. */
export function classifyBlocker(report: BlockerReport, tried: readonly BlockerRecovery['action'][] = []): Blocker {
  const named = blockerClasses.find((one) => one === report.kind && one !== 'unknown');
  const found = named ?? phrases.find(([, pattern]) => pattern.test(report.text))?.[0] ?? 'unknown';
  return { class: found, recovery: recoveryFor(found, report.text, tried) };
}

const phrases: readonly (readonly [BlockerClass, RegExp])[] = [
  ['context_overflow', /\bcontext (?:limit|window|length)\b|\btoo long\b|\b(?:out of|too many|maximum) tokens\b/i],
  ['scope_exceeded', /\bout of scope\b|\btoo broad\b|\bmultiple tasks\b/i],
  [
    'model_refusal',
    /\bi(?:'m| am) not able to\b|\bi (?:cannot|can ?not|can't) (?:help|assist|do)\b|\bagainst .{0,20}policy\b/i,
  ],
  ['tooling_failure', /\bcommand not found\b|\bpermission denied\b|\bENOENT\b/i],
  [
    'external_dependency',
    /\bconnection refused\b|\bECONNREFUSED\b|\bnot running\b|\bAPI (?:is )?(?:down|unavailable)\b|\bnetwork (?:is )?(?:down|unreachable)\b/i,
  ],
];

/** Twice up covers all tiers; another model is asked once. */
const mostTierUps = 2;

function recoveryFor(found: BlockerClass, text: string, tried: readonly BlockerRecovery['action'][]): BlockerRecovery {
  const often = (action: BlockerRecovery['action']): number => tried.filter((one) => one === action).length;
  switch (found) {
    case 'context_overflow':
      if (often('tier-up') < mostTierUps) return { action: 'tier-up' };
      return stop('The task is too large for the largest model. Split it into smaller tasks.');
    case 'model_refusal':
      if (often('other-model') === 0) return { action: 'other-model' };
      return stop('Two models refused this task. Word it differently, or do it yourself.');
    case 'scope_exceeded':
      return stop('The task is too broad. Split it into smaller tasks.');
    case 'tooling_failure':
      return stop('A tool is missing or cannot be started. Install it, then try the task again.');
    case 'external_dependency':
      return stop('Something outside this project is not available. Start it, then try the task again.');
    case 'unknown':
      return stop(text.trim() === '' ? 'The worker gave no reason.' : text.trim());
  }
}

function stop(sentence: string): BlockerRecovery {
  return { action: 'stop', sentence };
}
