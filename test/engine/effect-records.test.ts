/** The indexes of a run's effects say what a look at all of them would say. */
import fc from 'fast-check';
import { expect, it } from 'vitest';
import type { EffectKind } from '../../src/engine/effect-map.ts';
import { EffectRecords } from '../../src/engine/effect-records.ts';
import type { EffectRecord } from '../../src/engine/run-state.ts';

const kinds: readonly EffectKind[] = ['check.run', 'merge.land', 'agent.run'];
const commits = ['a', 'b', undefined] as const;

it('effects of a kind and about a commit, whenever it is asked', () => {
  const change = fc.record({
    key: fc.constantFrom('k1', 'k2', 'k3', 'k4', 'k5'),
    kind: fc.constantFrom(...kinds),
    commit: fc.constantFrom(...commits),
    does: fc.constantFrom('set', 'set', 'set', 'delete', 'ask', 'clear'),
  });
  fc.assert(
    fc.property(fc.array(change, { maxLength: 40 }), (changes) => {
      const records = new EffectRecords();
      for (const { key, kind, commit, does } of changes) {
        if (does === 'set') records.set(key, { kind, input: { commit } } as EffectRecord);
        if (does === 'delete') records.delete(key);
        if (does === 'clear') records.clear();
        if (does === 'ask') records.ofCommit(kind, 'a');
      }
      const all = [...records];
      for (const kind of kinds) {
        const ofKind = all.filter(([, record]) => record.kind === kind);
        expect(new Set(records.ofKind(kind))).toEqual(new Set(ofKind));
        for (const commit of ['a', 'b']) {
          const about = ofKind.filter(([, { input }]) => (input as { commit?: string }).commit === commit);
          expect(new Set(records.ofCommit(kind, commit))).toEqual(new Set(about));
        }
      }
    }),
  );
});
