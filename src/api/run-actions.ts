/**
 * What a person can do with a run now, each with what it will do in words: for skins that show buttons. Every action
 * names the operation that does it, the input, and fields a person may fill in. Looks at git and changes nothing.
 */
import { z } from 'zod';
import type { RunSummary } from '../engine/engine.ts';
import { tasksToRetry } from '../engine/reopen.ts';
import type { RunState } from '../engine/run-state.ts';
import type { Repository } from '../git/git.ts';
import { hasBranchMoved } from '../git/land.ts';
import { shortName } from '../git/move-branches.ts';
import { listRefs, readRef } from '../git/refs.ts';
import { countChanges } from '../git/show-diff.ts';
import { planUndo } from '../git/undo.ts';
import { countText, shortCommit } from '../views/figures.ts';
import { landedCommit, landingOf, landsSince, resultOf } from '../views/landing.ts';
import { taskTitle } from '../views/outline.ts';
import { isFinished, isHeld, isResumable } from './choose-run.ts';
import { findSummary } from './find-run.ts';
import { liveRun } from './live-run.ts';
import type { JsonOf, Operation } from './operation.ts';
import { runName } from './run-name.ts';

const input = z.strictObject({ run: runName });

const fieldSchema = z.strictObject({
  name: z.string(),
  label: z.string(),
  value: z.string(),
  /** What to choose from; free text without it. */
  choices: z.array(z.strictObject({ value: z.string(), label: z.string() })).optional(),
  isRequired: z.boolean(),
  hint: z.string(),
});

const actionSchema = z.strictObject({
  id: z.enum(['pause', 'resume', 'retry', 'cancel', 'land', 'undo', 'cleanup']),
  label: z.string(),
  /** What it will do, one sentence each. */
  says: z.array(z.string()),
  operation: z.string(),
  input: z.record(z.string(), z.json()),
  fields: z.array(fieldSchema),
  /** It cannot be taken back: a person is asked twice. */
  isFinal: z.boolean(),
  /** What most people want next. */
  isNext: z.boolean(),
});
export type RunAction = JsonOf<typeof actionSchema>;
type Action = z.output<typeof actionSchema>;

const output = z.strictObject({ run: z.string(), seq: z.number().int(), actions: z.array(actionSchema) });

export const runActions: Operation<typeof input, typeof output> = {
  name: 'run-actions',
  kind: 'query',
  description: 'Lists what a person can do with a run now, with what each action will do. It does none of them.',
  input,
  output,
  async run(context, { run }) {
    const live = await liveRun(context, run);
    const { state } = live.chronicle;
    const listing = await findSummary(context, { run: live.run, what: 'here', fits: () => true });
    const { repo } = await context.reader();
    const at = { repo, listing, state };
    const actions = [
      ...pause(at),
      ...resume(at),
      ...retry(at),
      ...(await land(at)),
      ...(await undo(at)),
      ...cancel(at),
      ...cleanup(at),
    ];
    return { run: live.run, seq: state.seq, actions };
  },
};

interface At {
  readonly repo: Repository;
  readonly listing: RunSummary;
  readonly state: Readonly<RunState>;
}

const plain = { fields: [], isFinal: false, isNext: false };

function pause({ listing, state }: At): Action[] {
  if (!isHeld(listing)) return [];
  const agents = [...state.effects.values()].filter(({ kind, open }) => kind === 'agent.run' && open !== undefined);
  return [
    {
      ...plain,
      id: 'pause',
      label: 'Pause',
      operation: 'pause-run',
      input: { run: listing.run },
      says: [
        agents.length === 0
          ? 'Stops the run for now. No agent is at work.'
          : `Stops the run for now, with ${countText(agents.length, 'agent')} at work.`,
        'What agents have written so far is captured. Resume continues from there.',
      ],
    },
  ];
}

function resume({ listing }: At): Action[] {
  if (!isResumable(listing)) return [];
  const isAsking = listing.status === 'waiting';
  return [
    {
      ...plain,
      id: 'resume',
      label: 'Resume',
      operation: 'resume-run',
      input: { run: listing.run },
      says: [
        listing.status === 'limited'
          ? 'Continues the run. It stopped at a limit: give it a new one, or it stops there again.'
          : 'Continues the run where it stopped. What was finished is not repeated.',
        ...(isAsking ? ['It will ask the open question again. Answer it to continue.'] : []),
      ],
      fields: [
        {
          name: 'budget',
          label: 'New limit',
          value: '',
          isRequired: false,
          hint: 'For example $20, 500k tokens or 2h. Leave it empty to keep the current limit.',
        },
      ],
      isNext: !isAsking,
    },
  ];
}

function retry({ listing, state }: At): Action[] {
  if (isHeld(listing) || listing.status === 'unreadable') return [];
  const tasks = retryable(state);
  if (tasks.length === 0) return [];
  return [
    {
      ...plain,
      id: 'retry',
      label: 'Retry',
      operation: 'retry-run',
      input: { run: listing.run },
      says: [
        `Tries again what was not done: ${tasks.map(({ title }) => title).join(', ')}.`,
        'The plan and its approval stand. What the earlier try wrote stays captured.',
      ],
      fields: [
        {
          name: 'task',
          label: 'Task',
          value: '',
          choices: [
            { value: '', label: 'Everything that failed' },
            ...tasks.map(({ key, title }) => ({ value: key, label: title })),
          ],
          isRequired: false,
          hint: '',
        },
      ],
      isNext: listing.status === 'failed',
    },
  ];
}

