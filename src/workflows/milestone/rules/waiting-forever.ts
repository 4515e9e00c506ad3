/**
 * What can never start in a plan that Forge did not make: what waits for something that is not there, and what waits for
 * itself over others. Each is named with what is wrong; the rest of the plan goes on. Pure.
 */
import { findCycles } from '../../../plan/cycles.ts';

interface Waiting {
  readonly id: string;
  readonly depends: readonly string[];
}

/** `known`: everything that may be waited for, also what is done. Empty where nothing is wrong. */
export function waitingForever(waiting: readonly Waiting[], known: ReadonlySet<string>): ReadonlyMap<string, string> {
  const missing = waiting.flatMap(({ id, depends }): [string, string][] => {
    const unknown = depends.filter((one) => !known.has(one));
    return unknown.length === 0 ? [] : [[id, `it waits for ${unknown.join(', ')}, which is not there`]];
  });
  const circles = findCycles(waiting).flatMap((circle) =>
    circle.map((id): [string, string] => [
      id,
      circle.length === 1 ? 'it waits for itself' : `these wait for each other: ${circle.join(', ')}`,
    ]),
  );
  return new Map([...missing, ...circles]);
}
