/** Where a run leaves a milestone's documents below `.gsd`, in the layout that the project already has. Pure. */
import type { GsdDocuments } from '../../gsd/gsd-documents.ts';

export interface GsdPaths {
  readonly milestone: (name: string) => string;
  readonly slice: (slice: string, name: string) => string;
  readonly task: (slice: string, task: string, name: string) => string;
}

/** Documents of which a run changes a line go on where they lie, whatever they are called; the others have Forge's names. */
const kept: ReadonlySet<string> = new Set(['ROADMAP.md', 'PLAN.md', 'CONTEXT.md']);

export function gsdPaths(documents: GsdDocuments): GsdPaths {
  const there = (name: string, find: (bare: string) => string | undefined): string | undefined =>
    kept.has(name) && !documents.isFlat ? find(name.replace(/\.md$/, '')) : undefined;
  return {
    milestone: (name) => there(name, (bare) => documents.milestone(bare)) ?? documents.newMilestone(name),
    slice: (slice, name) => there(name, (bare) => documents.slice(slice, bare)) ?? documents.newSlice(slice, name),
    task: (slice, task, name) =>
      there(name, (bare) => documents.task(slice, task, bare)) ?? documents.newTask(slice, task, name),
  };
}
