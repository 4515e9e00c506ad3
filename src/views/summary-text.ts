/** The end of a run as a person reads it: what was built, why to believe it, what is left, where it is, what to type next. */
import { quoteCommand } from '../plan/quote-command.ts';
import { amountText } from '../policy/budget-settings.ts';
import { countText, durationText, figureText, shortCommit, spendText } from './figures.ts';
import { landCommand } from './landing.ts';
import { pageLines } from './page-text.ts';
import type { RunSummary } from './summary.ts';
import { displayWidth, fitText, plainLine, wrapText } from './terminal-text.ts';
import { bulletLines, fieldLines, indentedLines, narrowColumns, type TextOptions } from './text-block.ts';
import { findingLine, statusMarks } from './wording.ts';
import { findingSourceText, type ReportedFinding } from './work-reports.ts';
import type { WorkRow } from './work-rows.ts';

export interface SummaryTextOptions extends TextOptions {
  /** Where the run is kept, as a person would look for it. */
  readonly place?: string;
  /** Whoever shows it lands the result next, if that was asked for. */
  readonly lands?: boolean;
}

export function summaryText(summary: RunSummary, options: SummaryTextOptions = {}): string {
  const columns = Math.max(30, options.columns ?? 80);
  const sections: (readonly [string, readonly string[]])[] = [
    ['Built', built(summary, columns)],
    ['Evidence', evidence(summary).flatMap(([name, value]) => fieldLines(name, value, columns))],
    ['Must be fixed', findingLines(summary, 'must-fix', columns)],
    ['Advisory', findingLines(summary, 'advisory', columns)],
    ['Requirements not proven', bulletLines(unprovenRequirements(summary), columns)],
    ['Not verified', bulletLines(summary.unverified, columns)],
    ['Lessons', lessons(summary, columns)],
    ['Where', places(summary, options).flatMap(([name, value]) => fieldLines(name, value, columns))],
    ['What to try', advice(summary, columns)],
    ['Next', next(summary, options.lands === true).map((line) => `  ${line}`)],
  ];
  const lost = lostText(summary);
  const head = [
    ...(summary.reason === '' ? [] : wrapText(summary.reason, columns, '  ')),
    ...wrapText(figures(summary), columns, '  '),
    ...(lost === '' ? [] : wrapText(lost, columns, '  ')),
  ];
  const [title, ...rest] = pageLines(workPage(summary), columns, sections);
  return [title, ...head, ...rest].join('\n');
}

