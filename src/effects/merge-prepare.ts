/** `merge.prepare`: a task's commit on top of the integration head. Objects only; doing it twice is harmless. */
import type { Performer } from '../engine/performer.ts';
import { prepareMerge } from '../git/merge.ts';
import type { EffectDeps } from './deps.ts';

export function mergePrepare({ repo }: EffectDeps): Performer<'merge.prepare'> {
  return {
    async perform({ task, base, commit, title, body, keep }, { state, run, clock }) {
      const candidate = await prepareMerge(repo, {
        run: run.id,
        task,
        base,
        commit,
        head: state.integration ?? run.base,
        keep,
        message: body === '' ? title : `${title}\n\n${body}`,
        authors: [],
        date: clock.now(),
      });
      if (candidate.status === 'ready') {
        return { ...candidate, changes: [...candidate.changes], judge: state.judge ?? run.base };
      }
      return candidate.status === 'empty' ? candidate : { ...candidate, files: [...candidate.files] };
    },
  };
}
