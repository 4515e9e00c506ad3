/**
 * A stretch of a repository's history as a rehearsal: one task per commit, a script that writes what each commit wrote, and
 * the run that does them. Everything that cannot be done again is refused beforehand.
 */
import { changeSteps, type WrittenStep } from '../agents/record-script.ts';
import type { Forge } from '../compose.ts';
import type { StartRequest } from '../engine/engine.ts';
import { ForgeError } from '../errors.ts';
import { listFiles } from '../git/changes.ts';
import { hiddenPaths, type PastCommit, type CommitRange } from '../git/history.ts';
import { dependencyDirectories } from '../git/ignore-rules.ts';
import { type ContentChange, readContentChanges } from '../git/recorded-changes.ts';
import type { Task } from '../plan/plan.ts';
import { scopeSettingsSchema } from '../policy/receipt.ts';
import { type Settings, settingsSchema } from '../policy/settings.ts';
import type {
  PlanRehearsal,
  RequestedRepository,
  WorkflowDefinition,
  WorkflowProgram,
} from '../workflows/definition.ts';
import { builtinDefinitions } from '../workflows/registry.ts';
import { readOptions } from '../workflows/workflow-options.ts';
import { rehearsalScript } from './rehearsal.ts';

/** The workflow that can build a plan of commits. */
export interface HistoryPlayer {
  readonly definition: WorkflowDefinition;
  readonly program: WorkflowProgram;
  readonly rehearsal: PlanRehearsal;
}

export async function findHistoryPlayer(): Promise<HistoryPlayer> {
  for (const definition of builtinDefinitions) {
    const { program } = await definition.load();
    if (program.rehearsal !== undefined) return { definition, program, rehearsal: program.rehearsal };
  }
  throw new ForgeError('bad-input', 'No workflow of this Forge can build a plan made of past commits');
}

/** A commit that has something to do. */
export interface CommitWork {
  readonly commit: PastCommit;
  readonly changes: readonly ContentChange[];
  /** It adds files that ignore rules hide from a snapshot. */
  readonly hidden: boolean;
}

export async function readWorks(
  { repo }: Pick<Forge, 'repo'>,
  { base, commits }: CommitRange,
): Promise<{ works: readonly CommitWork[]; notices: readonly string[] }> {
  const read: Omit<CommitWork, 'hidden'>[] = [];
  for (const commit of commits) {
    const changes = await readContentChanges(repo, commit.parent, commit.id);
    refuseOwnFiles(commit, changes);
    read.push({ commit, changes });
  }
  const known = new Set((await listFiles(repo, base)).flatMap(({ path }) => path.split('/').slice(0, -1)));
  for (const work of read) refuseDependencies(work, known);
  const added = read.flatMap(({ changes }) => changes.filter(({ before }) => before === undefined));
  const rules = read.filter(({ changes }) => changes.some(({ path }) => /(^|\/)\.gitignore$/.test(path)));
  const hidden = await hiddenPaths(
    repo,
    [base, ...rules.map(({ commit }) => commit.id)],
    added.map(({ path }) => path),
  );
  const works = read
    .filter(({ changes }) => changes.length > 0)
    .map((work) => ({ ...work, hidden: work.changes.some(({ path }) => hidden.has(path)) }));
  if (works.length === 0)
    throw new ForgeError('bad-input', 'These commits contain nothing that an agent could do again');
  const empty = commits.length - works.length;
  const merges = commits.filter(({ isMerge }) => isMerge).length;
  return {
    works,
    notices: [
      ...(empty === 0 ? [] : [`${empty} empty commit(s) left out`]),
      ...(merges === 0 ? [] : [`${merges} merge(s), each taken as one commit on the line of first parents`]),
    ],
  };
}

function refuseOwnFiles({ id }: PastCommit, changes: readonly ContentChange[]): void {
  const own = changes.find(({ path }) => path === '.forge' || path.startsWith('.forge/'));
  if (own === undefined) return;
  throw new ForgeError('repository-unsupported', `${id.slice(0, 12)} changes ${own.path}, which is Forge's own`, {
    hint: 'Rehearse a range before or after it.',
  });
}

/** What lies in such directories is not work of an agent, unless the project tracks them. */
function refuseDependencies({ commit, changes }: Omit<CommitWork, 'hidden'>, known: ReadonlySet<string>): void {
  const names = dependencyDirectories.filter((name) => !known.has(name));
  const found = changes.find(
    ({ path, after }) =>
      after !== undefined &&
      path
        .split('/')
        .slice(0, -1)
        .some((part) => names.includes(part)),
  );
  if (found === undefined) return;
  throw new ForgeError(
    'repository-unsupported',
    `${commit.id.slice(0, 12)} adds ${found.path}, in a directory that is taken for installed dependencies`,
    { hint: 'Rehearse a range before or after it.' },
  );
}

