/**
 * What a run knows of its effects, by key, in the order in which they first began. A run has thousands of them, and whoever
 * asks for those of one kind, or of one kind about one commit, looks at no others.
 */
import type { EffectKind } from './effect-map.ts';
import type { EffectRecord } from './run-state.ts';

export class EffectRecords extends Map<string, EffectRecord> {
  readonly #byKind = new Map<string, Group>();
  /** Made when it is first asked for: those who only look at a run need none. */
  #byCommit: Map<string, Group> | undefined;

  override set(key: string, record: EffectRecord): this {
    const before = this.get(key);
    if (before !== undefined && before.kind !== record.kind) this.#byKind.get(before.kind)?.delete(key);
    put(this.#byKind, record.kind, { key, record });
    if (this.#byCommit !== undefined) {
      if (before !== undefined && nameOf(before) !== nameOf(record)) this.#byCommit.get(nameOf(before))?.delete(key);
      put(this.#byCommit, nameOf(record), { key, record });
    }
    return super.set(key, record);
  }

  override delete(key: string): boolean {
    const before = this.get(key);
    if (before !== undefined) {
      this.#byKind.get(before.kind)?.delete(key);
      this.#byCommit?.get(nameOf(before))?.delete(key);
    }
    return super.delete(key);
  }

  override clear(): void {
    this.#byKind.clear();
    this.#byCommit = undefined;
    super.clear();
  }

  ofKind(kind: EffectKind): ReadonlyMap<string, EffectRecord> {
    return this.#byKind.get(kind) ?? none;
  }

  /** Those whose input names this commit as the one they are about. */
  ofCommit(kind: EffectKind, commit: string): ReadonlyMap<string, EffectRecord> {
    this.#byCommit ??= this.#groupByCommit();
    return this.#byCommit.get(`${kind} ${commit}`) ?? none;
  }

  #groupByCommit(): Map<string, Group> {
    const groups = new Map<string, Group>();
    for (const [key, record] of this) put(groups, nameOf(record), { key, record });
    return groups;
  }
}

const none: ReadonlyMap<string, EffectRecord> = new Map();

type Group = Map<string, EffectRecord>;

function put(groups: Map<string, Group>, name: string, { key, record }: { key: string; record: EffectRecord }): void {
  const group = groups.get(name);
  if (group === undefined) groups.set(name, new Map([[key, record]]));
  else group.set(key, record);
}

function nameOf({ kind, input }: EffectRecord): string {
  const commit = typeof input === 'object' && input !== null ? (input as { commit?: unknown }).commit : undefined;
  return `${kind} ${typeof commit === 'string' ? commit : ''}`;
}
