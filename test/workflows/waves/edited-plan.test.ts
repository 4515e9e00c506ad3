/** A plan a person edited: what is wrong with it is said with its line, and what is right is taken. */
import { describe, expect, it } from 'vitest';
import { planSchema } from '../../../src/plan/plan.ts';
import { readEditedWaves } from '../../../src/workflows/waves/edited-plan.ts';

const before = { plan: planSchema.parse({ objective: 'x', tasks: [] }), waves: [['T1']] };
const good = `waves:
  - [T1]
tasks:
  - id: T1
    title: Multiply
    writes: [src/mul.js]
    verify: [npm test]
`;

function problems(text: string): readonly string[] {
  const edited = readEditedWaves(text, before);
  return edited.status === 'faulty' ? edited.problems : [];
}

describe('readEdited', () => {
  it('takes a plan that can be used', () => {
    expect(readEditedWaves(good, before)).toMatchObject({
      status: 'usable',
      plan: { tasks: [{ id: 'T1' }] },
      waves: [['T1']],
    });
  });

  it('says what is wrong and in which line', () => {
    expect(problems(good.replace('title:', 'titel:'))).toEqual([
      'line 4, tasks[0].title: It is missing. Add "title": a string.',
      expect.stringMatching(/^line 5, tasks\[0\]\.titel: There is no field "titel"\./),
    ]);
    expect(problems(good.replace('[T1]', '[T1, T9]'))).toEqual([
      'line 2, waves[0][1]: There is no task "T9". Name a task of the plan.',
    ]);
    expect(problems(good.replace('title: Multiply', 'title: Multiply: twice'))).toEqual([
      expect.stringMatching(/^line 5: Nested mappings/),
    ]);
    expect(problems('')).toEqual(['tasks: It is missing. Add "tasks": a list.']);
  });
});
