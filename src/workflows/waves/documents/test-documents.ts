/** `{slug}-test-W{n}.md` and `{slug}-test-integration.md`: what testers reported, beside what the engine measured. */

import type { Chronicle } from '../../../views/chronicle.ts';
import { markdownList, markdownPage, markdownProse, markdownSection } from '../../../views/markdown.ts';
import { plainLine } from '../../../views/terminal-text.ts';
import { checksText } from '../../../views/wording.ts';
import type { Bug, TesterResult } from '../role-results.ts';
import { tallyText } from '../wave-wording.ts';
import { type AgentStep, integrationPlace, replyOf, roundsAt, type WaveRound, wavePlace } from './wave-record.ts';

export function testDocument(run: Chronicle, wave: number): string | undefined {
  return report(`Test of wave ${wave}`, roundsAt(run, wavePlace(wave)));
}

export function integrationDocument(run: Chronicle): string | undefined {
  return report('Full integration test', roundsAt(run, integrationPlace));
}

interface TestedRound extends WaveRound {
  readonly tester: AgentStep;
}

function report(title: string, rounds: readonly WaveRound[]): string | undefined {
  const tested = rounds.flatMap((round): TestedRound[] => {
    const tester = round.agents.find(({ sessions, isOver }) => isOver && sessions.at(-1)?.role === 'tester');
    return tester === undefined ? [] : [{ ...round, tester }];
  });
  const last = tested.at(-1);
  if (last === undefined) return undefined;
  return markdownPage(title, [
    `Result: ${resultOf(last)}`,
    ...tested.map((round) => markdownSection(titleOf(round.number), roundText(round))),
  ]);
}

function titleOf(number: number): string {
  return number === 1 ? 'Round 1' : `Test after fix round ${number - 1}`;
}

/** A tester without a usable reply leaves the thing unverified; the engine's red outweighs a pass. */
function resultOf({ tester, checks }: TestedRound): string {
  const reply = replyOf(tester, 'tester');
  if (reply === undefined) return 'unverified';
  if (reply.result === 'pass' && checks?.status === 'failed') return 'fail (the tester passed it, the checks did not)';
  return reply.result;
}

function roundText({ tester, checks, evidence }: TestedRound): string {
  const reply = replyOf(tester, 'tester');
  const cut = tester.recoveries;
  const engine = [
    ...(checks === undefined ? [] : [`Checks: ${checksText(checks)}`]),
    ...(evidence?.redGreen ?? []).map(
      (one) => `Red before green: ${one.result} (${one.files.join(', ')}): ${one.reason}`,
    ),
    ...(evidence?.findings ?? []).map((one) => `Finding: ${one.path}:${one.line} ${one.claim}`),
  ];
  return [
    ...(reply === undefined ? ['No usable reply: unverified.', markdownList(cut)] : replyParts(reply, cut)),
    ...(engine.length === 0 ? [] : [`### Measured by the engine\n\n${markdownList(engine)}`]),
  ].join('\n\n');
}

function replyParts(reply: TesterResult, cut: readonly string[]): string[] {
  const counts = tallyText(reply);
  return [
    markdownList([`Result: ${reply.result}`, ...(counts === '' ? [] : [`Tests: ${counts}`]), ...cut]),
    ...(reply.summary === '' ? [] : [markdownProse(reply.summary)]),
    ...(reply.bugs.length === 0 ? [] : [`### Bugs\n\n${reply.bugs.map(bugText).join('\n')}`]),
    ...(reply.skipped.length === 0
      ? []
      : [`### Skipped\n\n${markdownList(reply.skipped.map((one) => `${one.test}: ${one.reason}`))}`]),
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
