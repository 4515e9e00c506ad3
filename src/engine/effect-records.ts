/**
 * What a run knows of its effects, by key, in the order in which they first began. A run has thousands of them, and whoever
 * asks for those of one kind looks at no others.
 */
import type { EffectKind } from './effect-map.ts';
import type { EffectRecord } from './run-state.ts';

export class EffectRecords extends Map<string, EffectRecord> {
  readonly #byKind = new Map<string, Map<string, EffectRecord>>();

  override set(key: string, record: EffectRecord): this {
    const before = this.get(key);
    if (before !== undefined && before.kind !== record.kind) this.#byKind.get(before.kind)?.delete(key);
    const alike = this.#byKind.get(record.kind);
    if (alike === undefined) this.#byKind.set(record.kind, new Map([[key, record]]));
    else alike.set(key, record);
    return super.set(key, record);
  }

  override delete(key: string): boolean {
    this.#byKind.get(this.get(key)?.kind ?? '')?.delete(key);
    return super.delete(key);
  }

  override clear(): void {
    this.#byKind.clear();
    super.clear();
  }

  ofKind(kind: EffectKind): ReadonlyMap<string, EffectRecord> {
    return this.#byKind.get(kind) ?? none;
  }
}

const none: ReadonlyMap<string, EffectRecord> = new Map();
