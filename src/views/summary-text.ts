/** The end of a run as a person reads it: what was built, why to believe it, what is left, where it is, what to type next. */
import { quoteCommand } from '../plan/command-line.ts';
import { amountText } from '../policy/budget-settings.ts';
import { counted, duration, shortCommit, spend } from './figures.ts';
import { landCommand } from './landing.ts';
import { modulesSections } from './modules-summary-text.ts';
import type { RunSummary } from './summary.ts';
import { displayWidth, fit, plainLine, wrap } from './terminal-text.ts';
import { bulletLines, fieldLines, narrow, sectionLines, type TextOptions } from './text-block.ts';
import { bugLine, patternRemark, tally } from './wording.ts';

export interface SummaryTextOptions extends TextOptions {
  /** Where the run is kept, as a person would look for it. */
  readonly place?: string;
  /** Whoever shows it lands the result next, if that was asked for. */
  readonly lands?: boolean;
}

export function summaryText(summary: RunSummary, options: SummaryTextOptions = {}): string {
  const columns = Math.max(30, options.columns ?? 80);
  const sections: (readonly [string, readonly string[]])[] = [
    ...(summary.modules === undefined ? [] : modulesSections(summary.modules, columns)),
    ['Built', built(summary, columns)],
    ['Not merged', notMerged(summary, columns)],
    ['Evidence', evidence(summary).flatMap(([name, value]) => fieldLines(name, value, columns))],
    ['Bugs', bugs(summary, columns)],
    ['Not verified', bulletLines(summary.unverified, columns)],
    ['Lessons', lessons(summary, columns)],
    ['Where', places(summary, options).flatMap(([name, value]) => fieldLines(name, value, columns))],
    ['What to try', advice(summary, columns)],
    ['Next', next(summary, options.lands === true).map((line) => `  ${line}`)],
  ];
  return [
    ...wrap(`${headline[summary.status]}: ${summary.title}`, columns, '  '),
    ...(summary.reason === '' ? [] : wrap(summary.reason, columns, '  ')),
    ...wrap(figures(summary), columns, '  '),
    ...(lostText(summary) === '' ? [] : wrap(lostText(summary), columns, '  ')),
    ...sectionLines(sections),
  ].join('\n');
}

const headline: Readonly<Record<RunSummary['status'], string>> = {
  created: 'Not started',
  running: 'Running',
  paused: 'Paused',
  waiting: 'Waiting for an answer',
  limited: 'Stopped by a limit',
  stopped: 'Stopped',
  done: 'Done',
  failed: 'Not accepted',
  cancelled: 'Cancelled',
};

function figures({ wallMs, workedMs, usage }: RunSummary): string {
  const waited = wallMs - workedMs >= 60_000 ? `, ${duration(workedMs)} of it at work` : '';
  const cost = spend(usage);
  return `${duration(wallMs)}${waited}${cost === '' ? ', no spend reported' : `, ${cost}`}`;
}

/** In the measures that cost something; of work that a meter counted, only what was under way. */
function lostText({ lost: { usd, tokens } }: RunSummary): string {
  if ((tokens ?? 0) === 0 && (usd ?? 0) === 0) return '';
  return `Set aside for work that was cut off, and counted as used: ${amountText({ usd, tokens })}`;
}

function built({ merged }: RunSummary, columns: number): string[] {
  return merged.map(({ task, title, commit, files }) => {
    const lead = `  ${shortCommit(commit)}  ${plainLine(task)}  `;
    const tail = columns < narrow ? '' : `  ${counted(files, 'file')}`;
    const room = columns - displayWidth(lead) - displayWidth(tail);
    return `${lead}${fit(plainLine(title), room)}${tail}`;
  });
}

function notMerged({ open }: RunSummary, columns: number): string[] {
  return bulletLines(
    open.map(({ task, status, reason, commit }) => {
      const kept = commit === undefined ? '' : ` (kept in ${shortCommit(commit)})`;
      return `${task} ${status}: ${reason}${kept}`;
    }),
    columns,
  );
}

type Row = readonly [name: string, value: string];

function evidence(summary: RunSummary): Row[] {
  const { checks, tests, redGreen, findings, flags, fixRounds } = summary;
  const counts = tally(tests);
  const skipped = tests.skipped.map(({ test, reason }): Row => ['', `skipped: ${test}: ${reason}`]);
  const measured = redGreen.red + redGreen.absent + redGreen.green;
  // Of modules that were not merged it shows nothing.
  const isOfWork = summary.modules === undefined || summary.merged.length > 0;
  const weak = [
    ...(redGreen.absent === 0 ? [] : [`${redGreen.absent} did not load without it`]),
    ...(redGreen.green === 0 ? [] : [`${redGreen.green} passed without it`]),
    ...(redGreen['not-measured'] === 0 ? [] : [`${redGreen['not-measured']} not measured`]),
  ];
  const red = [`${redGreen.red} of ${counted(measured, 'test file')} failed without the change`, ...weak].join(', ');
  return [
    ...checks.map(({ name, text }, index): Row => [index === 0 ? 'checks' : '', `${name}: ${text}`]),
    ...(counts === '' ? [] : [['tests', counts] as const, ...skipped]),
    ...(fixRounds.length === 0
      ? []
      : [['fix rounds', fixRounds.map(({ at, rounds }) => `${at}: ${rounds}`).join(', ')] as const]),
    ...(measured + redGreen['not-measured'] === 0 || !isOfWork ? [] : [['red first', red] as const]),
    ...findings.map((one, index): Row => [index === 0 ? 'findings' : '', `${one.path}:${one.line} ${one.claim}`]),
    ...flags.map(
      (one, index): Row => [index === 0 ? 'flags' : '', `${one.task}: ${one.case} ${one.path}: ${one.reason}`],
    ),
  ];
}

