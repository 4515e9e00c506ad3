/**
 * Measures on how many commits of a rehearsed history the default rules would have asked a person: the project's checks
 * and the square run on each commit, in the jail, in a scratch repository that shares objects with the user's. Nothing
 * is left of it but the result beside the rehearsal's journal.
 */
import { mkdtemp, realpath, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { z } from 'zod';
import { type Forge, openForge } from '../compose.ts';
import type { RunOptions } from '../engine/engine.ts';
import type { ExecutionEnd } from '../engine/execution.ts';
import type { RunArtifacts } from '../engine/run-artifacts.ts';
import { messageOf } from '../errors.ts';
import { cloneScratch } from '../git/scratch-clone.ts';
import { settingsSchema } from '../policy/settings.ts';
import { type HistoryInput, weighedCommitSchema, weighHistory } from '../workflows/weigh-history.ts';

export const historyRulesSchema = z.strictObject({
  weighed: z.array(weighedCommitSchema),
  /** Why there is nothing measured. */
  problem: z.string().optional(),
});
export type HistoryRules = z.output<typeof historyRulesSchema>;

const resultFile = 'rules.json';

/** What was measured for a rehearsal before. */
export async function readRules(artifacts: RunArtifacts): Promise<HistoryRules | undefined> {
  const content = await artifacts.read(resultFile);
  return content === undefined ? undefined : historyRulesSchema.parse(JSON.parse(content.toString('utf8')));
}

/** Who wants to know, and hears of progress. */
export interface RulesCaller {
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly options: RunOptions;
}

export async function measureRules(
  forge: Pick<Forge, 'repo' | 'settings'>,
  caller: RulesCaller,
  { artifacts, commits }: { readonly artifacts: RunArtifacts; readonly commits: HistoryInput['commits'] },
): Promise<HistoryRules> {
  const known = await readRules(artifacts);
  if (known !== undefined) return known;
  const root = await realpath(await mkdtemp(join(tmpdir(), 'forge-history-')));
  try {
    const rules = await measure(forge, caller, { root, commits });
    await artifacts.write(resultFile, JSON.stringify(rules));
    return rules;
  } finally {
    await rm(root, { recursive: true, force: true });
  }
}

async function measure(
  { repo, settings: project }: Pick<Forge, 'repo' | 'settings'>,
  { env, options }: RulesCaller,
  { root, commits }: { readonly root: string; readonly commits: HistoryInput['commits'] },
): Promise<HistoryRules> {
  const base = commits[0]?.parent ?? repo.head;
  const cwd = join(root, 'clone');
  await cloneScratch(repo, cwd, base);
  const { checks, workspace, jail } = project;
  const settings = settingsSchema.parse({ checks, workspace, jail, rehearsal: true });
  const forge = await openForge({
    cwd,
    dataDir: join(root, 'data'),
    stateDir: join(root, 'state'),
    settings,
    env,
    workflows: [weighHistory],
  });
  const source = checks.run.length > 0 ? 'settings' : 'discovery';
  const handle = await forge.engine.start(
    {
      run: 'history',
      title: 'The default rules on a history',
      workflow: weighHistory.name,
      base,
      root: cwd,
      input: { commits, source } satisfies HistoryInput,
      settings,
    },
    { ...options, whenWaiting: 'leave' },
  );
  const stop = (): void => handle.pause('interrupted');
  process.once('SIGINT', stop);
  try {
    return rulesOf(await handle.ended);
  } finally {
    process.removeListener('SIGINT', stop);
  }
}

function rulesOf(end: ExecutionEnd): HistoryRules {
  if (end.status === 'done') return historyRulesSchema.parse(end.output);
  const problem = end.status === 'stopped' && end.error !== undefined ? messageOf(end.error) : end.reason;
  return { weighed: [], problem: problem || end.status };
}
