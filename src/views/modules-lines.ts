/**
 * The lines of a `modules` run: phases announced, each module's beginning and end with its score, what is tried again
 * and why, what the three lenses found together, and how far it is.
 */
import type { FactOf } from '../engine/facts.ts';
import { replyOf } from './agent-reading.ts';
import { type Chronicle, lastReading } from './chronicle.ts';
import { counted, shortCommit } from './figures.ts';
import { forecastNotes } from './forecast-text.ts';
import {
  eventsOf,
  finalRound,
  isLens,
  lensRound,
  type ModulesStep,
  modulesStep,
  moduleTitle,
  retriesOf,
} from './modules-keys.ts';
import { modulesProposal, type ModulesProposal } from './modules-proposal.ts';
import {
  isReleasable,
  modulesProgress,
  nothingToReview,
  overlapLines,
  proposalFigures,
  releaseBlockers,
} from './modules-wording.ts';
import { lastMeasured, scoreText } from './validation.ts';
import { outputOf } from './view-node.ts';
import { checksText, findingFigures, findingLine, patternRemark } from './wording.ts';

type Lines = string | readonly string[] | undefined;

export function modulesStarted(key: string, chronicle: Chronicle): Lines {
  // A recovery was announced when the attempt before it ended; a resumed attempt by the resuming.
  if (key.includes('/recovery#') || (chronicle.state.effects.get(key)?.attempts ?? 1) > 1) return undefined;
  return told(starts, key, chronicle);
}

export function modulesFinished(key: string, chronicle: Chronicle): Lines {
  return told(ends, key, chronicle);
}

/** Steps of one shape share a member of the union, so a step is found by what it may be. */
type StepOf<S extends ModulesStep['step']> = ModulesStep extends infer T
  ? T extends { readonly step: infer P }
    ? S extends P
      ? T
      : never
    : never
  : never;
type Tellers = { readonly [S in ModulesStep['step']]?: (step: StepOf<S>, key: string, chronicle: Chronicle) => Lines };

function told(tellers: Tellers, key: string, chronicle: Chronicle): Lines {
  const step = modulesStep(key);
  if (step === undefined) return undefined;
  const teller = tellers[step.step] as ((step: ModulesStep, key: string, chronicle: Chronicle) => Lines) | undefined;
  return teller?.(step, key, chronicle);
}

const starts: Tellers = {
  plan: ({ round }) => (round === 1 ? 'Phase 1: Planning' : `Planning again (round ${round})`),
  develop: redeveloping,
  tools: retrying,
  debug: ({ module, round }, _, chronicle) =>
    `  ${module}: debugging (${round}/${retriesOf(taskOf(chronicle, module))})`,
  'final-diff': ({ round }) =>
    round === 1 ? 'Phase 3: Final review through three lenses' : `Final review again (round ${round})`,
  learn: () => 'Phase 4: Learning',
};

