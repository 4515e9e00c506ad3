/**
 * What rehearsals have in common: a run like any other, but for agents that play a script kept beside its journal,
 * answers that are there before they are asked for, and a tree that should come of it. Nothing is learnt from it, and no
 * model is asked, also not after a crash. The user's checkout is not looked at.
 */
import { z } from 'zod';
import { runFilePrefix } from '../agents/open-agent.ts';
import type { Forge } from '../compose.ts';
import { effectMap } from '../engine/effect-map.ts';
import type { RunHandle, RunListing, RunOptions, RunReader, StartRequest } from '../engine/engine.ts';
import type { RunState } from '../engine/run-state.ts';
import { ForgeError } from '../errors.ts';
import { holdSameFiles, treeOf } from '../git/changes.ts';
import { scopeSettingsSchema } from '../policy/receipt.ts';
import type { Settings } from '../policy/settings.ts';
import type { HistoryRules } from './history-rules.ts';
import { expectedOf } from './record-work.ts';
import { type Expected, expectedSchema, type Recording } from './recording.ts';
import type { AskedShare, RehearsalFindings } from './rehearsal-text.ts';

export interface Rehearsal {
  readonly request: StartRequest & { readonly settings: Settings };
  /** YAML or JSON. */
  readonly script: string;
  readonly answers: Recording['answers'];
  readonly expected: RehearsalAim;
}

/** How a rehearsal should end. */
export interface RehearsalAim extends Expected {
  readonly status: string;
  readonly commits?: z.output<typeof commitSchema>[] | undefined;
}

/** Of a history: the commits that its tasks stand for. */
const commitSchema = z.strictObject({ task: z.string(), id: z.string(), parent: z.string(), title: z.string() });

const aimSchema = expectedSchema.extend({ status: z.string(), commits: z.array(commitSchema).optional() });

/** The script of a run, as its settings name it: beside the journal, wherever that is. */
export const rehearsalScript = `${runFilePrefix}script.yaml`;

/** Everything is in its place before the first fact: whoever resumes the run finds it there. */
export async function beginRehearsal(
  forge: Pick<Forge, 'engine'>,
  plan: Rehearsal,
  options: RunOptions,
): Promise<RunHandle> {
  const { request, script, answers, expected } = plan;
  const artifacts = forge.engine.artifacts(request.run);
  await artifacts.write('script.yaml', script);
  await artifacts.write(aimFile, JSON.stringify(expected));
  const posts = answers.map(({ key, ...answer }) => ({
    type: 'answer' as const,
    key,
    answer: { ...answer, by: 'recording' },
  }));
  return forge.engine.start({ ...request, posts }, options);
}

const aimFile = 'rehearsal.json';

export interface Difference {
  readonly path: string;
  readonly what: 'missing' | 'unexpected' | 'differs';
}

export interface JudgedRehearsal extends RehearsalFindings {
  readonly differences: readonly Difference[];
}

export async function isRehearsal(engine: RunReader, run: string): Promise<boolean> {
  return (await engine.artifacts(run).read(aimFile)) !== undefined;
}

export type BegunState = Pick<RunState, 'status' | 'reason' | 'integration' | 'effects' | 'receipts'> & {
  readonly created: NonNullable<RunState['created']>;
};

export async function judgeResult(
  { repo, engine }: Pick<Forge, 'repo' | 'engine'>,
  listing: RunListing,
  state: BegunState,
): Promise<JudgedRehearsal> {
  const aim = await readAim(engine, listing.run);
  const { base } = state.created;
  const reached = await expectedOf(repo, base, state.integration ?? base);
  const all = reached.tree === aim.tree ? [] : differencesOf(aim, reached);
  const differences = all.filter(({ path }) => !aim.redacted.includes(path));
  // Where the lists tell nothing, content decides: old histories have trees of another id with the same files.
  const isSameTree =
    reached.tree === aim.tree ||
    (all.length > 0 ? differences.length === 0 : await holdSameFiles(repo, aim.tree, reached.tree));
  return {
    run: listing.run,
    same: isSameTree && state.status === aim.status,
    tree: reached.tree,
    expectedTree: aim.tree,
    status: state.status,
    expectedStatus: aim.status,
    reason: state.reason,
    differences,
    redacted: all.filter(({ path }) => aim.redacted.includes(path)).map(({ path }) => path),
    unrecorded: unrecordedIn(state),
    removed: false,
  };
}

