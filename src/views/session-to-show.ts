/** Which session of a run a person sees first: who is at work, else who changed something last, else the last. Pure. */
export function sessionToShow<T extends { readonly status: string; readonly files: number }>(
  sessions: readonly T[],
): T | undefined {
  return (
    sessions.findLast(({ status }) => status === 'running') ??
    sessions.findLast(({ files }) => files > 0) ??
    sessions.at(-1)
  );
}
