/**
 * `merge.prepare`: a task's commit on top of the integration head, and the secrets it would bring along. Objects only;
 * doing it twice is harmless.
 */
import type { Performer } from '../engine/performer.ts';
import { prepareMerge } from '../git/merge.ts';
import { isPathCovered } from '../plan/coverage.ts';
import type { EffectDeps } from './deps.ts';
import { findAddedSecrets } from './find-added-secrets.ts';

export function mergePrepare({
  repo,
  secrets,
  settings,
}: Pick<EffectDeps, 'repo' | 'secrets' | 'settings'>): Performer<'merge.prepare'> {
  return {
    async perform({ task, base, commit, title, body, keep, apart }, { snapshot, run, clock }) {
      const candidate = await prepareMerge(repo, {
        run: run.id,
        task,
        base,
        commit,
        head: snapshot.integration ?? run.base,
        keep,
        message: messageOf(title, body),
        apart:
          apart === undefined
            ? undefined
            : {
                message: messageOf(apart.title, apart.body),
                isPart: (path) => isPathCovered(apart.paths, path),
              },
        authors: [],
        author: settings.commits.as,
        date: clock.now(),
      });
      if (candidate.status === 'ready') {
        const { hooks } = settings.checks;
        const found = await findAddedSecrets(repo, candidate, secrets);
        return {
          ...candidate,
          changes: [...candidate.changes],
          judge: snapshot.judge ?? run.base,
          ...(found.length === 0 ? {} : { secrets: [...found] }),
          ...(hooks.length === 0 ? {} : { hooks: [...hooks] }),
        };
      }
      return candidate.status === 'empty' ? candidate : { ...candidate, files: [...candidate.files] };
    },
  };
}

function messageOf(title: string, body: string): string {
  return body === '' ? title : `${title}\n\n${body}`;
}
