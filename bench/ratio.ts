/**
 * Figures as ratios of two things measured side by side in one run, alternating, so that a noisy machine
 * hits both. The median of rounds is what is shown.
 */

export interface Figure {
  readonly name: string;
  readonly value: number;
  readonly aim?: number;
  readonly detail: string;
}

/** Milliseconds per call of two things, alternating; returns the medians of each and the median of the ratios. */
export async function sideBySide(
  rounds: number,
  subject: (round: number) => Promise<void> | void,
  reference: (round: number) => Promise<void> | void,
): Promise<{ ratio: number; subjectMs: number; referenceMs: number }> {
  const subjects: number[] = [];
  const references: number[] = [];
  for (let round = -1; round < rounds; round += 1) {
    const referenceMs = await time(() => reference(round));
    const subjectMs = await time(() => subject(round));
    // The first pair warms caches and the compiler.
    if (round < 0) continue;
    subjects.push(subjectMs);
    references.push(referenceMs);
  }
  const ratios = subjects.map((ms, index) => ms / (references[index] ?? ms));
  return { ratio: median(ratios), subjectMs: median(subjects), referenceMs: median(references) };
}

export async function time(action: () => Promise<void> | void): Promise<number> {
  const start = performance.now();
  await action();
  return performance.now() - start;
}

export function median(values: readonly number[]): number {
  const sorted = [...values].sort((a, b) => a - b);
  return sorted[Math.floor(sorted.length / 2)] ?? Number.NaN;
}

/** A small repeatable generator: figures must not depend on luck. */
export function seeded(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state * 1_664_525 + 1_013_904_223) % 4_294_967_296;
    return state / 4_294_967_296;
  };
}