/** Content is written exactly, byte for byte, so it comes out the same however often a job begins again. */
export function historyScript(
  rehearsal: PlanRehearsal,
  works: readonly CommitWork[],
  tasks: readonly Task[],
): readonly object[] {
  const replies = Object.entries(rehearsal.replies(tasks));
  if (JSON.stringify(replies).length > mostPlanned) {
    throw new ForgeError('bad-input', 'These commits change too many files for one plan', {
      hint: 'Rehearse fewer commits.',
    });
  }
  return [
    ...works.flatMap((work, place) => workEntries(rehearsal, work, tasks[place]?.id ?? '')),
    ...replies.map(([role, reply]) => ({ when: { role }, repeat: true, do: [{ reply }] })),
  ];
}

/** What the scripted agent can answer in one message, with room to spare. */
const mostPlanned = 3 * 1024 * 1024;

function workEntries(
  rehearsal: PlanRehearsal,
  { commit, changes, hidden }: CommitWork,
  task: string,
): readonly object[] {
  const steps = changeSteps(changes.map(exactly), { redact: (text) => text }).entry;
  const filesChanged = changes.map(({ path }) => path);
  const done = { reply: rehearsal.done({ summary: commit.subject, filesChanged }) };
  const entry = (attempt: object, all: readonly WrittenStep[]): object => ({
    when: { role: rehearsal.worker, task, ...attempt },
    repeat: true,
    do: all,
  });
  if (!hidden) return [entry({}, [...steps, done])];
  // An ignored file is captured only while no rule in the tree ignores it. So it is left once without any rule, and the
  // answer that does not count asks for another attempt, which puts the rules back over a file that is known by then.
  const uncover = [
    { exec: ['find', '.', '-name', '.gitignore', '-not', '-path', './.git/*', '-delete'] },
    { write: { path: '.gitignore', content: '!*\n' } },
    { reply: 'These files are ignored; the rules have to be put back.' },
  ];
  const cover = [{ delete: '.gitignore' }, { git: ['checkout', '-q', 'HEAD', '--', '.'] }];
  return [entry({ attempt: 1 }, [...steps, ...uncover]), entry({ attempt: '[23]' }, [...cover, ...steps, done])];
}

/** The mode is always written, whatever the file had in the tree it is done in. */
function exactly({ path, before, after }: ContentChange) {
  const isOther = before !== undefined && after !== undefined && before.mode === after.mode && after.mode !== '120000';
  return { path, after, before: isOther ? { ...before, mode: '' } : before };
}

export async function historyRequest(
  { repo, settings: project }: Pick<Forge, 'repo' | 'settings'>,
  { definition, program, rehearsal }: HistoryPlayer,
  about: {
    readonly stretch: CommitRange;
    readonly range: string;
    readonly parallel: number;
    readonly options: Readonly<Record<string, boolean>>;
    readonly run: string;
  },
): Promise<StartRequest & { readonly settings: Settings }> {
  const { stretch, range, parallel, run } = about;
  const options = readOptions(definition.options, about.options);
  const requirement = `Do the commits ${range} again.`;
  const agent = 'rehearsal';
  const settings = settingsSchema.parse({
    agents: { [agent]: { driver: 'scripted', script: rehearsalScript } },
    parallel,
    // What history did is not up for judgement; what counts is the tree in the end.
    scope: { ...allowed, protectedPaths: [] },
    checks: { run: ['true'] },
    budget: { attempts: 1_000_000 },
    trouble: { retries: 0, longestWait: 0 },
    jail: project.jail,
    rehearsal: true,
  });
  return {
    run,
    title: `Rehearsal: ${range}`.slice(0, 200),
    workflow: definition.name,
    base: stretch.base,
    root: repo.root,
    input: {
      requirement,
      slug: 'rehearsal-history',
      agents: Object.fromEntries(Object.keys(program.roles).map((role) => [role, agent])),
      scope: settings.scope,
      options,
      ...(await program.prepare?.({
        argument: requirement,
        options,
        settings,
        fresh: true,
        repository: bare(stretch.base),
      })),
      ...rehearsal.input,
    },
    settings,
  };
}

/** A rehearsal of commits has nothing else to look at. */
function bare(head: string): RequestedRepository {
  const documents: RequestedRepository['documents'] = async (revision = head) => ({
    commit: revision,
    read: () => ({ status: 'absent' }),
    list: () => ({ status: 'absent' }),
  });
  const none = async (): Promise<[]> => [];
  return { dirty: [], head, directory: (typed) => typed, documents, records: () => [], files: none, tags: none };
}

const allowed = Object.fromEntries(
  Object.keys(scopeSettingsSchema.shape)
    .filter((name) => name !== 'protectedPaths' && name !== 'unprotected')
    .map((name) => [name, 'allow']),
);
