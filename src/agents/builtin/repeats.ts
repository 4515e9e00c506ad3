/** Whether a model is stuck: the same call, with the same failure, again and again. Pure. */

export interface CallEnd {
  readonly name: string;
  readonly input: unknown;
  readonly ok: boolean;
  readonly text: string;
}

const patience = 3;

/** The call that is being repeated, or undefined. */
export function repeatedFailure(ends: readonly CallEnd[]): CallEnd | undefined {
  const last = ends.slice(-patience);
  const [first] = last;
  if (first === undefined || last.length < patience) return undefined;
  const mark = markOf(first);
  return last.every((end) => !end.ok && markOf(end) === mark) ? first : undefined;
}

function markOf({ name, input, text }: CallEnd): string {
  return JSON.stringify([name, input, text]);
}
