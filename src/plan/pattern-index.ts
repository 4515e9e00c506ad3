/**
 * Patterns filed by their literal prefix, so that a pattern is compared only with those that could meet
 * it: two patterns meet only if the prefix of one begins the prefix of the other. Branches that become
 * empty are cut off, so a scan never costs more than what is still filed.
 */
import type { Pattern } from './path-pattern.ts';

export interface FiledPattern<T> {
  readonly pattern: Pattern;
  readonly value: T;
}

export class PatternIndex<T> {
  readonly #root = branch<T>();

  /** Returns what `remove` takes. */
  add(pattern: Pattern, value: T): FiledPattern<T> {
    let node = this.#root;
    for (const name of pattern.prefix) {
      let child = node.children.get(name);
      if (child === undefined) node.children.set(name, (child = branch<T>()));
      node = child;
    }
    const entry = { pattern, value };
    node.filed.add(entry);
    return entry;
  }

  remove(entry: FiledPattern<T>): void {
    const trail = [this.#root];
    for (const name of entry.pattern.prefix) {
      const child = trail.at(-1)?.children.get(name);
      if (child === undefined) return;
      trail.push(child);
    }
    trail.at(-1)?.filed.delete(entry);
    for (let depth = trail.length - 1; depth > 0 && isEmpty(trail[depth]); depth--) {
      trail[depth - 1]?.children.delete(entry.pattern.prefix[depth - 1] ?? '');
    }
  }

  /** Everything that could cover a path: what is filed on the way to it. */
  *above(path: Pattern): Generator<FiledPattern<T>, void> {
    let node: Branch<T> | undefined = this.#root;
    yield* node.filed;
    for (const name of path.prefix) {
      node = node.children.get(name);
      if (node === undefined) return;
      yield* node.filed;
    }
  }

  /** Everything that could meet the pattern. Entries may be removed while this is walked. */
  *near(pattern: Pattern): Generator<FiledPattern<T>, void> {
    let node: Branch<T> | undefined = this.#root;
    for (const name of pattern.prefix) {
      yield* node.filed;
      node = node.children.get(name);
      if (node === undefined) return;
    }
    const open = [node];
    for (let next = open.pop(); next !== undefined; next = open.pop()) {
      yield* next.filed;
      for (const child of next.children.values()) open.push(child);
    }
  }
}

interface Branch<T> {
  readonly children: Map<string, Branch<T>>;
  readonly filed: Set<FiledPattern<T>>;
}

function branch<T>(): Branch<T> {
  return { children: new Map(), filed: new Set() };
}

function isEmpty<T>(node: Branch<T> | undefined): boolean {
  return node !== undefined && node.filed.size === 0 && node.children.size === 0;
}
