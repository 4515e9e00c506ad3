/** Who may do a piece of work of a run at the moment. A store that several processes share can implement it. */
export interface NamedLocks {
  /** Does `work` when no other work under that name is under way, in the order asked. */
  run<T>(name: string, work: () => Promise<T>): Promise<T>;
}
