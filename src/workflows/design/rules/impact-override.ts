/**
 * What a person may change about the impact of a new design: leave a module alone that only follows another, or rebuild one
 * that would be kept; always with a reason. A module whose own design changed, or that uses something that is gone, cannot
 * be left alone. Pure.
 */
import { type ImpactClass, impactClasses, type ModuleImpact } from '../../../design/design-impact.ts';

export interface ImpactOverride {
  readonly module: string;
  readonly from: ImpactClass;
  readonly to: ImpactClass;
  readonly why: string;
}

export type OverriddenImpact =
  | {
      readonly status: 'usable';
      readonly modules: readonly ModuleImpact[];
      readonly overrides: readonly ImpactOverride[];
    }
  | { readonly status: 'faulty'; readonly problems: readonly string[] };

/** Lines such as `M-003: kept because it only logs`; everything else stays as it was found. */
export function overrideImpact(modules: readonly ModuleImpact[], text: string): OverriddenImpact {
  const overrides: ImpactOverride[] = [];
  const problems: string[] = [];
  for (const line of text.split('\n')) {
    const [, id = '', word = '', why = ''] =
      /^\s*(M-\d{3,})\s*:\s*(kept|revised(?:-direct|-downstream)?|added|removed)\b[\s,;:–—-]*(?:because\s+)?(.*)$/i.exec(
        line,
      ) ?? [];
    if (id === '') continue;
    const found = modules.find(({ module }) => module === id);
    const to = /^kept/i.test(word) ? 'kept' : 'revised-direct';
    const isSame =
      found !== undefined &&
      (found.impact === word.toLowerCase() ||
        (to === 'revised-direct' && found.impact.startsWith('revised') && !/^kept/i.test(word)));
    if (found === undefined) problems.push(`${id} is not a module of either design.`);
    else if (isSame || found.impact === 'added' || found.impact === 'removed') {
      if (!isSame && found.impact !== word.toLowerCase())
        problems.push(`${id} is ${found.impact}; that cannot be changed.`);
    } else if (to === 'kept' && found.impact === 'revised-direct')
      problems.push(`${id} has changed itself and cannot be kept.`);
    else if (to === 'kept' && found.reasons.some((reason) => reason.includes('which is gone')))
      problems.push(`${id} uses a module that is gone and cannot be kept.`);
    else if (withoutComment(why) === '') problems.push(`Say why ${id} should be ${word}: "${id}: ${word} because …".`);
    else overrides.push({ module: id, from: found.impact, to, why: withoutComment(why) });
  }
  if (problems.length > 0) return { status: 'faulty', problems };
  const changed = modules.map((each) => {
    const override = overrides.find(({ module }) => module === each.module);
    return override === undefined
      ? each
      : { ...each, impact: override.to, reasons: [`a person decided: ${override.why}`] };
  });
  return { status: 'usable', modules: changed, overrides };
}

/** What a person wrote instead of "yes" has to name what should change: nothing is agreed to by words that mean nothing here. */
export function readWishes(modules: readonly ModuleImpact[], text: string): OverriddenImpact {
  const read = overrideImpact(modules, text);
  if (read.status === 'faulty' || /^\s*M-\d{3,}\s*:/m.test(text)) return read;
  return { status: 'faulty', problems: ['Write a line for each module to change, such as "M-004: kept because …".'] };
}

/** What is wrong with the list that a person edited. */
export function impactProblems(text: string, draft: string): readonly string[] {
  const read = readWishes(modulesIn(draft), text);
  return read.status === 'faulty' ? read.problems : [];
}

function modulesIn(draft: string): readonly ModuleImpact[] {
  return draft.split('\n').flatMap((line): ModuleImpact[] => {
    const [, module = '', word = '', reasons = ''] = /^(M-\d{3,}): ([a-z-]+) {3}# (.*)$/.exec(line) ?? [];
    const impact = impactClasses.find((one) => one === word);
    return impact === undefined ? [] : [{ module, impact, reasons: reasons.split('; ') }];
  });
}

function withoutComment(text: string): string {
  return text.replace(/(?:^|\s)# .*$/, '').trim();
}

/** What a person edits: one line per module. */
export function impactDraft(modules: readonly ModuleImpact[]): string {
  const lines = modules.map(({ module, impact, reasons }) => `${module}: ${impact}   # ${reasons.join('; ')}`);
  return `# Change a line to "M-003: kept because …" or "M-004: revised because …".\n${lines.join('\n')}\n`;
}
