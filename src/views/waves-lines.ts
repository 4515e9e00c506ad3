/** The lines of a `waves` run: what a step begins with, and what it came to. */
import { counted, shortCommit } from './figures.ts';
import { forecastNotes } from './forecast-text.ts';
import { type Chronicle, lastReading, type Note } from './chronicle.ts';
import { replyOf } from './agent-reading.ts';
import { type Proposal, proposalOf, slugOf } from './proposal.ts';
import { outputOf } from './view-node.ts';
import { fixRounds, integrationRounds, roundsOf, type WavesStep, wavesStep } from './waves-keys.ts';
import { bugLine, checksText, planFigures, tally } from './wording.ts';

type Lines = string | readonly string[] | undefined;

export function wavesStarted(key: string, chronicle: Chronicle): Lines {
  const step = wavesStep(key);
  // A recovery was announced when the attempt before it ended; a resumed attempt by the resuming.
  if (step === undefined || key.includes('/recovery#')) return undefined;
  if ((chronicle.state.effects.get(key)?.attempts ?? 1) > 1) return undefined;
  if (step.step === 'plan') return step.round === 1 ? 'Planning' : `Planning again (round ${step.round})`;
  if (step.step === 'develop' || step.step === 'test') return sessionStarted(step, chronicle);
  if (step.step === 'learn') return 'Learning';
  const round = `(round ${fixing(chronicle)}/${fixRounds})`;
  if (step.step === 'integration-fix') return `Integration: wave ${step.wave} fixes bugs ${round}`;
  if (step.step !== 'integration-test') return undefined;
  return fixing(chronicle) === 0 ? 'Integration test' : `Integration test again ${round}`;
}

export function wavesFinished(key: string, chronicle: Chronicle): Lines {
  const step = wavesStep(key);
  if (step === undefined) return undefined;
  const reader = finishers[step.step];
  return reader === undefined ? undefined : reader({ key, step, chronicle, name: nameOf(step, chronicle) });
}

