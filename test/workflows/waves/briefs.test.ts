import { describe, expect, it } from 'vitest';
import { bugSchema, developerResult } from '../../../src/workflows/waves/role-results.ts';
import {
  developerBrief,
  learnerBrief,
  plannerBrief,
  testerBrief,
  type WaveBrief,
} from '../../../src/workflows/waves/briefs.ts';
import { wavesInputSchema } from '../../../src/workflows/waves/waves-input.ts';
import { red, task } from '../moves/support.ts';

const agents = { planner: 'a', developer: 'a', tester: 'a', learner: 'a' };
const input = wavesInputSchema.parse({ requirement: 'Add numbers', slug: 'add-numbers', agents });
const brief: WaveBrief = { input, waves: [{ id: 'W1', tasks: [task('T1')] }], total: 1, handoffs: [], missing: [] };
const bugs = [bugSchema.parse({ title: 'too small', category: 'unit' })];
const titles = (text: string): string[] => [...text.matchAll(/^## (.*)$/gm)].map(([, title = '']) => title);

describe('briefs', () => {
  it('begin alike for every round of a wave, and end with what to do now', () => {
    const first = developerBrief(brief, { mode: 'implement' });
    const fix = developerBrief(brief, { mode: 'fix', bugs, report: red(), unfinished: 'T2 is open' });
    const test = testerBrief(brief, { mode: 'integration' });
    const stable = first.slice(0, first.indexOf('## Now'));
    expect(fix.startsWith(stable)).toBe(true);
    expect(test.startsWith(stable)).toBe(true);
    expect(titles(fix).slice(titles(stable).length)).toEqual([
      'Bugs to fix',
      'What you left unfinished',
      'What the checks say',
      'Now',
    ]);
    for (const text of [first, fix, test]) expect(titles(text).at(-1)).toBe('Now');
  });

  it('tell a recovery everything the attempt before was told, and why there is one', () => {
    const developed = developerResult.parse({ status: 'success', summary: 's' });
    const situations: ((recovery?: string) => string)[] = [
      (why) => developerBrief(brief, { mode: 'fix', bugs }, why),
      (why) => testerBrief(brief, { mode: 'retest', bugs, developed }, why),
      (why) => plannerBrief({ input, lessons: [], decisions: [], note: { kind: 'decisions' } }, why),
      (why) => learnerBrief({ input, story: 'W1: done', known: [] }, why),
    ];
    for (const write of situations) {
      expect(write('It was cut off.').startsWith(write().trimEnd())).toBe(true);
      expect(write('It was cut off.')).toContain(
        'This is a recovery: an earlier attempt did not give a usable result. It was cut off.',
      );
    }
  });

  it('cut each section by itself, and say so', () => {
    const huge = {
      ...red(),
      commands: red().commands.map((command) => ({ ...command, output: 'x'.repeat(1_000_000) })),
    };
    const long = { ...input, requirement: 'r'.repeat(1_000_000), guidance: 'g'.repeat(1_000_000) };
    const text = developerBrief({ ...brief, input: long }, { mode: 'fix', bugs, report: huge });
    expect(text.match(/^\[cut: .* characters shown\]$/gm)).toHaveLength(3);
    expect(text.length).toBeLessThan(100_000);
    expect(text).toContain('- [major] too small');
  });
});
