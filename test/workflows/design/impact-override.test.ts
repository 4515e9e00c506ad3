/** What a person may write instead of "yes" when they are asked what a new design touches. */
import { expect, it } from 'vitest';
import type { ModuleImpact } from '../../../src/design/design-impact.ts';
import { impactDraft, impactProblems, readWishes } from '../../../src/workflows/design/rules/impact-override.ts';

const modules: readonly ModuleImpact[] = [
  { module: 'M-001', impact: 'kept', reasons: ['nothing it is made of or uses has changed its meaning'] },
  { module: 'M-002', impact: 'revised-direct', reasons: ['its own file has changed', 'its protocol has changed'] },
  { module: 'M-003', impact: 'revised-downstream', reasons: ['the interfaces of M-002 have changed their meaning'] },
];
const draft = impactDraft(modules);

it('takes lines in words and in the edited list, without the comment that stands there', () => {
  const asked = { module: 'M-003', from: 'revised-downstream', to: 'kept', why: 'it only prints' };
  const edited = draft.replace('M-003: revised-downstream', 'M-003: kept because it only prints');
  for (const text of ['M-003: kept because it only prints', edited]) {
    expect(readWishes(modules, text)).toMatchObject({ status: 'usable', overrides: [asked] });
    expect(impactProblems(text, draft)).toEqual([]);
  }
});

it('the list as it stands changes nothing, with line ends of Windows too', () => {
  for (const text of [draft, draft.replaceAll('\n', '\r\n')])
    expect(readWishes(modules, text)).toEqual({ status: 'usable', modules, overrides: [] });
});

it.each([
  ['leave M-003 alone', 'Write a line for each module to change, such as "M-004: kept because …".'],
  ['', 'Write a line for each module to change, such as "M-004: kept because …".'],
  ['M-003: kept', 'Say why M-003 should be kept: "M-003: kept because …".'],
  [draft.replace('M-003: revised-downstream', 'M-003: kept'), 'Say why M-003 should be kept: "M-003: kept because …".'],
  ['M-002: kept because I say so', 'M-002 has changed itself and cannot be kept.'],
  ['M-009: kept because I say so', 'M-009 is not a module of either design.'],
])('agrees to nothing for %j', (text, problem) => {
  expect(readWishes(modules, text)).toEqual({ status: 'faulty', problems: [problem] });
  expect(impactProblems(text, draft)).toEqual([problem]);
});