function unprovenRequirements({ coverage }: RunSummary): readonly string[] {
  return coverage
    .filter(({ status }) => status !== 'passed')
    .map(({ id, text, reason }) => `${id} ${text}${reason === '' ? '' : `: ${reason}`}`);
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

/** Its steps with what came of them, and its tasks with whatever figures the workflow gave them. */
function workPage({ status, title, steps, tasks }: RunSummary) {
  const names = figureNames(tasks);
  const done = tasks.filter((task) => task.status === 'done').length;
  const totals = tasks.length < 2 ? [] : [{ type: 'text' as const, text: `${done}/${tasks.length} done` }];
  const rows = tasks.map((task) => ({ cells: taskCells(task, names), fields: [] }));
  return {
    title: `${headline[status]}: ${plainLine(title)}`.slice(0, 400),
    sections: [
      {
        title: 'Steps',
        isBrief: false,
        blocks: [
          {
            type: 'list' as const,
            items: steps.map((step) => `${statusMarks[step.status]} ${joinDetail(step.label, step.detail)}`),
          },
        ],
      },
      {
        title: 'Tasks',
        isBrief: false,
        blocks:
          tasks.length === 0
            ? []
            : [{ type: 'table' as const, head: ['task', 'status', ...names, 'notes'], rows }, ...totals],
      },
    ],
  };
}

function joinDetail(label: string, detail: string): string {
  return detail === '' ? label : `${label}: ${detail}`;
}

/** Every figure that some task has, in the order they came. */
export function figureNames(tasks: readonly Pick<WorkRow, 'figures'>[]): string[] {
  return [...new Set(tasks.flatMap(({ figures: own }) => Object.keys(own)))];
}

function taskCells(task: WorkRow, names: readonly string[]): string[] {
  const { title, status, figures: own } = task;
  return [title, `${statusMarks[status]} ${status}`, ...names.map((name) => figureText(own[name])), notesText(task)];
}

/** Why it is not done comes first, then what was noted while it was worked on. */
export function notesText({ reason, notes, commit, isMerged }: WorkRow): string {
  const kept = commit === undefined || isMerged ? [] : [`kept in ${shortCommit(commit)}`];
  return [...(reason === '' ? [] : [reason]), ...notes, ...kept].join('; ');
}

function figures({ wallMs, workedMs, usage }: RunSummary): string {
  const waited = wallMs - workedMs >= 60_000 ? `, ${durationText(workedMs)} of it at work` : '';
  const cost = spendText(usage);
  return `${durationText(wallMs)}${waited}${cost === '' ? ', no spend reported' : `, ${cost}`}`;
}

/** In the measures that cost something; of work that a meter counted, only what was under way. */
function lostText({ lost: { usd, tokens } }: RunSummary): string {
  if ((tokens ?? 0) === 0 && (usd ?? 0) === 0) return '';
  return `Set aside for work that was cut off, and counted as used: ${amountText({ usd, tokens })}`;
}

function built({ merged }: RunSummary, columns: number): string[] {
  return merged.map(({ title, commit, files }) => {
    const lead = `  ${shortCommit(commit)}  `;
    const tail = columns < narrowColumns ? '' : `  ${countText(files, 'file')}`;
    return `${lead}${fitText(plainLine(title), columns - displayWidth(lead) - displayWidth(tail))}${tail}`;
  });
}

type Row = readonly [name: string, value: string];

function evidence({ redGreen, flags, findings, merged }: RunSummary): Row[] {
  const { red, absent, green, notMeasured } = redGreen;
  const measured = red + absent + green;
  const weak = [
    ...(absent === 0 ? [] : [`${absent} did not load without it`]),
    ...(green === 0 ? [] : [`${green} passed without it`]),
    ...(notMeasured === 0 ? [] : [`${notMeasured} not measured`]),
  ];
  const first = [`${red} of ${countText(measured, 'test file')} failed without the change`, ...weak].join(', ');
  const fixed = findings.filter(({ state }) => state === 'fixed').length;
  return [
    // Of work that was not merged it shows nothing.
    ...(measured + notMeasured === 0 || merged.length === 0 ? [] : [['red first', first] as const]),
    ...(fixed === 0 ? [] : [['findings', `${fixed} found and fixed on the way`] as const]),
    ...flags.map(
      (one, index): Row => [index === 0 ? 'flags' : '', `${one.task}: ${one.case} ${one.path}: ${one.reason}`],
    ),
  ];
}

function findingLines({ findings }: RunSummary, state: ReportedFinding['state'], columns: number): string[] {
  const some = findings.filter((finding) => finding.state === state);
  return bulletLines(
    some.map((finding) => `${findingLine(finding)} (${findingSourceText(finding)})`),
    columns,
  );
}

function lessons({ lessons: { added, applied, learned } }: RunSummary, columns: number): string[] {
  if (added + applied.length + learned.length === 0) return [];
  return [
    ...indentedLines(`${added} new, ${applied.length} of earlier runs applied`, columns),
    ...bulletLines(
      learned.map(({ text }) => text),
      columns,
    ),
  ];
}

function places({ run, branch, landing: to, captured }: RunSummary, { place }: SummaryTextOptions): Row[] {
  return [
    ...(branch === undefined ? [] : [['branch', branch] as const]),
    ...(to?.commit === undefined ? [] : [['landed', `on ${to.into} as ${shortCommit(to.commit)}`] as const]),
    ...(place === undefined ? [] : [['run', place] as const]),
    ...(captured === 0 ? [] : [['captured', `${countText(captured, 'commit')} under refs/forge/${run}/`] as const]),
  ];
}

/** Where something was merged, the reasons stand with the tasks. */
function advice({ merged, advice: all }: RunSummary, columns: number): string[] {
  if (merged.length > 0) return [];
  return bulletLines(
    all.map(({ reason, first }) => `${reason.replace(/[^.!?]$/, '$&.')} ${first}`),
    columns,
  );
}

/** Commands for a shell, so every word is quoted if need be. They are never cut. */
function next(summary: RunSummary, lands: boolean): string[] {
  const { run, status, branch, base } = summary;
  if (status === 'waiting') return [quoteCommand(['forge', 'answer', run])];
  if (status === 'paused' || status === 'limited' || status === 'stopped')
    return [quoteCommand(['forge', 'resume', run])];
  const look = [
    ...summary.advice.flatMap(({ commands }) => commands),
    quoteCommand(['forge', 'show', run]),
    quoteCommand(['forge', 'report', run, '--html', `${run}.html`]),
  ];
  if (branch === undefined) return look;
  return [
    ...look,
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
