/**
 * Where the documents of one milestone lie: those that are there, under every name that a layout or an older tool gives
 * them, and where Forge writes those that are not. What is added to a document goes into the one that is there: a second
 * one beside it would hide what somebody wrote. Pure.
 */
import { GsdFolder } from './gsd-layout.ts';
import type { GsdLayout, GsdMilestone } from './gsd-project.ts';

/** A folder, and the prefix that documents have in it. */
interface DocumentPlace {
  readonly directory: string;
  readonly id: string;
}

export class GsdDocuments {
  readonly #folder: GsdFolder;
  readonly #layout: GsdLayout;
  readonly #id: string;
  /** What Forge wrote goes first where a layout keeps it apart. */
  readonly #places: readonly DocumentPlace[];

  constructor(folder: GsdFolder, layout: GsdLayout, { id, directory }: Pick<GsdMilestone, 'id' | 'directory'>) {
    const number = /^phases\/(\d+)/.exec(directory)?.[1];
    this.#folder = folder;
    this.#layout = layout;
    this.#id = id;
    this.#places =
      layout === 'flat'
        ? [{ directory: `forge/${id}`, id }, ...(number === undefined ? [] : [{ directory, id: number }])]
        : [{ directory, id }];
  }

  /** `name` such as `ROADMAP`. */
  milestone(name: string): string | undefined {
    return this.#find(this.#places, name);
  }

  slice(slice: string, name: string): string | undefined {
    return this.#find(
      this.#places.map(({ directory, id }) =>
        directory.startsWith('phases/')
          ? { directory, id: `${id}-${slice.slice(1).padStart(2, '0')}` }
          : { directory: `${directory}/slices/${slice}`, id: slice },
      ),
      name,
    );
  }

  /** Files of tasks in the flat layout do not say which slice they belong to: only Forge's own are found. */
  task(slice: string, task: string, name: string): string | undefined {
    const directory = `${this.#places[0]?.directory}/slices/${slice}/tasks`;
    return this.#folder.taskDocument(directory, task, name);
  }

  /** Where a new document goes, with its ending: `ROADMAP.md`. */
  newMilestone(name: string): string {
    return `${this.#root}/${this.#id}-${name}`;
  }

  newSlice(slice: string, name: string): string {
    return `${this.#root}/slices/${slice}/${name.startsWith('continue') ? name : `${slice}-${name}`}`;
  }

  newTask(slice: string, task: string, name: string): string {
    const isFlat = this.#layout === 'nested' || this.#layout === 'early';
    return `${this.#root}/slices/${slice}/tasks/${isFlat ? '' : `${task}/`}${task}-${name}`;
  }

  get isFlat(): boolean {
    return this.#layout === 'flat';
  }

  get #root(): string {
    // A layout without milestone folders keeps its own files; what Forge adds lies beside them.
    return this.#layout === 'flat' ? `forge/${this.#id}` : `milestones/${this.#id}`;
  }

  #find(places: readonly DocumentPlace[], name: string): string | undefined {
    for (const { directory, id } of places) {
      const found = this.#folder.document(directory, id, name);
      if (found !== undefined) return found;
    }
    return undefined;
  }
}

/** Of a milestone that does not exist yet. */
export function newDocuments(layout: GsdLayout, id: string): GsdDocuments {
  const known = layout === 'absent' ? 'task-folders' : layout;
  return new GsdDocuments(new GsdFolder([]), known, { id, directory: `milestones/${id}` });
}
