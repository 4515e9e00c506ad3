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
  /** What a person wrote down when they made the milestone. */
  readonly scope: string;
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

/** `hits`: in earlier runs. */
export type LearnedFragment = Omit<Fragment, 'unit' | 'hits'> & Partial<Pick<Fragment, 'hits'>>;

/** What a unit of work adds to what the milestone knows. */
export interface HeardUnit {
  readonly unit: string;
  readonly learned: readonly LearnedFragment[];
  /** What it was told, if it went well: that was useful. */
  readonly told: readonly string[];
  /** What it promised and did not deliver, for the next ones of its slice. */
  readonly owed: readonly string[];
}

/** Decisions are told to later units as anything else that was learned. */
export function decidedFragments(
  decisions: readonly { readonly choice: string; readonly why: string }[],
): HeardUnit['learned'] {
  return decisions.map(({ choice, why }) => ({
    category: 'decision',
    confidence: 0.8,
    text: why === '' ? choice : `${choice} (${why})`,
  }));
}

/** What was learned so far, and what is still owed. Outcomes carry it, so that a resumed run knows the same. */
export class MilestoneMemory {
  readonly #units = new Map<string, HeardUnit>();

  /** Once per unit. */
  hear(heard: HeardUnit): void {
    if (!this.#units.has(heard.unit)) this.#units.set(heard.unit, heard);
  }

  unitsOf(slice: string): readonly HeardUnit[] {
    return [...this.#units.values()].filter(({ unit }) => unit.startsWith(`${slice}/`));
  }

  get all(): readonly Fragment[] {
    const units = [...this.#units.values()];
    const hits = new Map<string, number>();
    for (const { told } of units) for (const text of told) hits.set(text, (hits.get(text) ?? 0) + 1);
    const all = units.flatMap(({ unit, learned }) =>
      learned.map((one) => ({ ...one, unit, hits: (one.hits ?? 0) + (hits.get(one.text) ?? 0) })),
    );
    return [...new Map(all.toReversed().map((one) => [one.text, one])).values()].toReversed();
  }

  about(text: string): readonly Fragment[] {
    return chooseFragments(this.all, text);
  }

  owedIn(slice: string): readonly string[] {
    return this.unitsOf(slice).flatMap(({ owed }) => owed);
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