const ends: Tellers = {
  baseline: (_, key, chronicle) => {
    const report = outputOf(chronicle, key, 'check.run');
    return report === undefined ? undefined : `Checks on the base ${checksText(report)}`;
  },
  review: reviewed,
  'debug-review': reviewed,
  overseer: ({ module }, key, chronicle) => {
    const reply = replyOf(chronicle.readings.get(key), 'overseer');
    return reply === undefined ? undefined : `  ${module}: overseer: ${reply.classification}: ${reply.evidence}`;
  },
  debug: ({ module }, key, chronicle) => {
    const cause = replyOf(chronicle.readings.get(key), 'debugger')?.rootCause ?? '';
    return cause === '' ? undefined : `  ${module}: cause: ${cause}`;
  },
  prepare: ({ module }, key, chronicle) => {
    const output = outputOf(chronicle, key, 'merge.prepare');
    return output?.status === 'conflict' ? `  ${module}: conflict in ${output.files.join(', ')}` : undefined;
  },
  'merge-check': ({ module }, key, chronicle) => {
    // Green again is no news; red only on the merged tree is.
    const report = outputOf(chronicle, key, 'check.run');
    if (report === undefined || report.status === 'passed') return undefined;
    return `  ${module}: checks after the merge ${checksText(report)}`;
  },
  'merge-contracts': ({ module }, key, chronicle) => {
    const failed = outputOf(chronicle, key, 'contracts.check')?.results.filter((result) => !result.passed) ?? [];
    if (failed.length === 0) return undefined;
    return [
      `  ${module}: after the merge, modules do not fit together`,
      ...failed.map(({ file, line, message }) => `    - ${file}${line === 0 ? '' : `:${line}`} ${message}`),
    ];
  },
  land: landed,
  lens: ({ lens }, key, chronicle) => {
    const reply = replyOf(chronicle.readings.get(key), 'auditor');
    return reply === undefined ? undefined : `  Lens ${lens}: ${findingFigures(reply.findings)}`;
  },
  learn: (_, key, chronicle) => {
    const lessons = replyOf(lastReading(chronicle, key), 'learner')?.lessons ?? [];
    return [`${counted(lessons.length, 'lesson')} learned`, ...lessons.map((lesson) => `  - ${lesson.text}`)];
  },
  save: (_, key, chronicle) => {
    // What the learner named has just been told.
    const added = outputOf(chronicle, key, 'memory.save')?.added ?? 0;
    const learnt = replyOf(lastReading(chronicle, 'learn'), 'learner')?.lessons.length ?? 0;
    return added === learnt ? undefined : `${added} new in memory${patternRemark(added, learnt)}`;
  },
  publish: (_, __, { state }) => {
    const ref = state.refs.at(-1)?.ref;
    return ref === undefined ? undefined : `Branch ${ref.replace('refs/heads/', '')}`;
  },
};

export function moduleStarted({ key, data }: FactOf<'task.started'>, chronicle: Chronicle): Lines {
  if (isLens(key)) return undefined;
  const begun = [...chronicle.state.tasks.keys()].length === 1;
  const proposal = begun ? modulesProposal(chronicle) : undefined;
  const phase = proposal === undefined ? [] : [`Phase 2: Executing ${proposalFigures(proposal)}${atOnce(proposal)}`];
  return [...phase, `▶ ${data.task}: Starting "${moduleTitle(chronicle, data.task)}"`];
}

export function moduleEnded({ key, data }: FactOf<'task.ended'>, chronicle: Chronicle): Lines {
  if (isLens(key)) return lensEnded(key, chronicle);
  const { task, status, reason } = data;
  const title = `"${moduleTitle(chronicle, task)}"`;
  const measured = lastMeasured(chronicle, task);
  const score = measured === undefined ? '' : ` - ${scoreText(measured)}`;
  const lines = {
    done: `✓ ${task}: DONE ${title}${score}`,
    failed: `✗ ${task}: FAILED ${title}${score} - ${reason}`,
    blocked: `⊘ ${task}: BLOCKED ${title} - ${reason}`,
    skipped: `⊘ ${task}: SKIPPED ${title} - ${reason}`,
  };
  const progress = progressLine(chronicle);
  const { remaining, done } = modulesProgress(chronicle);
  const isTold = status !== 'skipped' || remaining === 0;
  const lost = remaining === 0 && done === 0 ? [`Phase 3: Final review: ${nothingToReview}`] : [];
  return [lines[status], ...(key === task && isTold ? [progress, ...lost] : [])];
}

function progressLine(chronicle: Chronicle): string {
  const { done, total, failed, skipped, remaining } = modulesProgress(chronicle);
  const left = skipped === 0 ? '' : ` | ${skipped} skipped`;
  return `Progress: ${done}/${total} modules done | ${failed} failed${left} | ${remaining} remaining`;
}

