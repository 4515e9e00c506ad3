/**
 * The repository's git hooks on a commit, as if a person made it on top of `before`: the index holds the commit, HEAD is
 * where it would go. They run in the jail, in a checkout of their own. A hook of the repository comes from the judge, never
 * from the commit. What a hook writes stays in the checkout; that it wrote something is part of the result.
 */
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { type FoundHook, findHook } from '../git/commit-hooks.ts';
import { readMessage } from '../git/commit-texts.ts';
import type { Workspace } from '../git/git.ts';
import { refComponent } from '../git/ref-name.ts';
import { diffEntries } from '../git/tree-edit.ts';
import type { TreeEdit } from '../git/write-trees.ts';
import { defaultVerifyTimeoutMs, type VerifyCommand } from '../plan/command-line.ts';
import { commitHooks, type HookRun, judgeHook } from '../policy/hook-run.ts';
import type { CheckDeps, CommandRun } from './check.ts';
import { withCheckout } from './checkout.ts';
import { judgedCommit } from './judged-commit.ts';
import { runCommand } from './run-command.ts';

export interface HooksRequest {
  readonly run: string;
  /** Names the checkout and the logs. */
  readonly name: string;
  readonly commit: string;
  /** What it would be committed on. */
  readonly before: string;
  readonly judge: string;
  readonly hooks: readonly HookRun['hook'][];
}

/** In the order in which git runs them; nothing after one that does not pass. */
export async function runHooks(
  deps: CheckDeps,
  request: HooksRequest,
  signal: AbortSignal,
): Promise<readonly HookRun[]> {
  const { run, commit, judge } = request;
  const wanted = commitHooks.filter((hook) => request.hooks.includes(hook));
  const found = new Map<string, FoundHook>();
  for (const hook of wanted) {
    const place = await findHook(deps.repo, judge, hook);
    if (place !== undefined) found.set(hook, place);
  }
  const absent = (hook: HookRun['hook']): HookRun => ({ hook, status: 'absent', reason: '', output: '' });
  if (found.size === 0) return wanted.map(absent);
  const edits = await judgeEdits(deps, request, [...found.values()]);
  const judged = await judgedCommit(deps, { run, commit, judge, started: [], edits });
  const name = refComponent(request.name);
  const place = { run, name: `hooks-${name}`, commit: judged.commit, judge, isJudge: () => false };
  return withCheckout(deps, place, signal, async (checkout) => {
    const start = (file: string, ...argv: readonly [string, ...string[]]): Promise<CommandRun> =>
      runCommand(
        withHooks(deps, [...found.values()]),
        { checkout, logFile: join(deps.logs, name, file) },
        commandOf(deps, argv),
        signal,
      );
    const staged = await start('stage.log', 'git', 'reset', '--soft', request.before);
    if (staged.exit !== 0) {
      // A hook that sees nothing staged would find nothing wrong.
      const reason = `the commit could not be staged for it: ${lastLine(staged.output)}`;
      return wanted.map((hook): HookRun => ({ hook, status: 'unverified', reason, output: staged.output }));
    }
    const message = await placeMessage(deps, checkout, commit);
    const runs: HookRun[] = [];
    for (const hook of wanted) {
      const at = found.get(hook);
      if (at === undefined) {
        runs.push(absent(hook));
        continue;
      }
      const [program, ...args] = at.place === 'commit' ? [...at.runWith, `./${at.path}`] : [at.path];
      const given = hook === 'commit-msg' ? [message] : [];
      const ended = await start(`${hook}.log`, program ?? at.path, ...args, ...given);
      const diff = await start('changed.log', 'git', 'diff', '--name-only', '--no-ext-diff', judged.commit);
      const changed = diff.printed.stdout.split('\n').filter((line) => line !== '');
      const verdict = judgeHook({ exit: ended.exit, obstacle: obstacleOf(ended), changed });
      runs.push({ hook, ...verdict, output: ended.output.slice(-outputChars) });
      if (verdict.status !== 'passed') break;
    }
    return runs;
  });
}

const outputChars = 4_000;

/** Files of hook directories that the commit changes go back to what the judge has. */
async function judgeEdits(
  { repo }: CheckDeps,
  { commit, judge }: HooksRequest,
  found: readonly FoundHook[],
): Promise<readonly TreeEdit[]> {
  const directories = found.flatMap((hook) => (hook.place === 'commit' ? [`${hook.directory}/`] : []));
  if (directories.length === 0) return [];
  const changes = await diffEntries(repo, judge, commit);
  const isHook = (path: string): boolean => directories.some((directory) => path.startsWith(directory));
  return changes.filter(({ path }) => isHook(path)).map(({ raw, before }) => ({ raw, entry: before }));
}

/** The person's own hooks lie outside of any checkout. */
function withHooks(deps: CheckDeps, found: readonly FoundHook[]): CheckDeps {
  const own = found.flatMap((hook) => (hook.place === 'person' ? [hook.directory] : []));
  return { ...deps, readable: [...(deps.readable ?? []), ...new Set(own)] };
}

function commandOf({ timeoutMs }: CheckDeps, argv: readonly [string, ...string[]]): VerifyCommand {
  // As git calls them.
  const env = { GIT_EDITOR: ':', GIT_INDEX_FILE: '.git/index', GIT_PREFIX: '' };
  return { status: 'resolved', argv, cwd: '.', env, timeoutMs: timeoutMs ?? defaultVerifyTimeoutMs };
}

async function placeMessage({ repo }: CheckDeps, checkout: Workspace, commit: string): Promise<string> {
  const path = join(checkout.tmp, 'COMMIT_EDITMSG');
  await writeFile(path, await readMessage(repo, commit));
  return path;
}

/** A shell ends with 126 or 127 when it cannot start a program: that says nothing about the commit. */
function obstacleOf({ end, exit, reason, missing, output }: CommandRun): string | undefined {
  const hidden = 'is not installed, or the jail hides it';
  if (missing !== undefined) return `${missing} ${hidden}`;
  if (exit === 126 || exit === 127) return `a program it starts ${hidden} (${lastLine(output)})`;
  return end === 'exited' || end === 'signalled' ? undefined : (reason ?? end);
}

function lastLine(text: string): string {
  return text.trimEnd().split('\n').at(-1)?.trim() ?? '';
}
