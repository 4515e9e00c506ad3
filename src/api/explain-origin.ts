/**
 * Why a line of code is there, and what stands behind a criterion: criterion, test, module, step of the plan, agent session,
 * commit and line, in both directions. From git, from the plan directories of the commit, and from the journal of the run
 * where this machine has it. Only reads, and trusts nothing it reads.
 */
import { relative, resolve, sep } from 'node:path';
import { realpathSync } from 'node:fs';
import { z } from 'zod';
import { criteriaIn } from '../design/design-ids.ts';
import { ForgeError } from '../errors.ts';
import { blame, commitNamed, filesOfCommit, readCommitNotes } from '../git/blame.ts';
import { criteriaOfSteps, lineRanges, type PlanStep, stepsAbout, stepsFor, testAt } from '../delivery/line-origin.ts';
import type { ApiContext } from './context.ts';
import { type Delivery, findDeliveries } from './find-deliveries.ts';
import { findSummary, readChronicle } from './find-run.ts';
import type { JsonOf, Operation } from './operation.ts';
import { openProjectTree } from './project-tree.ts';
import { runName } from './run-name.ts';

const input = z.strictObject({
  what: z.string().min(1).max(4096).describe('a line such as src/money.js:12, or a criterion such as F-001/AC3'),
  run: runName.describe('look at the branch of this run instead of what is checked out'),
});

const text = z.string();
const step = z.strictObject({ number: z.number().int(), title: text, goal: text });
const commitShape = z.strictObject({ id: text, subject: text, at: text, run: text, task: text });
const criterionShape = z.strictObject({
  id: text,
  text,
  status: text,
  reason: text,
  tests: z.array(z.strictObject({ name: text, file: text, line: z.number().int(), status: text })),
});
const session = z.strictObject({ key: text, role: text, agent: text, session: text, at: text });
const moduleShape = z.strictObject({
  id: text,
  name: text,
  planFile: text,
  steps: z.array(step),
  commits: z.array(commitShape),
  /** Lines that this module's commits left. */
  lines: z.array(z.strictObject({ file: text, from: z.number().int(), to: z.number().int() })),
  sessions: z.array(session),
});
const output = z.strictObject({
  what: text,
  /** Where it was looked up. */
  commit: text,
  /** Only for a line. */
  line: z.strictObject({ file: text, number: z.number().int(), text, commit: commitShape, test: text }).optional(),
  planDir: text,
  owners: z.array(moduleShape),
  criteria: z.array(criterionShape),
});
export type OriginExplained = JsonOf<typeof output>;

export const explainOrigin: Operation<typeof input, typeof output> = {
  name: 'explain-origin',
  kind: 'query',
  description:
    'Says why a line of code is there (criterion, module, plan step, agent session, commit, test), or what stands behind a criterion.',
  input,
  output,
  async run(context, { what, run }) {
    const { root } = openProjectTree(context.cwd);
    const commit = await commitToLookAt(context, root, run);
    const [criterion] = criteriaIn(what);
    const asked = /^(.+):(\d+)$/.exec(what);
    if (asked !== null && (criterion === undefined || what.includes('.')))
      return explainLine({ context, root, commit }, what, asked[1] ?? '', Number(asked[2]));
    if (criterion !== undefined) return explainCriterion({ context, root, commit }, what, criterion);
    throw new ForgeError('bad-input', `${JSON.stringify(what.slice(0, 200))} is neither a line nor a criterion`, {
      hint: 'Write a line as src/money.js:12 and a criterion as F-001/AC3.',
    });
  },
};

interface Place {
  readonly context: ApiContext;
  readonly root: string;
  readonly commit: string;
}

async function commitToLookAt(context: ApiContext, root: string, run: string | undefined): Promise<string> {
  const name =
    run === undefined ? undefined : (await findSummary(context, { run, what: 'here', fits: () => true })).run;
  const names = name === undefined ? ['HEAD'] : [`refs/heads/forge/${name}`, `refs/forge/${name}/integration`];
  for (const each of names) {
    const found = await commitNamed(root, each);
    if (found !== undefined) return found;
  }
  throw new ForgeError('bad-input', name === undefined ? 'There is no commit here yet' : `${name} has no branch`, {
    hint: 'Commit something first, or name a run that has published its branch.',
  });
}

