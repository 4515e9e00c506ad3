/**
 * A night through the binary, with the clock moved from outside: three accounts run full twice, everything is killed once,
 * and nobody is there. The milestone is done in the morning: nothing repeated, nothing lost, one notification.
 * `FORGE_OVERNIGHT=whole` takes 200 tasks, anything else a sample of them.
 */
import { closeSync, existsSync, mkdirSync, openSync, readFileSync, readSync, writeFileSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { pathToFileURL } from 'node:url';
import { expect, it } from 'vitest';
import { addAccount, useAccount } from '../../src/api/accounts.ts';
import { openContext } from '../../src/api/context.ts';
import { performOperation } from '../../src/api/operation.ts';
import { processesWith } from '../support/processes.ts';
import { done, job, type MilestoneFact, reply, roadmap, slice, slicePlan } from './milestone-story.ts';
import { makeProject, type Project, type Started } from './support.ts';

const isWhole = process.env['FORGE_OVERNIGHT'] === 'whole';
const slices = isWhole ? 20 : 8;
const tasksEach = isWhole ? 10 : 3;
const tasks = slices * tasksEach;
const hourMs = 3_600_000;

const two = (number: number): string => String(number).padStart(2, '0');
const sliceIds = Array.from({ length: slices }, (_, at) => `S${two(at + 1)}`);
const taskIds = Array.from({ length: tasksEach }, (_, at) => `T${two(at + 1)}`);
const everyTask = sliceIds.flatMap((inSlice) => taskIds.map((id) => `${inSlice}/${id}`));
const noteOf = (task: string): string => `notes/${task.replace('/', '-')}.md`;

/** Tasks after which the account at work is nearly used up: three, then all wait; three more, then all wait again. One
 * per slice, because tasks of a slice may be at work on the same account. */
const filling = new Set([1, 2, 3, 5, 6, 7].map((part) => `${sliceIds[Math.floor((slices * part) / 8)]}/T01`));

const note = (id: string, inSlice: string): object => ({
  id,
  title: `Note ${id} of ${inSlice}`,
  kind: 'docs',
  writes: [noteOf(`${inSlice}/${id}`)],
  mustHaves: { truths: [`${noteOf(`${inSlice}/${id}`)} has one line`] },
  expectedOutput: [noteOf(`${inSlice}/${id}`)],
});

const script = [
  {
    when: { role: 'milestone-planner' },
    do: [reply(roadmap(sliceIds.map((id, at) => slice(id, at === 0 ? {} : { depends: [sliceIds[at - 1] ?? 'S01'] }))))],
  },
  ...sliceIds.map((id) => job(`${id}/plan#1`, reply(slicePlan(...taskIds.map((task) => note(task, id)))))),
  ...everyTask.map((task) => ({
    when: { role: 'executor', task },
    do: [
      ...(filling.has(task) ? [{ limits: { '5h': { used: 95, resets: '5h' } } }] : []),
      // Done twice it would be two lines.
      { append: { path: noteOf(task), content: `${task}\n` } },
      done(`${task} is written`),
    ],
  })),
  { when: { role: 'challenger' }, repeat: true, do: [reply({ objections: [] })] },
  { when: { role: 'scribe' }, repeat: true, do: [reply({ summary: 'It is written.' })] },
];

const config = `agents: { actor: { driver: scripted, script: .forge/script.yaml, key: DEMO_KEY } }
checks: { run: ["test -f package.json"], timeout: 600 }
`;
const clockProgram = pathToFileURL(resolve(import.meta.dirname, '../support/moved-clock.mjs')).href;

it('brings a milestone through a night without anybody', { timeout: 3_600_000 }, async () => {
  const project = makeProject({ config, script, env: { NODE_OPTIONS: `--import=${clockProgram}` } });
  const area = dirname(project.root);
  const night = new Night(project, join(area, 'clock'));
  const told = join(area, 'told.jsonl');
  const notify = join(project.env['HOME'] ?? '', '.config/forge/notify.yaml');
  mkdirSync(dirname(notify), { recursive: true });
  writeFileSync(notify, `channels:\n  - command: [sh, -c, 'cat >> ${told}; echo >> ${told}']\n`);
  const context = openContext({ cwd: project.root, env: project.env });
  for (const [name, expires] of Object.entries({ first: '300d', second: '200d', third: '100d' })) {
    const account = { name, token: `demo-token-of-${name}`, key: 'DEMO_KEY', expires, store: 'file' } as const;
    await performOperation(addAccount, context, account);
  }
  await performOperation(useAccount, context, { name: 'first' });

  const evening = Date.now();
  const flags = ['--skip-discuss', '--skip-research', '--plan-check', 'disabled', '--symbols', 'disabled'];
  const started = project.start(['milestone', 'Many notes', '--detach', ...flags], night.env);
  expect(await started.ended).toMatchObject({ code: 0 });
  let supervisor = night.supervise();
  const facts = await night.pass(async () => {
    // The machine goes down and comes up: nothing that ran is left, and the service starts again.
    for (const { pid } of processesWith(area)) process.kill(pid, 'SIGKILL');
    await supervisor.ended;
    while (processesWith(area).length > 0) await sleep(50);
    supervisor = night.supervise();
  });
  supervisor.child.kill('SIGTERM');
  await supervisor.ended;

  const last = facts.at(-1);
  expect([last?.type, last?.data['status'], last?.data['reason']]).toEqual(['run.ended', 'done', '']);
  // Two resets were waited for, and the clock was moved for each.
  expect(night.resets).toBe(2);
  expect(Date.parse(last?.at ?? '') - evening).toBeGreaterThan(10 * hourMs);
  const handovers = facts.flatMap(({ data }) => /account (\w+)\) takes over$/.exec(String(data['note']))?.[1] ?? []);
  expect([...new Set(handovers)].sort()).toEqual(['second', 'third']);
  expect(handovers.length).toBeGreaterThanOrEqual(4);
  expect(facts.filter(({ type }) => type === 'question.asked')).toEqual([]);
  // Nothing was done twice, and nothing is missing.
  expect(finishedTwice(facts)).toEqual([]);
  const ended = facts.filter(({ type, key }) => type === 'task.ended' && key.includes('/'));
  expect(ended.map(({ key, data }) => `${key} ${String(data['status'])}`).sort()).toEqual(
    everyTask.map((task) => `${task} done`).sort(),
  );
  const [run = ''] = project.runs();
  const written = project.git('grep', '-h', '', `forge/${run}`, '--', 'notes').split('\n');
  expect(written.sort()).toEqual([...everyTask].sort());
  expect(project.git('log', '--format=%s', `main..forge/${run}`).split('\n').length).toBeGreaterThanOrEqual(tasks);
  for (const id of sliceIds)
    expect(existsSync(join(project.root, `.gsd/milestones/M001/slices/${id}/${id}-SUMMARY.md`))).toBe(true);
  const roadmapText = readFileSync(join(project.root, '.gsd/milestones/M001/M001-ROADMAP.md'), 'utf8');
  expect(roadmapText.match(/- \[x\] /g)).toHaveLength(slices);
  // One thing happened that a person wants to know, and they were told once.
  const messages = readFileSync(told, 'utf8').trim().split('\n');
  expect(messages.map((line) => (JSON.parse(line) as { kind: string }).kind)).toEqual(['done']);
  // The process that worked on the run tidies up after its last fact, and leaves nothing.
  while (processesWith(area).length > 0) await sleep(50);
  const report = await project.forge('milestone', 'report');
  expect(report.stdout).toContain(`${noteOf(everyTask[0] ?? '')} has one line`);
});

