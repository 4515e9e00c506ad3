/** What is to be done in each phase, in words. A phase of the project's own is described by its role file. Pure data. */
const shared: Readonly<Record<string, string>> = {
  plan: 'Write PLAN.md into the directory of the task: what will change and why, file by file, the tests that will prove it, and the risks. Write no code.',
  'update-plan': 'Change PLAN.md where the findings of the review ask for it.',
  'review-plan':
    'Read the task and PLAN.md. Does the plan do what the task asks, all of it, and nothing else? Can its tests fail?',
  implement:
    'Build what PLAN.md says, with its tests. Run the project’s checks. Change nothing that the plan does not name.',
  'update-impl': 'Change the code where the findings of the review ask for it.',
  'review-code': 'Read the difference below and the files around it. Compare it with the task and the plan.',
  validate: 'Check the acceptance criteria of the task against the code and what the engine measured.',
  approve: 'Decide whether the work fits the whole. Approve it, or ask for a revision with reasons.',
  writeback:
    'Bring documents up to date that this change made wrong. Change no code. Leaving everything as it is can be right.',
  commit:
    'Sum up the finished work for its commit: `objective` becomes the subject, `key_changes` the body. Change no files; Forge merges the work.',
};

const ofBugs: Readonly<Record<string, string>> = {
  triage: 'Find the cause of the bug and choose a route. Change no code.',
  'plan-fix': 'Write PLAN.md into the directory of the bug: the cause, the fix, and the test that fails before it.',
  implement: 'Fix the cause. Add a test that failed before. Run the project’s checks.',
  approve: 'Decide whether the fix removes the cause and can be merged.',
};

export function phaseTask(kind: 'task' | 'bug', role: string): string {
  const own = kind === 'bug' && Object.hasOwn(ofBugs, role) ? ofBugs[role] : undefined;
  return own ?? (Object.hasOwn(shared, role) ? shared[role] : undefined) ?? 'Do what your role says.';
}
