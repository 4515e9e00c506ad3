/** What the checks room needs, from a run's settings and the place of one effect. */
import { join } from 'node:path';
import picomatch from 'picomatch';
import type { CheckDeps, CheckSetup } from '../checks/check.ts';
import type { CheckEntries } from '../checks/select-commands.ts';
import type { EffectContext } from '../engine/performer.ts';
import { isDependencyFile } from '../evidence/judge/dependencies.ts';
import { installSetup, setupKey } from '../git/setup-cache.ts';
import { prepareWorkspace } from '../git/workspace.ts';
import type { VerifyEntry } from '../plan/plan.ts';
import type { CheckReport, HiddenProgram } from '../policy/check-report.ts';
import type { Settings } from '../policy/settings.ts';
import type { EffectDeps } from './deps.ts';
import { grantedMachine } from './granted-machine.ts';
import { setupOf } from './setup.ts';

/** As much of a run as checks need; they are also run for somebody who has none. */
export interface CheckPlace extends Pick<EffectContext, 'progress'> {
  readonly run: Pick<EffectContext['run'], 'id'>;
  /** A directory of this machine for full logs. */
  readonly logs: string;
  /** Programs of the machine that a person let the run see. */
  readonly granted?: readonly HiddenProgram[];
}
type Rooms = Pick<EffectDeps, 'repo' | 'jail' | 'settings' | 'redactor'>;

export function checkDeps(deps: Rooms, context: CheckPlace): CheckDeps {
  const { repo, jail, settings, redactor } = deps;
  const granted = grantedMachine(context.granted ?? []);
  return {
    repo,
    jail,
    redactor,
    logs: context.logs,
    cache: join(repo.dataDir, 'checks', repo.id),
    network: settings.checks.network,
    readable: [...settings.checks.caches, ...settings.jail.readable, ...granted.readable],
    env: { ...granted.env, ...settings.checks.env },
    path: settings.checks.path,
    timeoutMs: settings.checks.timeout * 1000,
    setup: checkSetup(deps, context),
    started: (process) => context.progress({ process }),
  };
}

/** Checks of one effect: what they print is kept with the run, also when they fail to end. */
export async function withCheckDeps<T>(
  deps: Rooms,
  context: EffectContext,
  work: (ready: CheckDeps) => Promise<T>,
): Promise<T> {
  const { run, snapshot, artifacts } = context;
  const progress: CheckPlace['progress'] = (data) => context.progress(data);
  const logs = await artifacts.openFolder('checks');
  try {
    return await work(checkDeps(deps, { run, progress, logs: logs.path, granted: snapshot.granted }));
  } finally {
    await logs.keep();
  }
}

export interface EntriesRequest {
  readonly source: CheckReport['source'];
  readonly entries: readonly VerifyEntry[];
  readonly part?: 'added' | 'plan' | undefined;
}

/**
 * The project's own checks come from the run's settings, whatever a workflow names: it can add commands and leave none
 * out. A plan's are untrusted, those that a workflow takes from settings are a person's.
 */
export function checkEntriesOf(
  { checks }: Pick<Settings, 'checks'>,
  { source, entries, part }: EntriesRequest,
): CheckEntries {
  if (source === 'plan') return { settings: checks.run, plan: entries, part };
  return { settings: source === 'settings' ? [...checks.run, ...entries] : checks.run };
}

function checkSetup(deps: Rooms, context: CheckPlace): CheckSetup | undefined {
  const configured = setupOf(deps.settings, deps.jail);
  if (configured === undefined) return undefined;
  const { setup, jail } = configured;
  const { repo, settings } = deps;
  const isInput = setup.inputs.length === 0 ? isDependencyFile : picomatch([...setup.inputs], { dot: true });
  return {
    outputs: setup.outputs,
    decides: (path) => isInput(path),
    key: (commit) => setupKey(repo, setup, commit),
    prepareTree: ({ judge, tree }, signal) =>
      installSetup(repo, {
        setup,
        jail,
        commit: judge,
        share: true,
        tree,
        signal,
        prepare: (name) =>
          prepareWorkspace(repo, {
            run: context.run.id,
            name,
            commit: judge,
            existing: 'discard',
            copy: settings.workspace.copy,
          }),
      }),
  };
}