/** Begins the name of a run that rehearses a history. */
export const historyRun = 'rehearsal-history';

/**
 * On how many commits the default settings would have asked a person. A rehearsal lets everything through and writes it
 * on the receipts, which tells what the texts show. What running the checks shows is in `rules`, if it was measured.
 */
export function askedShare({ receipts }: Pick<BegunState, 'receipts'>, rules: HistoryRules | undefined): AskedShare {
  const usual = scopeSettingsSchema.parse({});
  const measured = rules !== undefined && rules.problem === undefined;
  const all = receipts.map(({ task, flags, changed }) => {
    const open = flags.filter((flag) => usual[flag.case] !== 'allow');
    // The texts alone are a guess where the checks have run.
    const counted = measured ? open.filter((flag) => flag.case !== 'weakened' && flag.case !== 'judge') : open;
    const weighed = rules?.weighed.find((each) => each.task === task);
    const reasons = [
      ...(weighed?.outcome === 'asked' ? weighed.reasons : []),
      ...counted.map(({ path, reason }) => `${path}: ${reason}`.slice(0, 300)),
    ];
    return { task, title: `(${changed.length} files)`, reasons: [...new Set(reasons)], weighed };
  });
  const stopped = all.filter(({ reasons, weighed }) => reasons.length === 0 && weighed?.outcome === 'stopped');
  return {
    commits: receipts.length,
    measured,
    ...(rules?.problem === undefined ? {} : { problem: rules.problem }),
    asked: all
      .filter(({ reasons }) => reasons.length > 0)
      .map(({ task, title, reasons }) => ({ task, title, reasons })),
    stopped: stopped.map(({ task, title, weighed }) => ({ task, title, reasons: weighed?.reasons ?? [] })),
  };
}

export async function readAim(engine: RunReader, run: string): Promise<RehearsalAim> {
  const content = await engine.artifacts(run).read(aimFile);
  if (content === undefined) {
    throw new ForgeError('bad-input', `The run ${run} is not a rehearsal`, {
      hint: 'Start one: forge rehearse <file>',
    });
  }
  return aimSchema.parse(JSON.parse(content.toString('utf8')));
}

/** By path, against the same base: an entry of mode zero is a deletion. */
function differencesOf(aim: Expected, reached: Expected): readonly Difference[] {
  const wanted = new Map(aim.changed.map((entry) => [entry.path, `${entry.mode} ${entry.id}`]));
  const found = new Map(reached.changed.map((entry) => [entry.path, `${entry.mode} ${entry.id}`]));
  const paths = [...new Set([...wanted.keys(), ...found.keys()])].sort();
  return paths.flatMap((path): Difference[] => {
    const [want, is] = [wanted.get(path), found.get(path)];
    if (want === is) return [];
    if (is === undefined) return [{ path, what: 'missing' }];
    return [{ path, what: want === undefined ? 'unexpected' : 'differs' }];
  });
}

function unrecordedIn({ effects }: BegunState): JudgedRehearsal['unrecorded'] {
  return [...effects].flatMap(([key, { kind, result }]) => {
    if (kind !== 'agent.run' || result === undefined) return [];
    const { outcome } = effectMap['agent.run'].output.parse(result.output);
    if (outcome.status !== 'trouble' || outcome.trouble.code !== 'script-exhausted') return [];
    return [{ key, message: outcome.trouble.message }];
  });
}

/** A tree of this repository as the aim of a rehearsal. */
export async function aimAtTree({ repo }: Forge, tree: { base: string; commit: string }): Promise<RehearsalAim> {
  return { ...(await expectedOf(repo, tree.base, tree.commit)), status: 'done', tree: await treeOf(repo, tree.commit) };
}