/** The plan is told when it is proposed, and again when a person changed its waves. */
export function wavesNoted(key: string, chronicle: Chronicle): Lines {
  const proposal = proposalOf(chronicle);
  if (proposal === undefined || (!/^proposal(#|$)/.test(key) && key !== 'waves')) return undefined;
  if (key === 'waves' && sameWaves(lastProposal(chronicle)?.data, proposal.waves)) return undefined;
  return [
    `Plan ready: ${planFigures(proposal)}, .forge/${proposal.slug}-plan.md`,
    ...overviewLines(proposal),
    `Wave plan: ${counted(proposal.waves.length, 'wave')}`,
    ...proposal.waves.map((wave, index) => `  Wave ${index + 1}: ${wave.join(', ')}`),
    ...proposal.warnings.map((warning) => `Warning: ${warning}`),
    ...forecastNotes(chronicle),
  ];
}

function overviewLines({ overview, knowledgeApplied, confirmedDecisions }: Proposal): string[] {
  return [
    ...(overview === undefined
      ? []
      : [
          `  Tech stack: ${overview.techStack}`,
          `  Architecture: ${overview.architecture}`,
          `  Business logic: ${overview.businessLogic}`,
          ...overview.keyDecisions.map((decision) => `  Key decision: ${decision}`),
        ]),
    ...confirmedDecisions.map(({ question, answer }) => `  Confirmed: ${question} ${answer}`),
    ...(knowledgeApplied.length === 0 ? [] : [`  Lessons applied: ${knowledgeApplied.length}`]),
  ];
}

/** `W1` as `Wave 1/2`. */
export function waveTitle(chronicle: Chronicle, task: string): string {
  const number = /^W(\d+)$/.exec(task)?.[1];
  return number === undefined ? task : `Wave ${number}/${proposalOf(chronicle)?.waves.length ?? '?'}`;
}

function sessionStarted(step: Extract<WavesStep, { wave: number; round: number }>, chronicle: Chronicle): Lines {
  const name = nameOf(step, chronicle);
  const tasks = `[${proposalOf(chronicle)?.waves[step.wave - 1]?.join(', ') ?? ''}]`;
  const round = roundsOf(chronicle, `W${step.wave}`).length;
  if (round <= 1) return `${name}: ${step.step === 'develop' ? 'developing' : 'testing'} ${tasks}`;
  const what = step.step === 'test' ? 'testing again' : `fixing ${whatToFix(step.wave, chronicle)}`;
  return `${name}: ${what} (round ${round - 1}/${fixRounds})`;
}

/** The tester's bugs of the round before, or what the engine itself found. */
function whatToFix(wave: number, chronicle: Chronicle): string {
  const before = roundsOf(chronicle, `W${wave}`).at(-2);
  const test = before === undefined ? undefined : replyOf(lastReading(chronicle, before.test), 'tester');
  if (test !== undefined && test.bugs.length > 0) return counted(test.bugs.length, 'bug');
  const report = before === undefined ? undefined : outputOf(chronicle, `${before.verify}/check`, 'check.run');
  return report?.status === 'failed' ? 'what the checks found' : 'what was found';
}

interface Ended {
  readonly key: string;
  readonly step: WavesStep;
  readonly chronicle: Chronicle;
  readonly name: string;
}

const finishers: { readonly [S in WavesStep['step']]?: (ended: Ended) => Lines } = {
  baseline: ({ key, chronicle }) => checked(key, chronicle, 'Checks on the base'),
  develop: developed,
  'integration-fix': developed,
  check: ({ key, chronicle, name }) => checked(key, chronicle, `${name}: checks`),
  'integration-check': ({ key, chronicle }) => checked(key, chronicle, 'Integration: checks'),
  evidence: measured,
  'integration-evidence': measured,
  test: tested,
  'integration-test': tested,
  prepare: prepared,
  'integration-prepare': prepared,
  'merge-check': mergeChecked,
  'integration-merge-check': mergeChecked,
  land: landed,
  'integration-land': landed,
  learn: ({ key, chronicle }) => {
    const lessons = replyOf(chronicle.readings.get(key), 'learner')?.lessons ?? [];
    return [`${counted(lessons.length, 'lesson')} learned`, ...lessons.map((lesson) => `  - ${lesson.text}`)];
  },
  publish: ({ chronicle }) => {
    const ref = chronicle.state.refs.at(-1)?.ref;
    return ref === undefined ? undefined : `Branch ${ref.replace('refs/heads/', '')}`;
  },
};

function developed({ key, step, chronicle, name }: Ended): Lines {
  const reply = replyOf(chronicle.readings.get(key), 'developer');
  if (reply === undefined) return undefined;
  const { status, unitTests, bugsFixed, bugsRemaining } = reply;
  const isFix = step.step === 'integration-fix' || ('round' in step && step.round > 1);
  const fixed = bugsFixed.length === 0 ? 'fixed' : `${counted(bugsFixed.length, 'bug')} fixed`;
  const words = isFix
    ? { success: fixed, partial: `${fixed} in part`, failed: 'fixing failed' }
    : { success: 'developed', partial: 'developed in part', failed: 'development failed' };
  const left = bugsRemaining.length === 0 ? '' : `, ${bugsRemaining.length} not fixed`;
  const record = isFix || !('wave' in step) ? '' : `, .forge/${slugOf(chronicle)}-dev-W${step.wave}.md`;
  return `${name}: ${words[status]}${left}${unitTests === '' ? '' : ` (unit tests: ${unitTests})`}${record}`;
}

function tested({ key, step, chronicle, name }: Ended): Lines {
  const reply = replyOf(chronicle.readings.get(key), 'tester');
  if (reply === undefined) return undefined;
  const subject = step.step === 'integration-test' ? 'Integration test' : `${name}: test`;
  const counts = tally(reply);
  const figures = counts === '' ? '' : ` (${counts})`;
  const skipped = reply.skipped.map((one) => `  skipped: ${one.test}: ${one.reason}`);
  if (reply.result === 'pass') return [`${subject} passed${figures}`, ...skipped];
  const bugs = reply.bugs.map((bug) => `  - ${bugLine(bug)}`);
  return [`${subject} failed, ${counted(reply.bugs.length, 'bug')} found${figures}`, ...bugs, ...skipped];
}

function checked(key: string, chronicle: Chronicle, subject: string): Lines {
  const report = outputOf(chronicle, key, 'check.run');
  return report === undefined ? undefined : `${subject} ${checksText(report)}`;
}

function measured({ key, chronicle, name }: Ended): Lines {
  const findings = outputOf(chronicle, key, 'evidence.measure')?.findings ?? [];
  if (findings.length === 0) return undefined;
  return [
    `${name}: ${counted(findings.length, 'finding')} about the tests`,
    ...findings.map((finding) => `  - ${finding.path}:${finding.line} ${finding.claim}`),
  ];
}

function prepared({ key, chronicle, name }: Ended): Lines {
  const output = outputOf(chronicle, key, 'merge.prepare');
  if (output?.status === 'conflict') return `${name}: conflict in ${output.files.join(', ')}`;
  return output?.status === 'empty' ? `${name}: it changed nothing` : undefined;
}

/** Green again is no news; red only on the merged tree is. */
function mergeChecked({ key, chronicle, name }: Ended): Lines {
  const report = outputOf(chronicle, key, 'check.run');
  if (report === undefined || report.status === 'passed') return undefined;
  return `${name}: checks after the merge ${checksText(report)}`;
}

function landed({ key, chronicle, name }: Ended): Lines {
  const output = outputOf(chronicle, key, 'merge.land');
  if (output?.status !== 'merged') return output === undefined ? undefined : `${name}: the head moved, merging again`;
  const { after, changed, flags } = output.receipt;
  return [
    `${name}: merged ${shortCommit(after)}, ${counted(changed.length, 'file')}`,
    ...flags.map((flag) => `  flag: ${flag.case} ${flag.path}: ${flag.reason}`),
  ];
}

function nameOf(step: WavesStep, chronicle: Chronicle): string {
  return 'wave' in step && step.step !== 'integration-fix' ? waveTitle(chronicle, `W${step.wave}`) : 'Integration';
}

function fixing(chronicle: Chronicle): number {
  return Math.max(0, integrationRounds(chronicle).length - 1);
}

function sameWaves(data: unknown, waves: readonly (readonly string[])[]): boolean {
  const before: unknown = Object(data)['waves'];
  return JSON.stringify(before) === JSON.stringify(waves);
}

function lastProposal({ notes }: Chronicle): Note | undefined {
  return [...notes].findLast(([key]) => /^proposal(#|$)/.test(key))?.[1];
}