interface TimedFact extends MilestoneFact {
  readonly at: string;
}

/** Follows the journal of the one run, and moves the clock when the run waits for a reset. */
class Night {
  readonly env: Readonly<Record<string, string>>;
  resets = 0;
  readonly #project: Project;
  readonly #clock: string;
  #movedBy = 0;

  constructor(project: Project, clock: string) {
    this.#project = project;
    this.#clock = clock;
    this.env = { MOVED_CLOCK: clock };
  }

  supervise(): Started {
    return this.#project.start(['supervise', '--every', '1'], this.env);
  }

  /** `reboot` is called once, when half of the tasks are over. */
  async pass(reboot: () => Promise<void>): Promise<readonly TimedFact[]> {
    const facts: TimedFact[] = [];
    let isRebooted = false;
    for (; facts.at(-1)?.type !== 'run.ended'; await sleep(200)) {
      for (const line of this.#newLines()) {
        const fact = JSON.parse(line) as TimedFact;
        facts.push(fact);
        if (fact.type === 'run.suspended') throw new Error(`the run stopped: ${JSON.stringify(fact.data)}`);
        const { wait } = fact.data as { wait?: { until: string } };
        if (wait !== undefined) this.#moveTo(Date.parse(wait.until));
      }
      const over = facts.filter(({ type, key }) => type === 'task.ended' && key.includes('/')).length;
      if (isRebooted || over < tasks / 2) continue;
      isRebooted = true;
      await reboot();
    }
    return facts;
  }

  #read = 0;

  /** Whole ones: a line that a kill tore is cut off when the run is opened again. */
  #newLines(): readonly string[] {
    const [run] = this.#project.runs();
    if (run === undefined) return [];
    const file = openSync(join(this.#project.directory(run), 'journal.jsonl'), 'r');
    try {
      const chunk = Buffer.alloc(4 * 1024 * 1024);
      const bytes = readSync(file, chunk, 0, chunk.length, this.#read);
      const whole = chunk.subarray(0, chunk.subarray(0, bytes).lastIndexOf('\n') + 1);
      this.#read += whole.length;
      return whole.toString('utf8').split('\n').filter(Boolean);
    } finally {
      closeSync(file);
    }
  }

  /** Several wait for the same reset: it comes once. An hour later the windows of the other accounts are over, too. */
  #moveTo(reset: number): void {
    if (reset - Date.now() <= this.#movedBy) return;
    this.#movedBy = reset + hourMs - Date.now();
    this.resets += 1;
    writeFileSync(this.#clock, String(this.#movedBy));
  }
}

function finishedTwice(facts: readonly MilestoneFact[]): readonly string[] {
  const keys = facts.flatMap(({ type, key }) => (type === 'effect.finished' ? [key] : []));
  return keys.filter((key, at) => keys.indexOf(key) !== at);
}
