/**
 * Things that change over time, for readers who want only what changed since they looked last. However many read, it is
 * kept once. A position from another process or an older list of things gets everything anew.
 */
import { randomBytes } from 'node:crypto';

export interface ItemChanges<T> {
  readonly position: string;
  /** `changed` is all there is: forget what you knew. */
  readonly isWhole: boolean;
  readonly changed: readonly (readonly [id: string, value: T])[];
  readonly removed: readonly string[];
}

interface Item<T> {
  readonly value: T;
  readonly version: number;
}

export class VersionedItems<T> {
  readonly #epoch = randomBytes(6).toString('hex');
  #version = 0;
  readonly #items = new Map<string, Item<T>>();
  readonly #removed = new Map<string, number>();

  /** Takes what there is now. */
  update(now: Iterable<readonly [string, T]>): void {
    const next = this.#version + 1;
    const seen = new Set<string>();
    for (const [id, value] of now) {
      seen.add(id);
      const known = this.#items.get(id);
      if (known !== undefined && isSame(known.value, value)) continue;
      this.#items.set(id, { value, version: next });
      this.#removed.delete(id);
      this.#version = next;
    }
    for (const id of this.#items.keys()) {
      if (seen.has(id)) continue;
      this.#items.delete(id);
      this.#removed.set(id, next);
      this.#version = next;
    }
  }

  /** Undefined when nothing changed since that position. */
  since(position: string | undefined): ItemChanges<T> | undefined {
    const known = this.#versionOf(position);
    if (known === this.#version && known !== undefined) return undefined;
    const changed = [...this.#items].filter(([, { version }]) => version > (known ?? 0));
    return {
      position: `${this.#epoch}.${this.#version}`,
      isWhole: known === undefined,
      changed: changed.map(([id, { value }]) => [id, value] as const),
      removed: [...this.#removed].filter(([, version]) => version > (known ?? Infinity)).map(([id]) => id),
    };
  }

  #versionOf(position: string | undefined): number | undefined {
    const [epoch, version = ''] = (position ?? '').split('.');
    return epoch === this.#epoch && /^\d{1,15}$/.test(version) && Number(version) <= this.#version
      ? Number(version)
      : undefined;
  }
}

/** By what it says, and only looked at where it is not the very same: most of a long list never changes. */
function isSame(one: unknown, other: unknown): boolean {
  return one === other || JSON.stringify(one) === JSON.stringify(other);
}
