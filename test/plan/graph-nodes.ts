/** Small graphs without cycles for property tests: a task depends only on those before it. */
import fc from 'fast-check';

export const graphNodes = fc
  .array(fc.array(fc.nat(100), { maxLength: 3 }), { minLength: 1, maxLength: 9 })
  .map((picks) =>
    picks.map((needs, place) => ({
      id: `N${place}`,
      depends: place === 0 ? [] : [...new Set(needs.map((need) => `N${need % place}`))],
    })),
  );
