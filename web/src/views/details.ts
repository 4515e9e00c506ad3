/** The details of a run for the views that draw them; asked for again when the run has something new. */
import type { RunDetails } from '../../../src/api/inspect-run.ts';
import type { ViewProps } from '../run/run-view.tsx';
import { type Loaded, useCall } from '../source/hooks.ts';

export function useDetails({
  run,
  repository,
  page,
}: Pick<ViewProps, 'run' | 'repository' | 'page'>): Loaded<RunDetails> {
  return useCall<RunDetails>('inspect-run', { run }, { repository, version: `${page.seq} ${page.status}` });
}
