/**
 * What it costs to print a run of modules as it goes by, per task, with many tasks and with few. A ratio of about one
 * means that a task costs the same however many there are.
 */
import type { Fact } from '../src/engine/facts.ts';
import { type Task, taskSchema } from '../src/plan/plan.ts';
import { advanceChronicle, emptyChronicle } from '../src/views/chronicle.ts';
import { factLine } from '../src/views/fact-line.ts';
import { type Figure, sideBySide } from './ratio.ts';

const [few, many] = [40, 400];

export async function followFigures(quick: boolean): Promise<Figure[]> {
  const [small, large] = [chain(few), chain(many)];
  const rounds = quick ? 3 : 9;
  // The same number of tasks on both sides.
  const repeated = async (): Promise<void> => {
    for (let turn = 0; turn < many / few; turn += 1) follow(small);
  };
  const { ratio, subjectMs } = await sideBySide(rounds, () => follow(large), repeated);
  return [
    {
      name: `showing progress, per task, ${many} tasks / ${few} tasks`,
      value: ratio,
      ...(quick ? {} : { aim: 1.3 }),
      detail: `${(subjectMs / many).toFixed(2)} ms per task`,
    },
  ];
}

/** Every task also changes one common file, as tasks of a history do. */
function chain(size: number): Task[] {
  return Array.from({ length: size }, (_, at) =>
    taskSchema.parse({
      id: `T${at + 1}`,
      title: `Task ${at + 1}`,
      depends: at === 0 ? [] : [`T${at}`],
      writes: [`src/f${at}.ts`, 'CHANGELOG.md'],
    }),
  );
}

function follow(tasks: readonly Task[]): void {
  const chronicle = emptyChronicle();
  let seq = 0;
  const tell = (type: string, key: string, data: unknown): void => {
    seq += 1;
    const fact = { v: 1, seq, at: new Date(seq * 1000).toISOString(), type, key, data, hash: '' } as unknown as Fact;
    factLine(fact, advanceChronicle(chronicle, fact));
  };
  const created = { run: 'r', title: 't', workflow: 'modules', workflowVersion: 2, base: '0'.repeat(40), root: '/r' };
  tell('run.created', '', { ...created, input: { parallel: 3 }, settings: {}, forge: '0' });
  tell('plan.accepted', 'plan', { plan: { objective: 'o', tasks, techStack: {}, decisions: [], risks: [] } });
  for (const { id } of tasks) {
    tell('task.started', id, { task: id });
    tell('task.ended', id, { task: id, status: 'done', reason: '' });
  }
}
