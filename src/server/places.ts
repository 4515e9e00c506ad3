/**
 * The repositories a dashboard serves, by id: the one it was started in, and all of this user's where that was asked for.
 * What was read of runs is kept per repository for as long as the server lives; settings and git are opened anew for
 * whatever changes something, and every few seconds for whatever looks.
 */
import { type ApiContext, openContext, type RunWorker } from '../api/context.ts';
import { userRepositories } from '../api/user-repositories.ts';
import { ForgeError } from '../errors.ts';

export interface PlacesOptions {
  readonly cwd: string;
  readonly env: ApiContext['env'];
  readonly worker: RunWorker;
  readonly all: boolean;
}

const readerLifeMs = 3000;

export class OpenPlaces {
  readonly #options: PlacesOptions;
  readonly #kept = new Map<string, { looking: ApiContext; reading: ApiContext; openedAt: number }>();

  constructor(options: PlacesOptions) {
    this.#options = options;
  }

  /** A context for one call. Without an id, the repository the server was started in. */
  open(repository: string | undefined, kind: 'query' | 'command' | 'stream', signal: AbortSignal): ApiContext {
    const { env, worker } = this.#options;
    const cwd = this.#rootOf(repository);
    const fresh = openContext({ cwd, env, worker, signal });
    const now = Date.now();
    const kept = this.#kept.get(cwd) ?? { looking: fresh, reading: fresh, openedAt: now };
    this.#kept.set(cwd, kept);
    if (now - kept.openedAt > readerLifeMs) {
      kept.reading = fresh;
      kept.openedAt = now;
    }
    const { looking, reading } = kept;
    return {
      ...fresh,
      cacheOwner: looking.cacheOwner,
      runs: () => looking.runs(),
      reader: kind === 'command' ? () => fresh.reader() : () => reading.reader(),
    };
  }

  #rootOf(repository: string | undefined): string {
    const { cwd, env, all } = this.#options;
    if (repository === undefined || repository === '') return cwd;
    const found = userRepositories(env).find(({ id }) => id === repository);
    const isHere = found !== undefined && (cwd === found.root || cwd.startsWith(`${found.root}/`));
    if (found?.isThere === true && (all || isHere)) return found.root;
    throw new ForgeError('bad-input', 'This dashboard does not serve that repository', {
      hint: 'Start it with forge ui --all to see every repository of yours.',
    });
  }
}
