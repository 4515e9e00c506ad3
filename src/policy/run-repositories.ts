/** The repositories of one run, where it works on more than its own: read without schemas, because displays ask too. Pure. */

export interface RunRepositories {
  /** The commit of the run's own repository. The base of the run holds the others too. */
  readonly home: string;
  readonly others: readonly OtherRepository[];
}

export interface OtherRepository {
  /** The directory in the tree of the run. */
  readonly path: string;
  /** Its checkout. */
  readonly root: string;
  readonly base: string;
}

/** From what a run was started with, which was read by a schema. Undefined for one that works on its own repository alone. */
export function repositoriesOf(input: unknown): RunRepositories | undefined {
  const found: unknown = Object(input)['repositories'];
  return typeof found === 'object' && found !== null ? (found as RunRepositories) : undefined;
}
