/**
 * Whether a reason is a reason. "Too complex" and "later" explain nothing; a reason names what is missing and who owns it.
 * Words only, anchored so that "the later of two dates" is no excuse. Pure.
 */

const shortest = 12;

export type WeakReason = 'too-short' | 'complexity-excuse' | 'time-excuse' | 'no-reason';

export function weakReason(text: string): WeakReason | undefined {
  const plain = text.replaceAll(/\s+/g, ' ').trim();
  const excuse = excuses.find(([pattern]) => pattern.test(plain));
  if (excuse !== undefined) return excuse[1];
  return plain.length < shortest ? 'too-short' : undefined;
}

const excuses: readonly (readonly [RegExp, WeakReason])[] = [
  [
    /\b(?:too|very|quite|rather|overly|highly)\s+(?:complex|complicated|hard|difficult|tricky|big|large|expensive|much work)\b/i,
    'complexity-excuse',
  ],
  [
    /\b(?:complexity|complicated|not trivial|non-?trivial|hard to (?:do|build|implement|test|set ?up)|difficult to (?:do|build|implement|test|set ?up)|would (?:take|need) too)\b/i,
    'complexity-excuse',
  ],
  [
    /\b(?:no|not enough|lack of|out of|insufficient|limited)\s+time\b|\btime (?:constraints?|pressure|limits?)\b|\brunning late\b/i,
    'time-excuse',
  ],
  [
    /^(?:(?:will|to) (?:be )?(?:do|done|add|added|fix|fixed|handle|handled|implement|implemented) )?(?:it )?(?:later|soon|eventually|someday)(?: on)?[.!]?$/i,
    'time-excuse',
  ],
  [
    /^(?:for )?(?:the )?(?:next|later|future|another|following) (?:phase|sprint|iteration|release|version|milestone|delivery|round|time|work|step)s?[.!]?$/i,
    'time-excuse',
  ],
  [
    /\b(?:not (?:a )?(?:priority|important|needed|required|necessary)|low(?:er)? priority|nice[- ]to[- ]have|good enough|for now|skip(?:ped)? for now)\b[.!]?$/i,
    'no-reason',
  ],
  [/^(?:tbd|todo|n\/?a|none|unknown|[-–—.?\s]*)$/i, 'no-reason'],
];

/** "Edge cases" and "misc" cannot be found again; a deferred item names the thing. */
export function isVagueItem(text: string): boolean {
  const plain = text.replaceAll(/\s+/g, ' ').trim();
  return (
    plain.length < shortest ||
    /^(?:some |the |all |any |other |various |remaining |more |further |additional |misc(?:ellaneous)?\.? |minor |general )*(?:things?|stuff|items?|work|edge cases?|features?|improvements?|clean-?ups?|polish(?:ing)?|refactoring|details?|tests?|fixes|issues|enhancements?|optimi[sz]ations?|functionality|parts?|rest|misc(?:ellaneous)?)(?: (?:later|etc\.?|and so on|and more))?[.!]?$/i.test(
      plain,
    )
  );
}
