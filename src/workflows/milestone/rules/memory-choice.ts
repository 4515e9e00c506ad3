/**
 * Which of the things a milestone has learned a unit is told: those that share at least two words with it, gotchas and
 * conventions first, then what is surer and was useful more often; eight at most. Pure.
 */
export const fragmentCategories = [
  'gotcha',
  'convention',
  'architecture',
  'pattern',
  'environment',
  'decision',
] as const;
export type FragmentCategory = (typeof fragmentCategories)[number];

export interface Fragment {
  /** The unit that taught it, such as `S01/T02`. */
  readonly unit: string;
  readonly category: FragmentCategory;
  /** From 0 to 1. */
  readonly confidence: number;
  /** How often it was given to a unit that went well. */
  readonly hits: number;
  readonly text: string;
  /** Of one that an earlier run left in memory: its id there. */
  readonly lesson?: string;
}

export const mostFragments = 8;
const sharedWords = 2;

export function chooseFragments(fragments: readonly Fragment[], about: string): readonly Fragment[] {
  const wanted = keywords(about);
  const fitting = fragments.filter(
    ({ text }) => [...keywords(text)].filter((word) => wanted.has(word)).length >= sharedWords,
  );
  return [...fitting].sort(compareFragments).slice(0, mostFragments);
}

function compareFragments(a: Fragment, b: Fragment): number {
  return (
    Number(isFirst(b)) - Number(isFirst(a)) ||
    b.confidence - a.confidence ||
    b.hits - a.hits ||
    (a.text < b.text ? -1 : 1)
  );
}

function isFirst({ category }: Fragment): boolean {
  return category === 'gotcha' || category === 'convention';
}

/** Words that say something: four letters or more, or a name with digits, each once. */
function keywords(text: string): ReadonlySet<string> {
  return new Set((text.toLowerCase().match(/[\p{L}][\p{L}\d_]{3,}/gu) ?? []).filter((word) => !common.has(word)));
}

const common: ReadonlySet<string> = new Set(
  'this that with from have into must when then than they them their there which what where while will would should could does done only also each every other more most some such very file files code test tests task tasks slice'.split(
    ' ',
  ),
);
