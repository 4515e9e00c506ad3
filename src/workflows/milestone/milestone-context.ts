/** What every part of a milestone's run works with. Built once, when the milestone is open and its roadmap is known. */
import type { Bench } from '../../engine/bench.ts';
import type { Task } from '../../plan/plan.ts';
import { planSchema } from '../../plan/plan.ts';
import type { OwnChecks } from '../moves/ready-checks.ts';
import type { Checks } from '../moves/verify.ts';
import type { GsdPaths } from './gsd-paths.ts';
import type { MilestoneInput } from './milestone-input.ts';
import type { OpenedSlice } from './open-milestone.ts';
import { chooseFragments, type Fragment } from './rules/memory-choice.ts';

export interface MilestoneContext {
  readonly input: MilestoneInput;
  readonly id: string;
  readonly title: string;
  readonly vision: string;
  readonly criteria: readonly string[];
  readonly context: string;
  readonly research: string;
  readonly standards: string;
  readonly paths: GsdPaths;
  readonly slices: readonly OpenedSlice[];
  readonly checks: Checks;
  /** The project's own checks on the base. */
  readonly own: OwnChecks;
  readonly memory: MilestoneMemory;
  readonly plan: PlanBook;
}

/** What was learned so far. It only changes how prompts are worded, so a resumed run may know a little less. */
export class MilestoneMemory {
  readonly #fragments: Fragment[] = [];
  readonly #hits = new Map<string, number>();
  /** By unit: what it was told. */
  readonly #given = new Map<string, ReadonlySet<string>>();
  readonly #dropped = new Map<string, readonly string[]>();

  add(unit: string, learned: readonly Omit<Fragment, 'unit' | 'hits'>[]): void {
    for (const one of learned) this.#fragments.push({ ...one, unit, hits: 0 });
  }

  get all(): readonly Fragment[] {
    return this.#fragments.map((one) => ({ ...one, hits: this.#hits.get(one.text) ?? 0 }));
  }

  about(text: string): readonly Fragment[] {
    return chooseFragments(this.all, text);
  }

  /** The same for a unit that is judged later: what it was told counts as useful if it goes well. */
  tell(unit: string, text: string): readonly Fragment[] {
    const told = this.about(text);
    this.#given.set(unit, new Set(told.map((one) => one.text)));
    return told;
  }

  /** A unit went well. Once per unit, however often it was asked. */
  credit(unit: string): void {
    for (const text of this.#given.get(unit) ?? []) this.#hits.set(text, (this.#hits.get(text) ?? 0) + 1);
    this.#given.delete(unit);
  }

  /** What a unit promised and did not deliver, for the next one of its slice. */
  drop(slice: string, requirements: readonly string[]): void {
    if (requirements.length > 0) this.#dropped.set(slice, [...(this.#dropped.get(slice) ?? []), ...requirements]);
  }

  droppedIn(slice: string): readonly string[] {
    return this.#dropped.get(slice) ?? [];
  }
}

/** The tasks of all slices planned so far, as one plan: what routing, displays and later scope checks go by. */
export class PlanBook {
  readonly #tasks: Task[] = [];

  get tasks(): readonly Task[] {
    return this.#tasks;
  }

  async add(
    bench: Bench,
    key: string,
    about: { readonly objective: string; readonly tasks: readonly Task[] },
  ): Promise<void> {
    for (const task of about.tasks) if (!this.#tasks.some(({ id }) => id === task.id)) this.#tasks.push(task);
    await bench.record(key, 'plan.accepted', {
      plan: planSchema.parse({ objective: about.objective, tasks: this.#tasks }),
    });
  }
}
