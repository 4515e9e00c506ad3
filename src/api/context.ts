/**
 * What operations work with: a place, an environment, and what belongs to the skin that calls them: who hears of progress,
 * when to stop waiting, and who works on a run that an operation starts or continues. The repository is opened when it is
 * first asked for.
 */
import type { Forge } from '../compose.ts';
import type { RunHandle, RunOptions } from '../engine/engine.ts';
import { ForgeError } from '../errors.ts';
import { type OpenedReader, openReader, openRunsOf } from '../open-reader.ts';
import type { Settings } from '../policy/settings.ts';

export interface ApiContext {
  readonly cwd: string;
  readonly env: Readonly<Record<string, string | undefined>>;
  /** The repository, its settings and its engine, opened once; with wishes, opened anew for everything that follows. */
  forge(wishes?: SettingsWishes): Promise<Forge>;
  /** For those who only look at runs: loads little and starts no process. */
  runs(): Promise<OpenedReader>;
  /**
   * The repository, its settings and its runs for those who only read: settings that cannot be read are no obstacle. Nothing that was opened this
   * way may start work.
   */
  reader(): Promise<Pick<Forge, 'repo' | 'engine' | 'settings'>>;
  readonly worker: RunWorker;
  /** What operations keep between calls hangs here: the same for all copies of one context. */
  readonly cacheOwner: object;
  /** Aborts when the caller no longer waits for an answer. */
  readonly signal: AbortSignal;
  /** Tells the caller what happens while it waits. */
  readonly progress: (message: string) => void;
}

/** Who works on a run that an operation starts or continues. */
export type RunWorker =
  /** This process. The skin is handed the run and brings it to its end. */
  | { readonly where: 'here'; readonly options: RunOptions; readonly take: (handle: RunHandle) => void }
  /** A process of its own, which stays when this one leaves. It is handed what to do as JSON on its standard input. */
  | { readonly where: 'apart'; readonly program: string; readonly args: readonly string[] };

/** Settings of one invocation alone, over what the project says. */
export interface SettingsWishes {
  readonly parallel?: number | undefined;
  readonly budget?: string | undefined;
  readonly memory?: 'off' | undefined;
}

export interface ContextOptions {
  readonly cwd: string;
  readonly env?: Readonly<Record<string, string | undefined>>;
  readonly worker?: RunWorker;
  readonly signal?: AbortSignal;
  readonly progress?: (message: string) => void;
}

export function openContext({ cwd, env = process.env, worker, signal, progress }: ContextOptions): ApiContext {
  let opened: Promise<Forge> | undefined;
  let looking: Promise<OpenedReader> | undefined;
  const forge = (wishes: SettingsWishes = {}): Promise<Forge> => {
    const isWished = Object.values(wishes).some((wish) => wish !== undefined);
    if (opened === undefined || isWished) opened = openWhole({ cwd, env, wishes: isWished ? wishes : undefined });
    return opened;
  };
  const reader = async (): Promise<Forge> => {
    try {
      return await forge();
    } catch (error) {
      if (!(error instanceof ForgeError) || error.code !== 'bad-config') throw error;
      const [{ openForge }, { defaultSettings }] = await Promise.all([
        import('../compose.ts'),
        import('../policy/settings.ts'),
      ]);
      return openForge({ cwd, env, settings: defaultSettings() });
    }
  };
  const look = async (): Promise<OpenedReader> => {
    const found = await openReader(cwd, env);
    if (found !== undefined) return found;
    const { engine, repo } = await reader();
    return { engine, place: openRunsOf(repo.stateFolder).place, hasOthers: true };
  };
  const runs = (): Promise<OpenedReader> => {
    looking ??= look();
    return looking;
  };
  return {
    cwd,
    env,
    forge,
    runs,
    reader,
    cacheOwner: {},
    worker: worker ?? { where: 'here', options: {}, take: () => undefined },
    signal: signal ?? new AbortController().signal,
    progress: progress ?? (() => undefined),
  };
}

interface OpenRequest {
  readonly cwd: string;
  readonly env: ApiContext['env'];
  readonly wishes: SettingsWishes | undefined;
}

/** Everything that works on runs is loaded here, and only when it is needed. */
async function openWhole({ cwd, env, wishes }: OpenRequest): Promise<Forge> {
  const { openForge } = await import('../compose.ts');
  if (wishes === undefined) return openForge({ cwd, env });
  const { parseBudget } = await import('../policy/budget-settings.ts');
  const { parallel, budget, memory } = wishes;
  return openForge({
    cwd,
    env,
    wishes: (project: Settings) => ({
      ...project,
      parallel: parallel ?? project.parallel,
      memory: memory ?? project.memory,
      budget: { ...project.budget, ...(budget === undefined ? {} : parseBudget(budget)) },
    }),
  });
}