async function explainLine(place: Place, what: string, typed: string, number: number): Promise<OriginExplained> {
  const { root, commit } = place;
  const path = await pathOf(place, typed);
  const [found] = await blame(root, { commit, path, line: number });
  if (found === undefined) throw new ForgeError('bad-input', `${path} has no line ${number}`);
  const note = (await readCommitNotes(root, [found.commit])).get(found.commit);
  const made = note ?? { id: found.commit, subject: '', at: '', run: '', task: '' };
  const deliveries = await findDeliveries(root, commit);
  const owner = ownerOf(deliveries, path, made.task);
  const test = owner === undefined ? undefined : testAt(owner.delivery.trace, path, number);
  const plan = owner === undefined ? undefined : owner.delivery.plans.get(owner.module);
  const steps = plan === undefined ? [] : stepsAbout(plan, path);
  const ids = test === undefined ? (plan === undefined ? [] : criteriaOfSteps(plan, steps)) : test.criteria;
  const owners =
    owner === undefined
      ? []
      : [
          {
            ...described(owner.delivery, owner.module, steps),
            commits: [made],
            lines: [{ file: path, from: number, to: number }],
            sessions: await sessionsOf(place.context, made.run, made.task || owner.module),
          },
        ];
  return {
    what,
    commit,
    line: { file: path, number, text: found.text, commit: made, test: test?.id ?? '' },
    planDir: owner?.delivery.dir ?? '',
    owners,
    criteria: owner === undefined ? [] : ids.flatMap((id) => criterionIn(owner.delivery, id)),
  };
}