function retryable(state: Readonly<RunState>): readonly { readonly key: string; readonly title: string }[] {
  try {
    return tasksToRetry(state).map((key) => ({ key, title: taskTitle(state, key) }));
  } catch {
    return [];
  }
}

async function land({ repo, listing, state }: At): Promise<Action[]> {
  const commit = resultOf(state);
  if (!isFinished(listing) || commit === undefined || state.created === undefined) return [];
  const wanted = landingOf(state)?.into ?? repo.branch ?? '';
  if (wanted !== '' && landedCommit(state, wanted) !== undefined) return [];
  const branches = (await listRefs(repo, 'refs/heads/')).map(({ ref }) => shortName(ref));
  const others = branches.filter((branch) => !branch.startsWith('forge/'));
  const says = await landingWords(repo, { branch: wanted, commit, state });
  const isDone = listing.status === 'done';
  return [
    {
      ...plain,
      id: 'land',
      label: 'Land',
      operation: 'land-run',
      input: { run: listing.run, ...(isDone ? {} : { force: true }) },
      says: [...(isDone ? [] : [`The run is ${listing.status}: only what it merged lands.`]), ...says],
      fields: [
        {
          name: 'into',
          label: 'Branch',
          value: wanted,
          choices: others.map((branch) => ({ value: branch, label: branch })),
          isRequired: true,
          hint: 'Forge only moves it forward, and updates a clean checkout of it.',
        },
      ],
      isNext: isDone,
    },
  ];
}

async function landingWords(
  repo: Repository,
  { branch, commit, state }: { readonly branch: string; readonly commit: string; readonly state: Readonly<RunState> },
): Promise<readonly string[]> {
  const before = branch === '' ? undefined : await readRef(repo, `refs/heads/${branch}`);
  if (before === undefined) return [`Moves the branch you choose to ${shortCommit(commit)}.`];
  const since = landsSince(state, branch);
  try {
    if (await hasBranchMoved(repo, { branch, commit, since })) {
      return [
        `${branch} has moved since the run began.`,
        'Forge puts the result on top of it, runs the checks again, and then moves the branch. It may ask about conflicts.',
      ];
    }
    const files = (await countChanges(repo, { from: before, to: commit })).length;
    return [
      `Moves ${branch} from ${shortCommit(before)} to ${shortCommit(commit)}, which changes ${countText(files, 'file')}.`,
      'You can take it back with Undo.',
    ];
  } catch (error) {
    return [error instanceof Error ? error.message : `Moves ${branch} to ${shortCommit(commit)}.`];
  }
}

async function undo({ repo, listing, state }: At): Promise<Action[]> {
  if (isHeld(listing) || state.refs.length === 0) return [];
  const moves = state.refs.map(({ ref, before, after, reverts }) => ({
    ref,
    before,
    after,
    ...(reverts === true ? { reverts } : {}),
  }));
  const { back, left } = await planUndo(repo, moves);
  const built = left.filter(({ why }) => why === 'built-on');
  if (back.length === 0 && built.length === 0) return [];
  return [
    {
      ...plain,
      id: 'undo',
      label: 'Undo',
      operation: 'undo-run',
      input: { run: listing.run, ...(back.length === 0 ? { revert: true } : {}) },
      says: [
        ...back.map(({ ref, after }) =>
          after === undefined
            ? `Removes the branch ${shortName(ref)}.`
            : `Puts ${shortName(ref)} back to ${shortCommit(after)}.`,
        ),
        ...built.map(({ ref, commits }) =>
          back.length === 0
            ? `Adds a commit to ${shortName(ref)} that takes the changes back, because ${countText(commits, 'commit')} came after them.`
            : `Leaves ${shortName(ref)} alone, because ${countText(commits, 'commit')} came after the landing.`,
        ),
        'What is undone stays reachable below refs/forge.',
      ],
    },
  ];
}

function cancel({ listing }: At): Action[] {
  if (isFinished(listing) || listing.status === 'unreadable') return [];
  return [
    {
      ...plain,
      id: 'cancel',
      label: 'Cancel',
      operation: 'cancel-run',
      input: { run: listing.run, reason: 'cancelled in the dashboard' },
      says: ['Ends the run for good: it cannot be resumed.', 'What it merged and captured stays.'],
      isFinal: true,
    },
  ];
}

function cleanup({ listing }: At): Action[] {
  if (!isFinished(listing)) return [];
  return [
    {
      ...plain,
      id: 'cleanup',
      label: 'Clean up',
      operation: 'cleanup-run',
      input: { run: listing.run },
      says: [
        'Removes the journal, transcripts, workspaces and refs of this run.',
        'A branch with the result stays. Forge refuses if work would be lost.',
      ],
      isFinal: true,
    },
  ];
}
