/**
 * What every operation looks like, and what it works with. A skin (command line, server, …) calls operations and draws
 * views; it opens no repository and reads no journal itself. Input is data with a schema; what is not data (who listens
 * to facts, how a new process is started) is the skin's and comes with the context.
 */
import type { z } from 'zod';
import type { Forge } from '../compose.ts';
import type { RunOptions } from '../engine/engine.ts';
import { ForgeError } from '../errors.ts';
import { type OpenedReader, openReader } from '../open-reader.ts';
import type { Settings } from '../policy/settings.ts';

export interface Operation<S extends z.ZodType, Output> {
  readonly name: string;
  readonly summary: string;
  readonly input: S;
  run(context: ApiContext, input: z.output<S>): Promise<Output>;
}

export interface ApiContext {
  readonly cwd: string;
  readonly env: Readonly<Record<string, string | undefined>>;
  /** The repository, its settings and its engine; opened when first asked for. */
  forge(): Promise<Forge>;
  /** For those who only look at runs: loads little and starts no process. */
  runs(): Promise<OpenedReader>;
  /**
   * The repository, its settings and its runs for those who only read: settings that can not be read are no obstacle.
   * Nothing that was opened this way may start work.
   */
  reader(): Promise<Pick<Forge, 'repo' | 'engine' | 'settings'>>;
  /** How runs that this process works on are watched, and what it does when only questions are left. */
  readonly watcher: RunOptions;
}

export interface ContextOptions {
  readonly cwd: string;
  readonly env?: Readonly<Record<string, string | undefined>>;
  readonly watcher?: RunOptions;
  /** Of this invocation alone, over what the project says. */
  readonly settings?: { readonly parallel?: number; readonly budget?: string; readonly memory?: 'off' };
}

export function openContext({ cwd, env = process.env, watcher = {}, settings }: ContextOptions): ApiContext {
  let opened: Promise<Forge> | undefined;
  let looking: Promise<OpenedReader> | undefined;
  const forge = (): Promise<Forge> => {
    opened ??= openWhole({ cwd, env, settings });
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
    return { engine, place: `${repo.stateFolder}/runs`, hasOthers: true };
  };
  const runs = (): Promise<OpenedReader> => {
    looking ??= look();
    return looking;
  };
  return { cwd, env, watcher, forge, runs, reader };
}

/** Everything that works on runs is loaded here, and only when it is needed. */
async function openWhole({ cwd, env, settings: wishes }: Required<Pick<ContextOptions, 'cwd' | 'env'>> & Wishes) {
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

interface Wishes {
  readonly settings: ContextOptions['settings'];
}

/** Checks the input and runs. A skin that has data from outside (a request, flags) goes through here. */
export async function perform<S extends z.ZodType, Output>(
  operation: Operation<S, Output>,
  context: ApiContext,
  input: unknown,
): Promise<Output> {
  const parsed = operation.input.safeParse(input);
  if (parsed.success) return operation.run(context, parsed.data);
  const { explainSchema } = await import('../plan/explain-schema.ts');
  const [first] = explainSchema(parsed.error.issues, input);
  const message = `${operation.name}, ${first?.where ?? 'input'}: ${first?.problem ?? 'it does not fit'}`;
  throw new ForgeError('bad-input', message, first?.fix === undefined ? {} : { hint: first.fix });
}
