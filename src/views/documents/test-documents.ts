/** `{slug}-test-W{n}.md` and `{slug}-test-integration.md`: what testers reported, beside what the engine measured. */
import type { Bug, TesterResult } from '../../policy/role-results.ts';
import { replyOf } from '../agent-reading.ts';
import { attemptsOf, type Chronicle } from '../chronicle.ts';
import { plainLine } from '../terminal-text.ts';
import { outputOf } from '../view-node.ts';
import { integrationRounds, isFirst, roundsOf, wavesStep } from '../waves-keys.ts';
import { checksText, tally } from '../wording.ts';
import { list, page, prose, section } from './markdown.ts';

interface TestRound {
  readonly title: string;
  readonly test: string;
  readonly verify: string;
}

export function testDocument(chronicle: Chronicle, wave: number): string | undefined {
  const rounds = roundsOf(chronicle, `W${wave}`).map(({ number, test, verify }) => ({
    title: titleOf(number),
    test,
    verify,
  }));
  return report(chronicle, `Test of wave ${wave}`, rounds);
}

export function integrationDocument(chronicle: Chronicle): string | undefined {
  const rounds = integrationRounds(chronicle).flatMap(({ number, keys }) =>
    keys
      .filter((key) => isFirst(key, 'integration-test'))
      .map((test) => ({ title: titleOf(number), test, verify: `integration/verify#${roundOf(test)}` })),
  );
  return report(chronicle, 'Full integration test', rounds);
}

function titleOf(number: number): string {
  return number === 1 ? 'Round 1' : `Test after fix round ${number - 1}`;
}

function roundOf(key: string): number {
  const step = wavesStep(key);
  return step !== undefined && 'round' in step ? step.round : 1;
}

function report(chronicle: Chronicle, title: string, rounds: readonly TestRound[]): string | undefined {
  const ended = rounds.filter(({ test }) => attemptsOf(chronicle, test).some((key) => chronicle.readings.has(key)));
  if (ended.length === 0) return undefined;
  return page(title, [
    `Result: ${resultOf(chronicle, ended.at(-1) as TestRound)}`,
    ...ended.map((round) => section(round.title, roundText(chronicle, round))),
  ]);
}

/** A tester without a usable reply leaves the thing unverified; the engine's red outweighs a pass. */
function resultOf(chronicle: Chronicle, { test, verify }: TestRound): string {
  const reply = replies(chronicle, test).reply;
  const checks = outputOf(chronicle, `${verify}/check`, 'check.run');
  if (reply === undefined) return 'unverified';
  if (reply.result === 'pass' && checks?.status === 'failed') return 'fail (the tester passed it, the checks did not)';
  return reply.result;
}

function replies(chronicle: Chronicle, key: string): { reply: TesterResult | undefined; cut: readonly string[] } {
  const readings = attemptsOf(chronicle, key).flatMap((attempt) => chronicle.readings.get(attempt) ?? []);
  return {
    reply: readings.map((reading) => replyOf(reading, 'tester')).findLast((one) => one !== undefined),
    cut: readings.flatMap((one) =>
      one.status === 'accepted' ? [] : [`Attempt ${one.attempt} did not count: ${one.why}`],
    ),
  };
}

function roundText(chronicle: Chronicle, { test, verify }: TestRound): string {
  const { reply, cut } = replies(chronicle, test);
  const checks = outputOf(chronicle, `${verify}/check`, 'check.run');
  const evidence = outputOf(chronicle, `${verify}/evidence`, 'evidence.measure');
  const engine = [
    ...(checks === undefined ? [] : [`Checks: ${checksText(checks)}`]),
    ...(evidence?.redGreen ?? []).map(
      (one) => `Red before green: ${one.result} (${one.files.join(', ')}): ${one.reason}`,
    ),
    ...(evidence?.findings ?? []).map((one) => `Finding: ${one.path}:${one.line} ${one.claim}`),
  ];
  return [
    ...(reply === undefined ? ['No usable reply: unverified.', list(cut)] : replyParts(reply, cut)),
    ...(engine.length === 0 ? [] : [`### Measured by the engine\n\n${list(engine)}`]),
  ].join('\n\n');
}

function replyParts(reply: TesterResult, cut: readonly string[]): string[] {
  const counts = tally(reply);
  return [
    list([`Result: ${reply.result}`, ...(counts === '' ? [] : [`Tests: ${counts}`]), ...cut]),
    ...(reply.summary === '' ? [] : [prose(reply.summary)]),
    ...(reply.bugs.length === 0 ? [] : [`### Bugs\n\n${reply.bugs.map(bugText).join('\n')}`]),
    ...(reply.skipped.length === 0
      ? []
      : [`### Skipped\n\n${list(reply.skipped.map((one) => `${one.test}: ${one.reason}`))}`]),
  ];
}

function bugText(bug: Bug): string {
  const facts = [
    `Category: ${bug.category}`,
    `Severity: ${bug.severity}`,
    `Wave: ${bug.wave}`,
    ...(bug.files.length === 0 ? [] : [`Files: ${bug.files.join(', ')}`]),
    ...(bug.reproduction === '' ? [] : [`Reproduction: ${bug.reproduction}`]),
    ...(bug.expected === '' ? [] : [`Expected: ${bug.expected}`]),
    ...(bug.actual === '' ? [] : [`Actual: ${bug.actual}`]),
  ];
  return [`- ${plainLine(bug.title)}`, ...facts.map((fact) => `  - ${plainLine(fact)}`)].join('\n');
}
