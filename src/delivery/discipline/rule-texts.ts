/** What each rule of the delivery discipline says to a person: its id, what is wrong, what to do. Data only. */
import type { FoundIssue } from '../plan-issue.ts';

const rules = {
  'several-outcomes': ['CR-AF12', 'One assertion accepts several outcomes.', 'Assert the one outcome that is right.'],
  tautology: ['CR-AF12', 'The assertion cannot fail.', 'Assert something the code under test decides.'],
  'bare-expect': ['CR-AF12', 'expect(…) without a matcher asserts nothing.', 'Add the matcher.'],
  'empty-test': ['CR-AF12', 'The test is empty.', 'Write the test, or remove it.'],
  'no-assertion': ['CR-AF12', 'The test asserts nothing.', 'Assert what has to be true at the end.'],
  'warn-and-go-on': ['CR-AF12', 'The test prints a warning and goes on instead of failing.', 'Assert it.'],
  'catch-all': [
    'CR-AF12',
    'A failed assertion is caught here and the test passes.',
    'Let it fail, or assert the error in the catch.',
  ],
  'early-return': [
    'CR-AF12',
    'The test leaves before it asserts anything.',
    'Assert the condition, or skip with // SKIP: reason; tracked in owner/repo#123.',
  ],
  conditional: [
    'CR-AF12',
    'The test asserts something only under a condition, and passes without it.',
    'Assert the condition first.',
  ],
  'empty-catch': [
    'CR-AF12',
    'The error is caught and nothing happens.',
    'Handle it, let it pass on, or say in a comment why it may be ignored.',
  ],
  'skip-without-issue': [
    'CR-AF14',
    'The test is skipped without an issue.',
    'Write // SKIP: reason; tracked in owner/repo#123.',
  ],
  'singled-out': ['CR-AF14', 'Only this test runs; the others are skipped without an issue.', 'Remove "only".'],
  'no-error': [
    'CR-AF20',
    'That no error came is all the test asserts.',
    'Assert what changed: the result, the state, what a user sees.',
  ],
  'only-logs': ['CR-AF12', 'The test asserts only what was logged.', 'Assert the state or the result.'],
  'silent-write': [
    'DD-SW1',
    'The write does not look at how many rows it changed.',
    'Check the number of affected rows.',
  ],
  'route-not-mounted': [
    'DD-SW3',
    'The routes are defined, but nothing mounts them.',
    'Mount the router where the application is put together.',
  ],
  'middleware-not-used': [
    'DD-SW4',
    'The middleware is written, but in no chain.',
    'Use it where requests are handled.',
  ],
  'open-door': ['DD-SW6', 'Access is allowed when the context is missing.', 'Refuse when there is nobody to allow.'],
  'error-as-success': [
    'DD-SW7',
    'Every error is reported as success.',
    'Return the failure, or let the error pass on.',
  ],
  'name-and-content': [
    'DD-E',
    'The name of the test promises something the test does not look at.',
    'Assert what the name says, or rename the test.',
  ],
} as const satisfies Readonly<Record<string, readonly [rule: string, description: string, fix: string]>>;

export type RuleName = keyof typeof rules;

export function ruleIssue(name: RuleName, line: number, detail?: string): FoundIssue {
  const [rule, description, fix] = rules[name];
  return { rule, line, description: detail === undefined ? description : `${description} (${detail})`, fix };
}
