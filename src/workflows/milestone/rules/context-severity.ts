/** How full a worker's context is, in words that decide what may still be begun. Pure. */
export type ContextSeverity = 'fine' | 'checkpoint' | 'warning' | 'critical';

/** `left` is the share of the context that is free. */
export function contextSeverity(left: number): ContextSeverity {
  if (left <= 0.25) return 'critical';
  if (left <= 0.35) return 'warning';
  return left <= 0.4 ? 'checkpoint' : 'fine';
}
