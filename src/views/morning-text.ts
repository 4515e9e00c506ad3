/** The morning report as lines for a terminal: read in a minute, each part only where there is something to say. Pure. */
import type { Usage } from '../policy/usage.ts';
import { countText, durationText, moneyText, shortCommit, spendText, tokensText } from './figures.ts';
import { plainLine, wrapText } from './terminal-text.ts';

/** What a run that worked for hours did, decided and left open. */
export interface MorningReport {
  /** What it worked on, such as a milestone. */
  readonly subject: { readonly id: string; readonly title: string };
  readonly status: string;
  readonly slices: readonly {
    readonly id: string;
    readonly title: string;
    readonly status: string;
    readonly tasks: number;
    readonly objections: number;
    /** What became of objections: each is in one of these, or was withdrawn. */
    readonly fixed: number;
    readonly kept: number;
    readonly later: number;
    readonly open: number;
  }[];
  /** Requirements that are met, with the commands that passed on the commit. */
  readonly delivered: readonly {
    readonly requirement: string;
    readonly task: string;
    readonly evidence: string;
    readonly commit: string;
  }[];
  readonly decisions: readonly {
    /** `D1`, `D2`, …: the same for the same run. */
    readonly id: string;
    /** The unit it was made in. */
    readonly unit: string;
    readonly choice: string;
    readonly why: string;
    readonly alternative: string;
    /** What reversing it means. */
    readonly redo: string;
  }[];
  readonly open: readonly string[];
  readonly usage: Usage;
  /** While a process worked on it. */
  readonly workedMs: number;
  /** What the slices were expected to take when they were planned, added up. */
  readonly forecast: MorningForecast;
}

/** `none`: no slice was planned. `uncounted`: the agents are scripted or commands. */
export type MorningForecast =
  | { readonly status: 'none' | 'uncounted' }
  | {
      readonly status: 'made';
      readonly usd: MorningSpan;
      readonly minutes: MorningSpan;
      /** Left out by runs of earlier versions. */
      readonly tokens?: MorningSpan | undefined;
    };

interface MorningSpan {
  readonly low: number;
  readonly likely: number;
  readonly high: number;
}

const few = 12;

export function morningText(report: MorningReport & { readonly run: string }, columns: number): readonly string[] {
  const { subject, status, run, forecast } = report;
  const paragraph = (text: string): readonly string[] =>
    wrapText(plainLine(text), columns - 2, '  ').map((line) => `  ${line}`);
  return [
    plainLine(`${subject.id} ${subject.title}: ${words[status] ?? status}`),
    '',
    ...part('Slices', report.slices, (slice) =>
      paragraph(
        `${marks[slice.status] ?? '○'} ${slice.id} ${slice.title}: ${countText(slice.tasks, 'task')}${objectionsText(slice)}`,
      ),
    ),
    ...part('Delivered', report.delivered, ({ requirement, task, evidence, commit }) =>
      paragraph(
        `✓ ${requirement} (${task}, ${shortCommit(commit)}; ${evidence === '' ? 'no command of its own' : `passed: ${evidence}`})`,
      ),
    ),
    ...part('Decided in your name', report.decisions, ({ id, unit, choice, why, redo }) => [
      ...paragraph(`${id} ${unit}: ${choice}${why === '' ? '' : ` (${why})`}`),
      ...commandLines(`Reverse it (${redo}):`, `forge milestone reverse ${id}`, columns),
    ]),
    ...part('Open', report.open, (one) => paragraph(`- ${one}`)),
    'Cost',
    ...paragraph(`${spendText(report.usage) || 'no use reported'}, ${durationText(report.workedMs)} of work`),
    ...paragraph(forecastText(forecast)),
    '',
    ...(status === 'failed' ? [plainLine(`Try again what is open: forge retry ${run}`)] : []),
    plainLine(`Look closer: forge show ${run}, forge report ${run}`),
  ];
}

function objectionsText({ objections, fixed, kept, later, open }: MorningReport['slices'][number]): string {
  if (objections === 0) return '';
  const withdrawn = objections - fixed - kept - later - open;
  const parts = [
    [fixed, 'fixed'],
    [kept, 'kept as it is'],
    [later, 'for later'],
    [withdrawn, 'withdrawn'],
    [open, 'open'],
  ] as const;
  const figures = parts.flatMap(([count, word]) => (count > 0 ? [`${count} ${word}`] : []));
  return `, ${countText(objections, 'objection')} (${figures.join(', ')})`;
}

/** A command is never broken over two lines. */
function commandLines(about: string, command: string, columns: number): readonly string[] {
  const lines = wrapText(plainLine(about), columns - 4).map((line) => `    ${line}`);
  const last = lines.at(-1) ?? '';
  const isShort = last.length + 1 + command.length <= columns;
  return isShort ? [...lines.slice(0, -1), `${last} ${command}`] : [...lines, `      ${command}`];
}

function forecastText(forecast: MorningForecast): string {
  if (forecast.status !== 'made')
    return `Nothing was forecast: ${forecast.status === 'none' ? 'no slice was planned' : 'Forge keeps no history of scripted agents and commands'}.`;
  const { usd, tokens, minutes } = forecast;
  const spans = [
    usd.high > 0 ? spanText(usd, moneyText) : 'dollars not known (no price is)',
    ...(tokens === undefined ? [] : [spanText(tokens, (count) => tokensText(Math.round(count)), ' tokens')]),
    spanText(minutes, (count) => String(Math.max(1, Math.round(count))), ' minutes'),
  ];
  return `Forecast for the slices when they were planned: ${spans.join(', ')}.`;
}

function spanText({ low, likely, high }: MorningSpan, text: (value: number) => string, unit = ''): string {
  return `${text(likely)}${unit} (${text(low)} to ${text(high)})`;
}

function part<T>(title: string, items: readonly T[], lines: (item: T) => readonly string[]): readonly string[] {
  if (items.length === 0) return [];
  const more = items.length > few ? [`  and ${items.length - few} more (--json shows all)`] : [];
  return [title, ...items.slice(0, few).flatMap(lines), ...more, ''];
}

const words: Readonly<Record<string, string>> = {
  done: 'done',
  failed: 'stopped, not everything is done',
  running: 'under way',
  paused: 'paused',
  waiting: 'waits for you',
  limited: 'stopped at a limit',
  cancelled: 'cancelled',
};

const marks: Readonly<Record<string, string>> = { done: '✓', failed: '✗', blocked: '⊘', skipped: '–' };
