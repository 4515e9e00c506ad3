/** Where a milestone's documents lie below `.gsd`, in the layout that the project already has. Pure. */
import type { GsdLayout } from '../../gsd/gsd-project.ts';

export interface GsdPaths {
  readonly milestone: (name: string) => string;
  readonly slice: (slice: string, name: string) => string;
  readonly task: (slice: string, task: string, name: string) => string;
}

export function gsdPaths(layout: GsdLayout, milestone: string): GsdPaths {
  // A layout without milestone folders keeps its own files; what Forge adds lies beside them.
  const root = layout === 'flat' ? `forge/${milestone}` : `milestones/${milestone}`;
  const isFlatTasks = layout === 'nested' || layout === 'early';
  return {
    milestone: (name) => `${root}/${milestone}-${name}`,
    slice: (slice, name) => `${root}/slices/${slice}/${name.startsWith('continue') ? name : `${slice}-${name}`}`,
    task: (slice, task, name) => `${root}/slices/${slice}/tasks/${isFlatTasks ? '' : `${task}/`}${task}-${name}`,
  };
}
