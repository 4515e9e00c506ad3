/**
 * The runs of a repository in one line, with what the caller's own agent says about its account. What Claude Code gives to
 * its status line is untrusted and optional: figures that fit are kept in the usage book, under the account that
 * `FORGE_ACCOUNT` names or else Claude's own login.
 */
import { z } from 'zod';
import { accountLabel, accountName } from '../accounts/account.ts';
import { openUsageBook } from '../accounts/usage-book.ts';
import { defaultStateDir } from '../git/state-dir.ts';
import { readRateLimits } from '../policy/rate-limits.ts';
import { tightestWindow, type UsageWindow } from '../policy/usage-threshold.ts';
import { type ApiContext, openContext } from './context.ts';
import type { Operation } from './operation.ts';
import { type RunLine, readRunLines } from './run-lines.ts';

const input = z.strictObject({
  /** As Claude Code writes it to a status line's standard input; empty from a shell. */
  given: z
    .string()
    .max(1024 * 1024)
    .default(''),
});
const output = z.strictObject({
  text: z.string(),
  runs: z.array(z.strictObject({ run: z.string(), status: z.string() })),
});

const givenSchema = z.object({
  cwd: z.string().optional().catch(undefined),
  workspace: z.object({ current_dir: z.string().optional() }).optional().catch(undefined),
  rate_limits: z.unknown(),
});

export const statusLine: Operation<typeof input, typeof output> = {
  name: 'status-line',
  kind: 'query',
  description: 'Says in one line where the runs of this repository stand.',
  input,
  output,
  async run(context, { given }) {
    const { cwd, windows } = readGiven(given);
    const now = Date.now();
    const name = accountName.safeParse(context.env['FORGE_ACCOUNT']);
    openUsageBook(defaultStateDir(context.env)).note(
      name.success ? accountLabel(name.data) : "claude's login",
      windows,
      now,
    );
    const shown = (await runsAt(context, cwd)).filter(({ status }) => marks.has(status));
    const tightest = tightestWindow(windows, now);
    const used = tightest === undefined ? [] : [`${tightest.window} ${Math.round(tightest.used)} %`];
    const more = shown.length > 2 ? [`${shown.length - 2} more`] : [];
    return {
      text: [...shown.slice(0, 2).map(lineOf), ...more, ...used].join(' · '),
      runs: shown.map(({ run, status }) => ({ run, status })),
    };
  },
};

function readGiven(given: string): { readonly cwd: string | undefined; readonly windows: readonly UsageWindow[] } {
  try {
    const read = givenSchema.parse(JSON.parse(given));
    return { cwd: read.workspace?.current_dir ?? read.cwd, windows: readRateLimits(read.rate_limits) };
  } catch {
    return { cwd: undefined, windows: [] };
  }
}

/** None outside a repository. */
async function runsAt(context: ApiContext, cwd: string | undefined): Promise<readonly RunLine[]> {
  try {
    return await readRunLines(cwd === undefined ? context : openContext({ cwd, env: context.env }));
  } catch {
    return [];
  }
}

/** Runs that are over are not shown. */
const marks: ReadonlyMap<string, string> = new Map([
  ['running', '▶'],
  ['waiting', '?'],
  ['paused', '⏸'],
  ['limited', '◌'],
  ['stopped', '✗'],
  ['interrupted', '✗'],
]);

function lineOf({ run, status, where }: RunLine): string {
  const about = status === 'running' ? where : status === 'waiting' ? 'asks you something' : status;
  return `${marks.get(status) ?? ''} ${run}${about === '' ? '' : ` ${about}`}`;
}
