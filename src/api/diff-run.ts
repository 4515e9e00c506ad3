/**
 * What a run changed, or one of its tasks or sessions: files, counts, and the difference as text. Changes nothing. What
 * leaves as data may be sent to others, so secrets that this process knows are taken out of it; `showRanges` gives a person
 * at a terminal the very bytes.
 */
import { z } from 'zod';
import { projectRedactor } from '../effects/known-secrets.ts';
import type { Repository } from '../git/git.ts';
import { type CommitRange, countChanges, fileDiff, pageDiff, plainDiff } from '../git/show-diff.ts';
import type { ApiContext } from './context.ts';
import { findRanges } from './diff-ranges.ts';
import { liveRun } from './live-run.ts';
import type { Operation } from './operation.ts';
import { runName } from './run-name.ts';

const wish = {
  run: runName,
  task: z.string().min(1).max(256).optional(),
  work: z.string().min(1).max(512).optional().describe('the key of one agent session: what that session changed'),
};

const input = z.strictObject({
  ...wish,
  text: z.enum(['none', 'stat', 'patch']).default('none').describe('also the difference as text'),
});

const output = z.strictObject({
  run: z.string(),
  task: z.string().optional(),
  /** It is in the result; else it was only captured. */
  merged: z.boolean(),
  /** Several where a task was merged in several steps. */
  ranges: z.array(z.strictObject({ from: z.string(), to: z.string() })),
  files: z.array(
    z.strictObject({
      path: z.string(),
      status: z.string(),
      /** Lines; left out for files that are not text. */
      added: z.number().int().optional(),
      removed: z.number().int().optional(),
    }),
  ),
  text: z.string().optional(),
});

export const diffRun: Operation<typeof input, typeof output> = {
  name: 'diff-run',
  kind: 'query',
  description: 'Shows what a run or one of its tasks changed: the commits, the files, and the difference as text.',
  input,
  output,
  async run(context, { run, task, work, text }) {
    const { repo, redactor, name, found } = await foundRanges(context, { run, task, work });
    const { ranges } = found;
    const counted = (await Promise.all(ranges.map((range) => countChanges(repo, range)))).flat();
    const files = counted.map((file) => ({ ...file, path: redactor.redact(file.path) }));
    const written =
      text === 'none'
        ? {}
        : { text: redactor.redact((await rangesText(repo, ranges, text === 'stat')).toString('utf8')) };
    return { run: name, ...found, files, ...written };
  },
};

const fileInput = z.strictObject({ ...wish, path: z.string().min(1).max(4096) });

const fileOutput = z.strictObject({
  path: z.string(),
  /** A patch as git writes it; several where a task was merged in several steps. Empty where nothing differs. */
  text: z.string(),
  /** Only its beginning: the whole has so many bytes. */
  cutFrom: z.number().int().optional(),
});

const mostBytes = 1024 * 1024;

export const diffFile: Operation<typeof fileInput, typeof fileOutput> = {
  name: 'diff-file',
  kind: 'query',
  description: 'Shows what a run, a task or a session changed in one file, as a patch.',
  input: fileInput,
  output: fileOutput,
  async run(context, { run, task, work, path }) {
    const { repo, redactor, found } = await foundRanges(context, { run, task, work });
    const { ranges } = found;
    const patches = await Promise.all(ranges.map((range) => fileDiff(repo, range, path)));
    const bytes = Buffer.concat(patches);
    // Before it is cut: half of a secret would not be known as one.
    const text = redactor.redact(bytes.toString('utf8')).slice(0, mostBytes);
    return { path: redactor.redact(path), text, ...(bytes.length > mostBytes ? { cutFrom: bytes.length } : {}) };
  },
};

type Wish = Partial<Readonly<Record<keyof typeof wish, string | undefined>>>;

async function foundRanges(context: ApiContext, { run, task, work }: Wish) {
  const { repo, settings } = await context.reader();
  const { run: name, page, chronicle } = await liveRun(context, run);
  const found = await findRanges(repo, chronicle.state, { run: name, status: page?.status ?? '', task, work });
  return { repo, redactor: projectRedactor(settings, repo.root, context.env), name, found };
}

async function rangesText(repo: Repository, ranges: readonly CommitRange[], stat: boolean): Promise<Buffer> {
  return Buffer.concat(await Promise.all(ranges.map((range) => plainDiff(repo, range, stat))));
}

/** For a skin on a terminal: gives it to git and the person's pager, or writes the very bytes. */
export async function showRanges(
  context: ApiContext,
  ranges: readonly CommitRange[],
  options: {
    readonly stat: boolean;
    readonly page?: { readonly color: boolean };
    readonly write: (bytes: Buffer) => void;
  },
): Promise<void> {
  const { repo } = await context.reader();
  const { stat, page, write } = options;
  if (page === undefined) return write(await rangesText(repo, ranges, stat));
  for (const range of ranges) await pageDiff(repo, range, { stat, color: page.color, env: context.env });
}
