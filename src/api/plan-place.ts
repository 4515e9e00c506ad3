/**
 * A plan directory that somebody named: in the checkout, or, before its run has landed, on the branch of that run. Only reads,
 * and trusts nothing it reads.
 */
import { statusTableProblems } from '../delivery/plan-readme-problems.ts';
import type { RunReader } from '../engine/engine.ts';
import { ForgeError } from '../errors.ts';
import { commitNamed, fileOfCommit, filesOfCommit } from '../git/blame.ts';
import type { ApiContext } from './context.ts';
import { newestFirst } from './choose-run.ts';
import { openProjectTree, pathIn } from './project-tree.ts';

export interface PlanPlace {
  readonly root: string;
  /** Relative to the repository. */
  readonly dir: string;
  readonly readme: string;
  /** The run on whose branch it is; undefined where it is in the checkout. */
  readonly run: string | undefined;
  /** A file of it; undefined where there is none. */
  readonly read: (path: string) => Promise<string | undefined>;
  /** Names in a folder of it; none where there is no such folder. */
  readonly list: (folder: string) => Promise<readonly string[]>;
}

const mostBytes = 8 * 1024 * 1024;

export async function locatePlan(context: ApiContext, typed: string): Promise<PlanPlace> {
  const project = openProjectTree(context.cwd);
  const dir = pathIn(project, context.cwd, typed, 'The plan directory');
  const { root, tree } = project;
  const read = (path: string): Promise<string | undefined> => {
    const found = tree.read(`${dir}/${path}`);
    return Promise.resolve(found.status === 'read' ? found.bytes.toString('utf8') : undefined);
  };
  const list = (folder: string): Promise<readonly string[]> => {
    const found = tree.list(`${dir}/${folder}`);
    return Promise.resolve(found.status === 'read' ? found.entries.map(({ name }) => name) : []);
  };
  const here = tree.read(`${dir}/README.md`);
  if (here.status === 'refused') throw unusable(dir, 1, `The file ${here.why}.`);
  if (here.status === 'read')
    return { root, dir, readme: requirePlan(dir, here.bytes.toString('utf8')), run: undefined, read, list };
  for (const run of await designRuns(context, dir)) {
    const commit =
      (await commitNamed(root, `refs/heads/forge/${run}`)) ??
      (await commitNamed(root, `refs/forge/${run}/integration`));
    if (commit === undefined) continue;
    const readThere = (path: string): Promise<string | undefined> =>
      fileOfCommit(root, { commit, path: `${dir}/${path}`, most: mostBytes });
    const listThere = async (folder: string): Promise<readonly string[]> => {
      const start = `${dir}/${folder}/`;
      const below = (await filesOfCommit(root, commit)).filter((path) => path.startsWith(start));
      return [...new Set(below.map((path) => path.slice(start.length).split('/', 1)[0] ?? ''))];
    };
    const readme = await readThere('README.md');
    if (readme !== undefined)
      return { root, dir, readme: requirePlan(dir, readme), run, read: readThere, list: listThere };
  }
  throw new ForgeError('bad-input', `${dir} is not a plan directory: ${dir}/README.md is missing`, {
    hint: 'Name a directory such as docs/raw/plans/2026-05-04-shop-1a2b. A run prints its own when it starts planning.',
  });
}

function requirePlan(dir: string, readme: string): string {
  const [first] = statusTableProblems(readme);
  if (first === undefined) return readme;
  throw unusable(dir, first.line, first.problem);
}

function unusable(dir: string, line: number, problem: string): ForgeError {
  return new ForgeError(
    'bad-input',
    `${dir} cannot be read as a plan directory. ${dir}/README.md:${line}: ${problem}`,
    {
      hint: 'Name the directory of a plan, not of a design, and correct its README.md.',
    },
  );
}

/** Runs on this machine that keep this plan directory, newest first. */
export async function designRuns(context: ApiContext, dir: string): Promise<readonly string[]> {
  const engine = await runsHere(context);
  if (engine === undefined) return [];
  const found: string[] = [];
  for (const { run, status } of newestFirst(await engine.list())) {
    if (status === 'unreadable') continue;
    const { state } = await engine.read(run);
    const input = state?.created?.input as { plan?: { dir?: string } } | undefined;
    if (input?.plan?.dir === dir) found.push(run);
  }
  return found;
}

/** Undefined outside a repository that Forge has worked in. */
async function runsHere(context: ApiContext): Promise<RunReader | undefined> {
  try {
    return (await context.runs()).engine;
  } catch (error) {
    if (error instanceof ForgeError) return undefined;
    throw error;
  }
}
