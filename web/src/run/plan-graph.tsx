/** The graph of a plan that waits for approval: what depends on what, with its longest path, before anything is started. */
import { type ReactNode, useMemo, useState } from 'react';
import { criticalPath, expectedMinutes } from '../../../src/plan/graph.ts';
import type { Plan } from '../../../src/plan/plan.ts';
import { useCall } from '../source/hooks.ts';
import { GraphCanvas } from '../views/graph-canvas.tsx';

export function PlanGraph({
  run,
  repository,
  question,
}: {
  readonly run: string;
  readonly repository: string | undefined;
  readonly question: string;
}): ReactNode {
  const { value } = useCall<{ plan?: Plan }>('edit-draft', { run, question }, { repository });
  const [chosen, setChosen] = useState<string>();
  const tasks = value?.plan?.tasks;
  const units = useMemo(
    () => (tasks ?? []).map(({ id, title, depends }) => ({ task: id, title, status: 'pending', depends })),
    [tasks],
  );
  const task = tasks?.find(({ id }) => id === chosen);
  // One box says no more than its row.
  if (tasks === undefined || units.length < 2) return null;
  return (
    <section className="plan-graph">
      <h3>What depends on what</h3>
      <GraphCanvas units={units} critical={longestPath(tasks)} chosen={chosen} onChoose={setChosen} />
      {task === undefined ? null : (
        <p className="prose" role="status">
          <b>{task.id}</b> {task.objective}
        </p>
      )}
    </section>
  );
}

/** A plan whose dependencies make a circle has none. */
function longestPath(tasks: Plan['tasks']): ReadonlySet<string> {
  if (!tasks.some(({ depends }) => depends.length > 0)) return new Set();
  try {
    return new Set(criticalPath(tasks, expectedMinutes).ids);
  } catch {
    return new Set();
  }
}
