/**
 * The details of a run for the views that draw them; asked for again when the run has something new. Of a run nobody works
 * on they are kept, so that going from view to view asks for nothing.
 */
import type { RunDetails } from '../../../src/api/inspect-run.ts';
import type { ViewProps } from '../run/run-view.tsx';
import { type Loaded, useCall } from '../source/hooks.ts';

let kept: { readonly id: string; readonly details: RunDetails } | undefined;

export function useDetails({
  run,
  repository,
  page,
}: Pick<ViewProps, 'run' | 'repository' | 'page'>): Loaded<RunDetails> {
  const id = `${repository ?? ''} ${run}`;
  const isKept = !page.isLive && kept?.id === id && kept.details.seq === page.seq;
  const loaded = useCall<RunDetails>(
    isKept ? undefined : 'inspect-run',
    { run },
    { repository, version: `${page.seq} ${page.status}` },
  );
  if (isKept) return { ...loaded, value: kept?.details, failure: undefined, isLoading: false };
  if (loaded.value !== undefined) kept = { id, details: loaded.value };
  return loaded;
}

/** How long a session was at work; one that still is counts on, while somebody works on its run. */
export function workedOf(
  { status, startedAt, workedMs }: RunDetails['sessions'][number],
  { page, now }: Pick<ViewProps, 'page' | 'now'>,
): number {
  const since = now - Date.parse(startedAt);
  return page.isLive && status === 'running' && since > workedMs ? since : workedMs;
}
