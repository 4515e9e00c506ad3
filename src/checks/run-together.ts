/**
 * Runs pieces of work that do not need each other: one after the other, and beside each other while the machine has
 * processors that no check of this process uses. So a run with one task at work uses the whole machine, and a run with many
 * starts no more programs than before. When a piece runs never changes what it finds.
 */
import { availableParallelism } from 'node:os';

/** How many pieces are being worked on, in all calls together. */
let busy = 0;

type Piece = () => Promise<unknown>;
type Results<P extends readonly Piece[]> = { readonly [K in keyof P]: Awaited<ReturnType<P[K]>> };

/** Fails as the first piece that failed, after everything that was started has ended. */
export async function runTogether<const P extends readonly Piece[]>(
  pieces: P,
  processors = availableParallelism(),
): Promise<Results<P>> {
  const results: unknown[] = Array.from({ length: pieces.length });
  const failures: unknown[] = [];
  const lanes: Promise<void>[] = [];
  const left = [...pieces.entries()];
  const next = (isExtra: boolean) =>
    failures.length > 0 || (isExtra && busy >= processors) ? undefined : left.shift();
  const workOff = async (isExtra: boolean): Promise<void> => {
    for (let piece = next(isExtra); piece !== undefined; piece = next(isExtra)) {
      const [place, start] = piece;
      busy += 1;
      try {
        const going = start();
        if (left.length > 0 && busy < processors) lanes.push(workOff(true));
        results[place] = await going;
      } catch (error) {
        failures.push(error);
      } finally {
        busy -= 1;
      }
    }
  };
  await workOff(false);
  await Promise.all(lanes);
  if (failures.length > 0) throw failures[0];
  return results as Results<P>;
}
