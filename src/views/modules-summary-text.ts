/** The end of a `modules` run as a person reads it: the table of modules, the totals, and what the final review says. */
import { counted } from './figures.ts';
import { isAllLost, nothingToReview } from './modules-wording.ts';
import type { ModuleRow, ModulesSummary } from './modules-summary.ts';
import { scoreFigure } from './validation.ts';
import { displayWidth, fit, pad, plainLine, wrap } from './terminal-text.ts';
import { bulletLines, narrow } from './text-block.ts';
import { findingLine } from './wording.ts';

export function modulesSections(
  summary: ModulesSummary,
  columns: number,
): readonly (readonly [string, readonly string[]])[] {
  const { completed, total, retries, modules } = summary;
  const rows = columns < narrow ? listOf(modules, columns) : tableOf(modules, columns);
  const totals = `${completed}/${total} modules completed, ${counted(retries, 'retry', 'retries')}`;
  return [
    ['Modules', modules.length === 0 ? [] : [...rows, ...wrap(totals, columns - 2).map((line) => `  ${line}`)]],
    ['Final review', releaseLines(summary, columns)],
    ['Must be mended', bulletLines(summary.mustFix.map(findingLine), columns)],
    ['Advisory', bulletLines(summary.advisory.map(findingLine), columns)],
    [
      'Remarks of reviewers',
      bulletLines(
        modules.flatMap(({ task, warnings }) => warnings.map((finding) => `${task}: ${findingLine(finding)}`)),
        columns,
      ),
    ],
  ];
}

const marks: Readonly<Record<ModuleRow['status'], string>> = {
  waiting: '○ waiting',
  running: '• running',
  interrupted: '• interrupted',
  cancelled: '– CANCELLED',
  done: '✓ DONE',
  failed: '✗ FAILED',
  blocked: '⊘ BLOCKED',
  skipped: '– SKIPPED',
};

function cellsOf({ task, title, status, attempts, score, ...row }: ModuleRow): readonly string[] {
  return [
    plainLine(`${task} ${title}`),
    marks[status],
    attempts === 0 ? '-' : String(attempts),
    score === undefined ? '-' : scoreFigure(score),
    plainLine(notesText(row)) || '-',
  ];
}

/** Why it is not done comes first, then what was noted while it was worked on. */
export function notesText({ reason, notes, causes }: Pick<ModuleRow, 'reason' | 'notes' | 'causes'>): string {
  const seen = causes.map(({ classification }) => classification);
  const classified = seen.length === 0 ? [] : [`overseer: ${seen.join(', ')}`];
  return [...(reason === '' ? [] : [reason]), ...notes, ...classified].join('; ');
}

/** Notes may be long: they go on below their column, and nothing is cut but a title. */
function tableOf(modules: readonly ModuleRow[], columns: number): string[] {
  const head = ['module', 'status', 'attempts', 'score', 'notes'];
  const rows = modules.map(cellsOf);
  const widest = (at: number): number => Math.max(...[head, ...rows].map((row) => displayWidth(row[at] ?? '')));
  const [status, attempts, score] = [widest(1), widest(2), widest(3)];
  const free = columns - 2 - status - attempts - score - 8;
  const title = Math.min(widest(0), Math.floor(free * 0.5));
  const widths = [title, status, attempts, score];
  const line = (row: readonly string[]): string[] => {
    const lead = widths.map((width, at) => pad(fit(row[at] ?? '', width), width)).join('  ');
    const notes = wrap(row[4] ?? '', free - title);
    return notes.map((note, at) => `  ${at === 0 ? lead : ' '.repeat(displayWidth(lead))}  ${note}`.trimEnd());
  };
  return [head, ...rows].flatMap(line);
}

function listOf(modules: readonly ModuleRow[], columns: number): string[] {
  return modules.flatMap((module) => {
    const [name = '', status = '', attempts = '', score = '', notes = ''] = cellsOf(module);
    const figures = attempts === '-' ? [] : [`attempts ${attempts}, score ${score}`];
    return [
      fit(`  ${name}`, columns),
      ...[status, ...figures, ...(notes === '-' ? [] : [notes])].flatMap((text) =>
        wrap(text, columns - 4, '  ').map((line) => `    ${line}`),
      ),
    ];
  });
}

function releaseLines(summary: ModulesSummary, columns: number): string[] {
  const { release, mustFix, advisory, missing, blockers, reviewRounds } = summary;
  if (release === undefined)
    return isAllLost(summary.modules)
      ? wrap(`Not held: ${nothingToReview}`, columns - 2).map((line) => `  ${line}`)
      : [];
  const unread = missing.length === 0 ? '' : `; nobody looked through lens ${missing.join(', ')}`;
  const rounds = reviewRounds > 1 ? ` after ${counted(reviewRounds, 'round')}` : '';
  const word = release === 'clear' ? 'RELEASE CLEAR' : 'RELEASE BLOCKED';
  const text = `${word}${rounds}: ${mustFix.length} must-fix, ${advisory.length} advisory${unread}${blockers.map((blocker) => `; ${blocker}`).join('')}`;
  return wrap(text, columns - 2).map((line) => `  ${line}`);
}
