/** One run of `modules` with so many tasks and so many files in each one's `writes`; prints what it took as JSON. */
import { mkdtempSync, realpathSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { systemClock } from '../src/engine/clock.ts';
import { type EffectKind, effectMap, type EffectRequest } from '../src/engine/effect-map.ts';
import { FilesEngine } from '../src/engine/files/files-engine.ts';
import type { Observer } from '../src/engine/observers.ts';
import type { Performers } from '../src/engine/performer.ts';
import { isAlive, ownIdentity } from '../src/process/identity.ts';
import { type Task, taskSchema } from '../src/plan/plan.ts';
import { advanceChronicle, emptyChronicle } from '../src/views/chronicle.ts';
import { factLine } from '../src/views/fact-line.ts';
import { modulesDefinition } from '../src/workflows/modules/definition.ts';
import { moduleRoles } from '../src/workflows/modules/roles.ts';
import { runnableWorkflow } from '../src/workflows/runnable-workflow.ts';
import type { Growth } from './growth.ts';
import { agentAnswer, answers } from './modules.ts';

const [count = 10, writes = 2] = process.argv.slice(2).map(Number);
const area = realpathSync(mkdtempSync(join(tmpdir(), 'forge-bench-')));
try {
  await run('warm', makeTasks(20, 2));
  const before = process.cpuUsage();
  await run('measured', makeTasks(count, writes));
  const { user, system } = process.cpuUsage(before);
  const growth: Growth = {
    cpuMsPerTask: (user + system) / 1000 / count,
    megabytes: process.resourceUsage().maxRSS / 1000,
    journalBytesPerTask: statSync(join(area, 'runs', 'measured', 'journal.jsonl')).size / count,
  };
  process.stdout.write(JSON.stringify(growth));
} finally {
  rmSync(area, { recursive: true, force: true });
}

/** Four lines of modules that depend on the one before. */
function makeTasks(size: number, files: number): readonly Task[] {
  return Array.from({ length: size }, (_, at) =>
    taskSchema.parse({
      id: `m${at + 1}`,
      title: `Module ${at + 1}`,
      objective: `What module ${at + 1} is for, in a sentence or two that an architect would write.`,
      depends: at < 4 ? [] : [`m${at - 3}`],
      verify: ['npm test'],
      doneWhen: 'its tests pass',
      writes: Array.from({ length: files }, (__, file) => `src/m${at + 1}/part${file}.ts`),
    }),
  );
}

async function run(name: string, tasks: readonly Task[]): Promise<void> {
  const engine = new FilesEngine({
    runs: join(area, 'runs'),
    // Nothing is started here.
    host: { self: ownIdentity(), isAlive, stop: async () => {} },
    clock: systemClock,
    workflow: () => runnableWorkflow(modulesDefinition),
    performers: async () => performersFor(tasks),
    forge: '0',
    jail: 'none',
    observe: () => [progress()],
  });
  const handle = await engine.start({
    run: name,
    title: name,
    workflow: 'modules',
    base: 'a'.repeat(40),
    root: '/',
    input: {
      requirement: 'bench',
      slug: name,
      agents: Object.fromEntries(Object.keys(moduleRoles).map((role) => [role, 'none'])),
      parallel: 8,
      options: {},
    },
    settings: {},
    // Answered before it is asked; what was posted to a run that is not there yet waits for it.
    posts: [{ type: 'answer', key: 'approve', answer: { option: 'yes' } }],
  });
  const end = await handle.ended;
  if (end.status !== 'done') throw new Error(`the run of the benchmark must be done: ${JSON.stringify(end)}`);
}

function performersFor(tasks: readonly Task[]): Performers {
  let commits = 0;
  // Each worker and each merge makes a commit of its own, as in a run that does its work.
  const nextCommit = (): string => (commits += 1).toString(16).padStart(40, '0');
  const perform = (kind: EffectKind) => async (request: EffectRequest<EffectKind>) => {
    if (kind === 'agent.run')
      return { ...agentAnswer((request as EffectRequest<'agent.run'>).role, tasks), commit: nextCommit() };
    if (kind === 'merge.prepare') return { ...answers['merge.prepare'], commit: nextCommit() };
    if (kind === 'check.run')
      return { ...answers['check.run'], commit: (request as EffectRequest<'check.run'>).commit };
    return answers[kind];
  };
  const kinds = Object.keys(effectMap) as EffectKind[];
  return Object.fromEntries(kinds.map((kind) => [kind, { perform: perform(kind) }])) as unknown as Performers;
}

/** What the progress display does with facts, but for the terminal. */
function progress(): Observer {
  const chronicle = emptyChronicle();
  return {
    name: 'The progress display',
    take: (facts) => {
      for (const fact of facts) factLine(fact, advanceChronicle(chronicle, fact));
    },
  };
}
