/**
 * Which tasks depend on each other in a circle: the strongly connected components, by Tarjan's walk
 * with an explicit stack. Tasks that merely wait for a circle are not named. A task that depends on
 * itself is a circle of one.
 */
import { compareIds } from './task-id.ts';

/** Each circle's members in order; circles in order of their first member. */
export function findCycles(tasks: readonly { readonly id: string; readonly depends: readonly string[] }[]): string[][] {
  const byId = new Map(tasks.map((task) => [task.id, { task, index: -1, low: -1, open: false }]));
  type Visit = NonNullable<ReturnType<typeof byId.get>>;
  const cycles: string[][] = [];
  const component: Visit[] = [];
  let count = 0;

  for (const root of byId.values()) {
    if (root.index !== -1) continue;
    const path = [{ visit: enter(root), next: 0 }];
    for (let top = path.at(-1); top !== undefined; top = path.at(-1)) {
      const { visit } = top;
      const need = visit.task.depends[top.next++];
      const needed = need === undefined ? undefined : byId.get(need);
      if (needed !== undefined && needed.index === -1) path.push({ visit: enter(needed), next: 0 });
      else if (needed?.open) visit.low = Math.min(visit.low, needed.index);
      else if (need === undefined) {
        path.pop();
        const parent = path.at(-1)?.visit;
        if (parent !== undefined) parent.low = Math.min(parent.low, visit.low);
        if (visit.low === visit.index) close(visit);
      }
    }
  }
  return cycles.sort((a, b) => compareIds(a[0] ?? '', b[0] ?? ''));

  function enter(visit: Visit): Visit {
    visit.index = visit.low = count++;
    visit.open = true;
    component.push(visit);
    return visit;
  }

  function close(visit: Visit): void {
    const members = component.splice(component.lastIndexOf(visit));
    for (const member of members) member.open = false;
    const first = members[0]?.task;
    if (members.length === 1 && !first?.depends.includes(first.id)) return;
    cycles.push(members.map((member) => member.task.id).sort(compareIds));
  }
}