/** As typed from where the person stands, or from the top of the repository. */
async function pathOf({ context, root, commit }: Place, typed: string): Promise<string> {
  const fromHere = relative(root, resolve(realpathSync(context.cwd), typed))
    .split(sep)
    .join('/');
  const files = new Set(await filesOfCommit(root, commit));
  const path = [fromHere, typed.replace(/^\.\//, '')].find((each) => files.has(each));
  if (path !== undefined) return path;
  throw new ForgeError(
    'bad-input',
    `There is no file ${JSON.stringify(typed.slice(0, 200))} at ${commit.slice(0, 7)}`,
    {
      hint: 'Only committed files are looked at. For a run that has not landed, add --run <run>.',
    },
  );
}

interface Owner {
  readonly delivery: Delivery;
  readonly module: string;
}

/** The module that the commit's task says, else the one whose plan or tests have the file. */
function ownerOf(deliveries: readonly Delivery[], path: string, task: string): Owner | undefined {
  const byTask = /^M-\d{3,}/.exec(task)?.[0];
  const owners = deliveries.flatMap((delivery) =>
    [...delivery.plans].flatMap(([module, plan]) => (stepsAbout(plan, path).length > 0 ? [{ delivery, module }] : [])),
  );
  const named = owners.find(({ module }) => module === byTask) ?? owners[0];
  if (named !== undefined) return named;
  const tested = deliveries.flatMap((delivery) =>
    delivery.trace.tests.filter(({ file }) => file === path).map((test) => ({ delivery, test })),
  )[0];
  const known = byTask === undefined ? undefined : deliveries.find(({ plans }) => plans.has(byTask));
  if (known !== undefined && byTask !== undefined) return { delivery: known, module: byTask };
  if (tested === undefined) return undefined;
  const { delivery, test } = tested;
  const proven = delivery.trace.criteria.find(({ id }) => test.criteria.includes(id));
  return { delivery, module: proven?.modules[0] ?? '' };
}

async function explainCriterion(place: Place, what: string, id: string): Promise<OriginExplained> {
  const { context, root, commit } = place;
  const deliveries = await findDeliveries(root, commit);
  const delivery = deliveries.find(({ trace }) => trace.criteria.some((each) => each.id === id));
  if (delivery === undefined) {
    const known = deliveries.flatMap(({ trace }) => trace.criteria.map((each) => each.id));
    throw new ForgeError('bad-input', `No delivery at ${commit.slice(0, 7)} proves ${id}`, {
      hint:
        known.length === 0
          ? 'There is no reports/traceability.json here. It is written when a design is accepted; add --run <run> for a run that has not landed.'
          : `Known: ${known.slice(0, 20).join(', ')}.`,
    });
  }
  const proof = delivery.trace.criteria.find((each) => each.id === id);
  const owners = await Promise.all(
    (proof?.modules ?? []).map(async (module) => {
      const plan = delivery.plans.get(module);
      const steps = plan === undefined ? [] : stepsFor(plan, id);
      const named = plan === undefined ? [] : filesOfSteps(plan, steps);
      const { lines, commits } = await linesOf(place, module, named);
      const sessions = await Promise.all(
        [...new Set(commits.map(({ run, task }) => `${run} ${task}`))].map((pair) => {
          const [run = '', task = ''] = pair.split(' ');
          return sessionsOf(context, run, task);
        }),
      );
      return { ...described(delivery, module, steps), commits, lines, sessions: sessions.flat() };
    }),
  );
  return { what, commit, planDir: delivery.dir, owners, criteria: criterionIn(delivery, id) };
}

function filesOfSteps(
  plan: { readonly steps: readonly { readonly files: readonly string[] }[] },
  steps: readonly PlanStep[],
) {
  const numbers = new Set(steps.map(({ number }) => number));
  return [...new Set(plan.steps.flatMap(({ files }, at) => (numbers.has(at + 1) ? files : [])))];
}

const mostFiles = 20;

/** Lines of these files that commits of the module left, and those commits. */
async function linesOf({ root, commit }: Place, module: string, named: readonly string[]) {
  const there = new Set(await filesOfCommit(root, commit));
  const lines: OriginExplained['owners'][number]['lines'][number][] = [];
  const commits = new Map<string, z.infer<typeof commitShape>>();
  for (const file of named.filter((path) => there.has(path)).slice(0, mostFiles)) {
    const blamed = await blame(root, { commit, path: file });
    const notes = await readCommitNotes(
      root,
      blamed.map((each) => each.commit),
    );
    const own = blamed.filter((each) => isOf(notes.get(each.commit), module));
    for (const each of own) {
      const note = notes.get(each.commit);
      if (note !== undefined) commits.set(note.id, note);
    }
    lines.push(...lineRanges(own.map(({ line }) => line)).map((range) => ({ file, ...range })));
  }
  return { lines, commits: [...commits.values()] };
}

function isOf(note: { readonly task: string; readonly subject: string } | undefined, module: string): boolean {
  if (note === undefined) return false;
  return /^M-\d{3,}/.exec(note.task)?.[0] === module || note.subject.includes(`(${module})`);
}

function described(delivery: Delivery, module: string, steps: readonly PlanStep[]) {
  return {
    id: module,
    name: delivery.names.get(module) ?? '',
    planFile: delivery.files.get(module) ?? '',
    steps: [...steps],
  };
}

function criterionIn({ trace }: Delivery, id: string): OriginExplained['criteria'] {
  const found = trace.criteria.find((each) => each.id === id);
  if (found === undefined) return [];
  const tests = trace.tests.filter((test) => found.tests.includes(test.id));
  return [
    {
      id,
      text: found.text,
      status: found.status,
      reason: found.reason ?? found.issue ?? '',
      tests: tests.map(({ id: name, file, line, status }) => ({
        name: name.slice(name.indexOf('::') + 2),
        file,
        line,
        status,
      })),
    },
  ];
}

/** Agents that worked on the task, from the journal; none where this machine does not have it. */
async function sessionsOf(context: ApiContext, run: string, task: string): Promise<readonly z.infer<typeof session>[]> {
  if (run === '' || task === '') return [];
  const { engine } = await context.runs();
  if (!(await engine.has(run).catch(() => false))) return [];
  const { state } = await readChronicle(engine, run);
  return [...state.effects].flatMap(([key, { kind, input: asked, result }]) => {
    const { role = '', agent = '', task: own, access } = asked as Readonly<Record<string, string | undefined>>;
    if (kind !== 'agent.run' || own !== task || access === 'read') return [];
    const ended = result?.output as
      | { outcome?: { session?: string }; wall?: { from?: string }; route?: { agent?: string } }
      | undefined;
    return [
      {
        key,
        role,
        agent: ended?.route?.agent ?? agent,
        session: ended?.outcome?.session ?? '',
        at: ended?.wall?.from ?? '',
      },
    ];
  });
}
