/** Who works on a `waves` run: what each role answers with, whether it may write, and what a person reads of a reply. */
import type { StepEndInput } from '../../engine/facts.ts';
import { countText } from '../../views/figures.ts';
import { defineRole } from '../definition.ts';
import { askRolesOf } from '../moves/ask-role.ts';
import { learnerRole } from '../moves/learn.ts';
import { bugFinding } from './bug-finding.ts';
import {
  type DeveloperResult,
  developerResult,
  plannerResult,
  type TesterResult,
  testerResult,
} from './role-results.ts';
import { bugLine, planFigures, tallyText } from './wave-wording.ts';

export const waveRoles = {
  planner: defineRole({
    result: plannerResult,
    access: 'read',
    describe: (plan) => ({ status: 'done', detail: planFigures(plan) }),
  }),
  developer: defineRole({ result: developerResult, access: 'write', describe: describeDeveloper }),
  tester: defineRole({ result: testerResult, access: 'write', describe: describeTester }),
  learner: learnerRole,
};

export const askWaveRole = askRolesOf(waveRoles);

function describeDeveloper({ status, summary, unitTests, bugsFixed, bugsRemaining }: DeveloperResult): StepEndInput {
  const fixed = bugsFixed.length === 0 ? [] : [`${countText(bugsFixed.length, 'bug')} fixed`];
  const left = bugsRemaining.length === 0 ? [] : [`${bugsRemaining.length} not fixed`];
  const tests = unitTests === '' ? [] : [`unit tests: ${unitTests}`];
  const word = { success: [], partial: ['done in part'], failed: ['failed'] }[status];
  const figures = [...word, ...fixed, ...left, ...tests].join(', ');
  const detail = [summary, figures].filter((part) => part !== '').join(' · ');
  return { status: status === 'failed' ? 'failed' : 'done', detail };
}

function describeTester(reply: TesterResult): StepEndInput {
  const counts = tallyText(reply);
  const skipped = reply.skipped.map(({ test, reason }) => `skipped: ${test}: ${reason}`);
  const report = { findings: reply.bugs.map(bugFinding), unverified: skipped };
  const figures = { bugs: reply.bugs.length, ...(counts === '' ? {} : { tests: counts }) };
  if (reply.result === 'pass') {
    return { status: 'done', detail: counts === '' ? 'passed' : `passed, ${counts}`, figures, lines: skipped, report };
  }
  const found = `${countText(reply.bugs.length, 'bug')} found`;
  const detail = counts === '' ? found : `${found} (${counts})`;
  const lines = [...reply.bugs.map((bug) => `- ${bugLine(bug)}`), ...skipped];
  return { status: 'failed', detail, figures, lines, report };
}