function bugs({ bugs: { found, fixed, remaining } }: RunSummary, columns: number): string[] {
  if (found === 0 && remaining.length === 0) return [];
  const left = remaining.length === 0 ? 'none left' : `${remaining.length} left`;
  return [
    ...indented(`${found} found, ${fixed} fixed, ${left}`, columns),
    ...bulletLines(remaining.map(bugLine), columns),
  ];
}

function lessons({ lessons: { added, applied, texts } }: RunSummary, columns: number): string[] {
  if (added + applied + texts.length === 0) return [];
  return [
    ...indented(`${added} new${patternRemark(added, texts.length)}, ${applied} of earlier runs applied`, columns),
    ...bulletLines(texts, columns),
  ];
}

function indented(text: string, columns: number): string[] {
  return wrap(text, columns - 2).map((line) => `  ${line}`);
}

function places({ run, branch, landing: to, captured, documents }: RunSummary, { place }: SummaryTextOptions): Row[] {
  const { prefix, names } = documents;
  return [
    ...(branch === undefined ? [] : [['branch', branch] as const]),
    ...(to?.commit === undefined ? [] : [['landed', `on ${to.into} as ${shortCommit(to.commit)}`] as const]),
    ...(place === undefined ? [] : [['run', place] as const]),
    ...(names.length === 0 ? [] : [['documents', `${prefix}*`] as const, ['', names.join(', ')] as const]),
    ...(captured === 0 ? [] : [['captured', `${counted(captured, 'commit')} under refs/forge/${run}/`] as const]),
  ];
}

/** Where nothing at all was done, nothing else is worth saying; else the reasons stand with what was not merged. */
function advice(summary: RunSummary, columns: number): string[] {
  if (summary.merged.length > 0) return [];
  return bulletLines(
    adviceOf(summary).map(({ reason, first }) => `${reason.replace(/[^.!?]$/, '$&.')} ${first}`),
    columns,
  );
}

/** Commands for a shell, so every word is quoted if need be. They are never cut. */
function next(summary: RunSummary, lands: boolean): string[] {
  const { run, status, branch, base } = summary;
  const failed = failedCommands(summary);
  if (status === 'waiting') return [quoteCommand(['forge', 'answer', run])];
  if (status === 'paused' || status === 'limited' || status === 'stopped')
    return [quoteCommand(['forge', 'resume', run])];
  const show = quoteCommand(['forge', 'show', run]);
  const report = summary.modules === undefined ? [] : [quoteCommand(['forge', 'report', run, '--html', `${run}.html`])];
  if (branch === undefined) return [...failed, show, ...report];
  return [
    ...failed,
    show,
    ...report,
    quoteCommand(['git', 'diff', `${shortCommit(base)}..${branch}`]),
    ...landing(summary, lands),
    quoteCommand(['forge', 'undo', run]),
  ].map(plainLine);
}

function landing({ run, status, landing: to }: RunSummary, lands: boolean): string[] {
  if (to === undefined || to.landed || (to.asked && lands)) return [];
  // What a run merged that is not done lands only if a person means it.
  return [`${landCommand(run, to.into)}${status === 'done' ? '' : ' --force'}`];
}

export interface Advice {
  /** What went wrong, in words. */
  readonly reason: string;
  /** What to do about it before, if that can be told. */
  readonly first: string;
  readonly commands: readonly string[];
}

/**
 * What went wrong, how to look into it, and how to try it again. What was only skipped comes back with what it waits
 * for; what failed in a run that is done was made good since.
 */
export function adviceOf({ run, status: end, open, modules }: Troubled): Advice[] {
  if (end === 'done') return [];
  const look = (task: string): string[] => [
    quoteCommand(['forge', 'logs', run, task]),
    quoteCommand(['forge', 'retry', run, task]),
  ];
  const failed = open.filter(({ status }) => status === 'failed' || status === 'blocked');
  return [
    ...failed.map(({ task, status, reason }) => ({
      reason: `${task} ${status === 'blocked' ? 'is blocked' : 'failed'}: ${reason}`,
      first:
        status === 'blocked'
          ? 'Provide or settle what it names, then have it tried again.'
          : 'See what was tried, mend the cause or the plan, then have it tried again.',
      commands: look(task),
    })),
    ...(modules?.missing ?? []).map((lens) => ({
      reason: `nobody looked through lens ${lens} of the final review`,
      first: 'See why its reviewer gave no answer, then have it looked through again.',
      commands: look(`final/review#${modules?.reviewRounds}/${lens}`),
    })),
  ];
}

type Troubled = Pick<RunSummary, 'run' | 'status' | 'open' | 'modules'>;

export function failedCommands(summary: Troubled): string[] {
  return adviceOf(summary).flatMap(({ commands }) => commands);
}
