import { expect, it } from 'vitest';
import { type CheckReport, commandResultSchema } from '../../src/policy/check-report.ts';
import { describeJudges } from '../../src/policy/describe-judges.ts';

const command = (label: string, status: string, reason: string, counts?: object) =>
  commandResultSchema.parse({
    argv: label.split(' '),
    label,
    cwd: '.',
    exit: 0,
    status,
    reason,
    durationMs: 1,
    output: '',
    ...(counts === undefined ? {} : { counts }),
  });
const base = (...commands: CheckReport['commands']): CheckReport => ({
  commit: 'c',
  tree: 't',
  judge: 'c',
  source: 'settings',
  status: 'passed',
  commands,
  checkChanged: [],
});

it('shows how the base stands with every command, and what the plan adds', () => {
  const counts = { passed: 7, failed: 1, skipped: 0, failing: ['a'] };
  const report = base(
    command('npm test', 'failed', 'exit 1, 1 of 8 tests fail', counts),
    command('npm run lint', 'failed', 'exit 1'),
    command('npm run types', 'passed', 'exit 0'),
  );
  expect(describeJudges(report, ['npm test', { run: ['node', 'tool.js'] }])).toBe(
    [
      'These commands judge every change:',
      '  npm test (on the base: exit 1, 1 of 8 tests fail; these failures do not count against the run)',
      '  npm run lint (on the base: exit 1; it does not name what fails, so every task has to make it pass)',
      '  npm run types (on the base: passes)',
      '  node tool.js (added by the plan)',
    ].join('\n'),
  );
});

it('says where nothing judges', () => {
  expect(describeJudges(base(), [])).toContain('Nothing can verify the result');
  expect(describeJudges(base(), ['node x.js'])).toContain('Only the commands of the plan judge:\n  node x.js');
});
