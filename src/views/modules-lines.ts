/**
 * The lines of a `modules` run: phases announced, each module's beginning and end with its score, what is tried again
 * and why, what the three lenses found together, and how far it is.
 */
import type { FactOf } from '../engine/facts.ts';
import { replyOf } from './agent-reading.ts';
import { type Chronicle, lastReading } from './chronicle.ts';
import { counted, shortCommit } from './figures.ts';
import {
  eventsOf,
  finalRound,
  isLens,
  lensRound,
  type ModulesStep,
  modulesStep,
  moduleTitle,
  recordOf,
  retriesOf,
} from './modules-keys.ts';
import { modulesProposal, type ModulesProposal, type Overlap } from './modules-proposal.ts';
import { proposalFigures } from './modules-tree.ts';
import { lastMeasured, scoreText } from './validation.ts';
import { outputOf } from './view-node.ts';
import { checksText, findingFigures, findingLine } from './wording.ts';

type Lines = string | readonly string[] | undefined;

export function modulesStarted(key: string, chronicle: Chronicle): Lines {
  const step = modulesStep(key);
  // A recovery was announced when the attempt before it ended; a resumed attempt by the resuming.
  if (step === undefined || key.includes('/recovery#')) return undefined;
  if ((chronicle.state.effects.get(key)?.attempts ?? 1) > 1) return undefined;
  switch (step.step) {
    case 'plan':
      return step.round === 1 ? 'Phase 1: Planning' : `Planning again (round ${step.round})`;
    case 'tools':
      return retrying(step.module, chronicle);
    case 'debug':
      return `  ${step.module}: debugging (${step.round}/${retriesOf(taskOf(chronicle, step.module))})`;
    case 'develop':
      return redeveloping(key, step);
    case 'final-diff':
      return step.round === 1
        ? 'Phase 3: Final review through three lenses'
        : `Final review again (round ${step.round})`;
    case 'learn':
      return 'Phase 4: Learning';
    default:
      return undefined;
  }
}

export function modulesFinished(key: string, chronicle: Chronicle): Lines {
  const step = modulesStep(key);
  if (step === undefined) return undefined;
  switch (step.step) {
    case 'baseline': {
      const report = outputOf(chronicle, key, 'check.run');
      return report === undefined ? undefined : `Checks on the base ${checksText(report)}`;
    }
    case 'review':
    case 'debug-review':
      return reviewed(key, step.module, chronicle);
    case 'lens': {
      const reply = replyOf(chronicle.readings.get(key), 'auditor');
      return reply === undefined ? undefined : `  Lens ${step.lens}: ${findingFigures(reply.findings)}`;
    }
    case 'overseer': {
      const reply = replyOf(chronicle.readings.get(key), 'overseer');
      return reply === undefined ? undefined : `  ${step.module}: overseer: ${reply.classification}: ${reply.evidence}`;
    }
    case 'debug': {
      const cause = replyOf(chronicle.readings.get(key), 'debugger')?.rootCause ?? '';
      return cause === '' ? undefined : `  ${step.module}: cause: ${cause}`;
    }
    case 'prepare': {
      const output = outputOf(chronicle, key, 'merge.prepare');
      return output?.status === 'conflict' ? `  ${step.module}: conflict in ${output.files.join(', ')}` : undefined;
    }
    case 'land':
      return landed(key, step.module, chronicle);
    case 'learn': {
      const lessons = replyOf(lastReading(chronicle, key), 'learner')?.lessons ?? [];
      return [`${counted(lessons.length, 'lesson')} learned`, ...lessons.map((lesson) => `  - ${lesson.text}`)];
    }
    case 'publish': {
      const ref = chronicle.state.refs.at(-1)?.ref;
      return ref === undefined ? undefined : `Branch ${ref.replace('refs/heads/', '')}`;
    }
    default:
      return undefined;
  }
}

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
  const { remaining } = modulesProgress(chronicle);
  const isTold = status !== 'skipped' || remaining === 0;
  return [lines[status], ...(key === task && isTold ? [progress] : [])];
}

export interface ModulesProgress {
  readonly total: number;
  readonly done: number;
  readonly failed: number;
  readonly skipped: number;
  readonly remaining: number;
}

/** Of the plan's own modules. */
export function modulesProgress(chronicle: Chronicle): ModulesProgress {
  const tasks = modulesProposal(chronicle)?.tasks ?? [];
  const ended = tasks.flatMap(({ id }) => recordOf(chronicle, id)?.outcome?.status ?? []);
  const number = (...wanted: readonly string[]): number => ended.filter((status) => wanted.includes(status)).length;
  return {
    total: tasks.length,
    done: number('done'),
    failed: number('failed', 'blocked'),
    skipped: number('skipped'),
    remaining: tasks.length - ended.length,
  };
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
    ...proposal.overlaps.map((overlap) => `Overlap: ${overlapLine(overlap)}`),
    ...proposal.dirtyOverlap.map((path) => `Uncommitted: ${path} has changes of yours that agents do not see`),
    ...proposal.warnings.map((warning) => `Warning: ${warning}`),
    ...proposal.remembered.map((risk) => `Known risk: ${risk}`),
  ];
}

/** What two modules on one file mean: never at once, and without an order between them either may come first. */
export function overlapLine({ first, second, paths, isOrdered }: Overlap): string {
  const both = `${first} and ${second} both change ${paths.join(', ')}`;
  if (isOrdered) return `${both}: the later one is built on the earlier one`;
  return `${both}: they never run at once, but nothing says which comes first, and the second is built on the first`;
}

function atOnce({ lite, parallel, barriers }: ModulesProposal): string {
  if (lite) return '';
  return `, up to ${parallel} at once${barriers ? ', stage by stage' : ''}`;
}

function taskOf(chronicle: Chronicle, module: string) {
  return chronicle.state.plan?.tasks.find((task) => task.id === module);
}

/** The validation that failed has just ended, and another attempt begins. */
function retrying(module: string, chronicle: Chronicle): Lines {
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

function redeveloping(key: string, step: Extract<ModulesStep, { module: string }>): Lines {
  if (step.round > 1) return `  ${step.module}: mending what the reviewer found (round ${step.round})`;
  const generation = /@(\d+)\//.exec(key)?.[1];
  return generation === undefined ? undefined : `  ${step.module}: built again on the newer head (${generation})`;
}

/** Only what was found is news. */
function reviewed(key: string, module: string, chronicle: Chronicle): Lines {
  const findings = replyOf(chronicle.readings.get(key), 'reviewer')?.findings ?? [];
  if (findings.length === 0) return undefined;
  return [
    `  ${module}: review: ${findingFigures(findings)}`,
    ...findings.map((finding) => `    - ${findingLine(finding)}`),
  ];
}

function landed(key: string, module: string, chronicle: Chronicle): Lines {
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
  const isClear = mustFix.length === 0 && missing.length === 0;
  return [
    `Final review: ${3 - missing.length} of 3 lenses complete`,
    `Must-fix: ${counted(mustFix.length, 'finding')} - RELEASE ${isClear ? 'CLEAR' : 'BLOCKED'}`,
    ...mustFix.map((finding) => `  - ${findingLine(finding)}`),
    ...missing.map((lens) => `  - nobody looked through lens ${lens}`),
    `Advisory: ${counted(advisory.length, 'finding')} - logged, not blocking`,
    ...advisory.map((finding) => `  - ${findingLine(finding)}`),
  ];
}
