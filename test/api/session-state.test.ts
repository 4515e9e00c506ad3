/** What of a run counts as its modules, for those who go on with it. */
import { expect, it } from 'vitest';
import { moduleStatuses } from '../../src/api/session-state.ts';
import { chronicleOf } from '../../src/views/chronicle.ts';
import { modulesStory } from '../views/modules-steps.ts';
import { factsFrom } from '../views/steps.ts';
import { complete as waves } from '../views/story.ts';

it('are those of the plan and those that mend it, not who looks at the whole', () => {
  const story = modulesStory();
  expect(moduleStatuses(chronicleOf(factsFrom(story.complete)))).toEqual({
    m1: 'done',
    m2: 'done',
    m3: 'done',
    m4: 'done',
    'F1-1': 'done',
  });
  expect(moduleStatuses(chronicleOf(factsFrom(story.approved)))).toEqual({
    m1: 'pending',
    m2: 'pending',
    m3: 'pending',
    m4: 'pending',
  });
});

it('are done with the wave they were done in', () => {
  const statuses = Object.values(moduleStatuses(chronicleOf(factsFrom(waves))));
  expect(new Set(statuses)).toEqual(new Set(['done']));
});
