/**
 * Why a worker says it is blocked, read from the beginning of its own words, and who can do something about it. Only
 * for agents that can say no more than a sentence: a structured result says it better. Never more than a hint; what
 * fits nothing is `unknown` and goes to a person as it stands.
 */
import { classifyTrouble, type TroubleCode } from './trouble.ts';

export const blockerKinds = [
  'context_overflow',
  'scope_exceeded',
  'model_refusal',
  'tooling_failure',
  'external_dependency',
  'unknown',
] as const;
export type BlockerKind = (typeof blockerKinds)[number];

export interface Blocker {
  readonly kind: BlockerKind;
  readonly next: 'tier-up' | 'other-model' | 'stop';
  readonly hint: string;
}

export function readBlocker(text: string): Blocker {
  const kind = scope.test(text.trimStart())
    ? 'scope_exceeded'
    : (kindOf[classifyTrouble({ message: text }).code] ?? 'unknown');
  return { kind, ...answers[kind] };
}

const scope =
  /^(?:(?:the |this )?(?:task|scope|request)(?: is| was)?(?: much| far)? too (?:broad|large|big)\b|(?:the |this )?(?:task|request) (?:is |spans |covers )?(?:out of scope|multiple tasks)\b|out of scope\b|scope exceeded\b)/i;

const kindOf: Readonly<Partial<Record<TroubleCode, BlockerKind>>> = {
  prompt_too_long: 'context_overflow',
  refusal: 'model_refusal',
  tool_missing: 'tooling_failure',
  rate_limit: 'external_dependency',
  overloaded: 'external_dependency',
  server: 'external_dependency',
  network: 'external_dependency',
  stream_cut: 'external_dependency',
};

const answers: Readonly<Record<BlockerKind, Omit<Blocker, 'kind'>>> = {
  context_overflow: { next: 'tier-up', hint: 'It needs a model with more context, or smaller tasks.' },
  scope_exceeded: { next: 'stop', hint: 'The task is too broad: split it into smaller ones.' },
  model_refusal: { next: 'other-model', hint: 'The model refused; another may not.' },
  tooling_failure: { next: 'stop', hint: 'A program it needs is missing: install it, then resume the run.' },
  external_dependency: { next: 'stop', hint: 'Something outside is not reachable: make it so, then resume the run.' },
  unknown: { next: 'stop', hint: 'See what it said.' },
};
