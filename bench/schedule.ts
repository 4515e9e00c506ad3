/** How close the scheduler comes to the lower bound, with agents that sleep; and how plan validation grows. */
import { runSchedule, type ScheduleHooks } from '../src/engine/schedule.ts';
import { criticalPath, expectedMinutes } from '../src/plan/graph.ts';
import { type Task, taskSchema } from '../src/plan/plan.ts';
import { validatePlan } from '../src/plan/validate-plan.ts';
import { type Figure, seeded, sideBySide } from './ratio.ts';
import { VirtualTime } from './virtual-time.ts';

const limit = 8;

export async function scheduleFigures(quick: boolean): Promise<readonly Figure[]> {
  const tasks = randomTasks(200, 7);
  const bound = Math.max(criticalPath(tasks, expectedMinutes).minutes, sum(tasks.map(expectedMinutes)) / limit);
  const free = await makespan(tasks, false);
  const barred = await makespan(tasks, true);
  return [
    {
      name: `makespan of 200 random tasks, limit ${limit} / max(critical path, work/limit)`,
      value: free / bound,
      aim: 1.02,
      detail: `${free.toFixed(0)} minutes of agents, bound ${bound.toFixed(0)}`,
    },
    { name: 'the same with stage barriers', value: barred / bound, detail: `${barred.toFixed(0)} minutes` },
    await validationFigure(quick ? 3 : 5),
    await schedulingFigure(quick ? 3 : 5),
  ];
}

/** A schedule outside of a run: nothing was done before, and nothing is written down. */
export const unrecordedHooks: ScheduleHooks = {
  recorded: () => undefined,
  started: () => {},
  ended: () => {},
  added: [],
  add: () => true,
  wait: (_task, wait) => wait,
};

async function makespan(tasks: readonly Task[], barriers: boolean): Promise<number> {
  const time = new VirtualTime();
  return time.measure(() =>
    runSchedule(tasks, { limit, barriers }, unrecordedHooks, async (task) => {
      await time.sleep(expectedMinutes(task));
      return { task: task.id, status: 'done', reason: '' };
    }),
  );
}

async function validationFigure(rounds: number): Promise<Figure> {
  const small = { objective: 'bench', tasks: randomTasks(10_000, 11) };
  const large = { objective: 'bench', tasks: randomTasks(100_000, 11) };
  const { ratio, referenceMs } = await sideBySide(
    rounds,
    () => validate(large),
    () => validate(small),
  );
  return {
    name: 'validation of a plan of 100,000 tasks / of 10,000, per task',
    value: ratio / 10,
    aim: 1.5,
    detail: `${referenceMs.toFixed(0)} ms for 10,000 tasks`,
  };
}

async function schedulingFigure(rounds: number): Promise<Figure> {
  const independent = (count: number): readonly Task[] =>
    randomTasks(count, 11).map((task) => ({ ...task, depends: [] }));
  const [small, large] = [independent(1000), independent(10_000)];
  const schedule = (tasks: readonly Task[]) => async (): Promise<void> => {
    await runSchedule(tasks, { limit }, unrecordedHooks, async ({ id }) => ({ task: id, status: 'done', reason: '' }));
  };
  const { ratio, referenceMs } = await sideBySide(rounds, schedule(large), schedule(small));
  return {
    name: 'scheduling 10,000 tasks at once / 1,000, per task',
    value: ratio / 10,
    aim: 2,
    detail: `${referenceMs.toFixed(0)} ms for 1,000 tasks`,
  };
}

function validate(plan: unknown): void {
  if (validatePlan(plan).status !== 'valid') throw new Error('the plan of the benchmark must be valid');
}

/** Layers of tasks with a few dependencies each on recent ones, minutes from 1 to 30. */
export function randomTasks(count: number, seed: number): Task[] {
  const random = seeded(seed);
  return Array.from({ length: count }, (_, index) => {
    const wanted = index === 0 ? 0 : Math.floor(random() * 3);
    const reach = Math.min(index, 40);
    const depends = Array.from({ length: wanted }, () => `T${index - 1 - Math.floor(random() * reach)}`);
    return taskSchema.parse({
      id: `T${index}`,
      title: `Task ${index}`,
      depends: [...new Set(depends)],
      writes: [`src/part${Math.floor(index / 10)}/file${index}.ts`],
      verify: ['npm test'],
      doneWhen: 'it works',
      expectedMinutes: 1 + Math.floor(random() * 30),
    });
  });
}

function sum(values: readonly number[]): number {
  return values.reduce((total, value) => total + value, 0);
}