/** The plan is told whenever one is proposed. */
export function modulesNoted(key: string, chronicle: Chronicle): Lines {
  const proposal = modulesProposal(chronicle);
  if (proposal === undefined || !/^proposal(#|$)/.test(key)) return undefined;
  return [
    `Plan ready: ${proposalFigures(proposal)}`,
    ...proposal.tasks.map(({ id, title, complexity, depends }) => {
      const after = depends.length === 0 ? '' : `, after ${depends.join(', ')}`;
      return `  ${id}: ${title} (${complexity}${after})`;
    }),
    ...overlapLines(proposal.tasks).map((line) => `Overlap: ${line}`),
    ...proposal.dirtyOverlap.map((path) => `Uncommitted: ${path} has changes of yours that agents do not see`),
    ...proposal.warnings.map((warning) => `Warning: ${warning}`),
    ...proposal.remembered.map((risk) => `Known risk: ${risk}`),
    ...forecastNotes(chronicle),
  ];
}

function atOnce({ lite, parallel, barriers }: ModulesProposal): string {
  if (lite) return '';
  return `, up to ${parallel} at once${barriers ? ', stage by stage' : ''}`;
}

function taskOf(chronicle: Chronicle, module: string) {
  return chronicle.state.plan?.tasks.find((task) => task.id === module);
}

/** The validation that failed has just ended, and another attempt begins. */
function retrying({ module }: StepOf<'tools'>, _: string, chronicle: Chronicle): Lines {
  const measured = lastMeasured(chronicle, module);
  if (measured === undefined) return undefined;
  const round = eventsOf(chronicle, module).findLast((event) => event.type === 'validation')?.round ?? 1;
  const most = retriesOf(taskOf(chronicle, module));
  const title = moduleTitle(chronicle, module);
  return [
    `✗ ${module}: FAILED "${title}" - ${scoreText(measured)} - retrying (${round}/${most})`,
    ...measured.failed.map(({ name }) => `  - ${name}`),
  ];
}

function redeveloping({ module, round }: StepOf<'develop'>, key: string): Lines {
  if (round > 1) return `  ${module}: mending what the reviewer found (round ${round})`;
  const generation = /@(\d+)\//.exec(key)?.[1];
  return generation === undefined ? undefined : `  ${module}: built again on the newer head (${generation})`;
}

/** Only what was found is news. */
function reviewed({ module }: { readonly module: string }, key: string, chronicle: Chronicle): Lines {
  const findings = replyOf(chronicle.readings.get(key), 'reviewer')?.findings ?? [];
  if (findings.length === 0) return undefined;
  return [
    `  ${module}: review: ${findingFigures(findings)}`,
    ...findings.map((finding) => `    - ${findingLine(finding)}`),
  ];
}

function landed({ module }: { readonly module: string }, key: string, chronicle: Chronicle): Lines {
  const output = outputOf(chronicle, key, 'merge.land');
  if (output?.status !== 'merged')
    return output === undefined ? undefined : `  ${module}: the head moved, merging again`;
  const { after, changed, flags } = output.receipt;
  return [
    `  ${module}: merged ${shortCommit(after)}, ${counted(changed.length, 'file')}`,
    ...flags.map((flag) => `    flag: ${flag.case} ${flag.path}: ${flag.reason}`),
  ];
}

/** What all lenses came to is told with the last of them. */
function lensEnded(key: string, chronicle: Chronicle): Lines {
  const found = finalRound(chronicle, lensRound(key) ?? 1);
  if (found === undefined) return undefined;
  const { mustFix, advisory, missing } = found;
  return [
    `Final review: ${3 - missing.length} of 3 lenses complete`,
    `Must-fix: ${counted(mustFix.length, 'finding')} - RELEASE ${isReleasable(chronicle, found) ? 'CLEAR' : 'BLOCKED'}`,
    ...releaseBlockers(chronicle).map((blocker) => `  - ${blocker}`),
    ...mustFix.map((finding) => `  - ${findingLine(finding)}`),
    ...missing.map((lens) => `  - nobody looked through lens ${lens}`),
    `Advisory: ${counted(advisory.length, 'finding')} - logged, not blocking`,
    ...advisory.map((finding) => `  - ${findingLine(finding)}`),
  ];
}
