/** The report as Markdown, for a pull request or a file. Texts of agents cannot become headings, links, tags or cells. */
import { isPathCovered } from '../../plan/coverage.ts';
import { countText, durationText, figureText, moneyText, shortCommit, spendText, tokensText } from '../figures.ts';
import { figureNames, notesText } from '../summary-text.ts';
import { plainLine } from '../terminal-text.ts';
import { millisecondsBetween } from '../timeline.ts';
import { statusMarks } from '../wording.ts';
import { findingSourceText, type ReportedFinding } from '../work-reports.ts';
import { mermaidGraph } from './mermaid-graph.ts';
import type { Report } from './report.ts';
import type { ReportSpan, SpendRow } from './report-spans.ts';

export function markdownReport(report: Report): string {
  const parts: readonly (readonly [string, string])[] = [
    ['Requirement', report.requirement.includes('\n') ? quoted(report.requirement) : ''],
    ['Steps', steps(report)],
    ['Tasks', units(report)],
    ['What to try', advice(report)],
    ['Execution order', order(report)],
    ['Dependencies', graph(report)],
    ['Timeline', timeline(report)],
    ['Must be fixed', findingList(report, 'must-fix')],
    ['Advisory', findingList(report, 'advisory')],
    ['Found and fixed on the way', findingList(report, 'fixed')],
    ['Tried again', retries(report)],
    ['Requirements', requirements(report)],
    ['Checks', checks(report)],
    ['Receipts', receipts(report)],
    ['Spend by role', spendTable('role', report.spend.byRole)],
    ['Spend by work', spendTable('work', report.spend.byWork)],
    ['Questions and answers', questions(report)],
    ['Lessons', lessons(report)],
  ];
  const shown = parts.filter(([, body]) => body !== '').map(([title, body]) => `## ${title}\n\n${body}`);
  return `${[`# ${escapeLine(report.title)}`, head(report), ...shown].join('\n\n')}\n`;
}

/** One line, in which nothing is markup: not a link, not a tag, not a cell's end, not a mention of an issue. */
export function escapeLine(text: string): string {
  return plainLine(text).replaceAll(/[\\`*_{}[\]<>|~#!&$]/g, '\\$&');
}

function code(text: string): string {
  const plain = plainLine(text).replaceAll('|', '\\|');
  if (plain === '') return '';
  const longest = Math.max(0, ...(plain.match(/`+/g) ?? []).map((run) => run.length));
  const fence = '`'.repeat(longest + 1);
  return longest === 0 ? `${fence}${plain}${fence}` : `${fence} ${plain} ${fence}`;
}

function quoted(text: string): string {
  return text
    .split('\n')
    .map((line) => `> ${escapeLine(line)}`.trimEnd())
    .join('\n');
}

function head({
  run,
  workflow,
  status,
  reason,
  branch,
  base,
  wallMs,
  usage,
  units: all,
  retries: again,
}: Report): string {
  const done = all.filter((unit) => unit.status === 'done').length;
  return [
    `- Run: ${code(run)} (${escapeLine(workflow)})`,
    `- Status: **${status}**${reason === '' ? '' : `: ${escapeLine(reason)}`}`,
    ...(all.length === 0 ? [] : [`- Done: ${done} of ${all.length}, ${countText(again.length, 'round')} sent back`]),
    `- From ${code(shortCommit(base))}${branch === undefined ? '' : ` to the branch ${code(branch)}`}`,
    `- Took ${durationText(wallMs)}, ${spendText(usage) || 'no spend reported'}`,
  ].join('\n');
}

function table(names: readonly string[], rows: readonly (readonly string[])[]): string {
  if (rows.length === 0) return '';
  return [names, names.map(() => '---'), ...rows].map((row) => `| ${row.join(' | ')} |`).join('\n');
}

function steps({ steps: all }: Report): string {
  return all
    .map(
      ({ label, status, detail }) =>
        `- ${statusMarks[status]} ${escapeLine(detail === '' ? label : `${label}: ${detail}`)}`,
    )
    .join('\n');
}

function units({ units: all }: Report): string {
  const names = figureNames(all);
  const rows = all.map((unit) => [
    `${escapeLine(unit.title)}${unit.group === undefined ? '' : ` (in ${escapeLine(unit.group)})`}`,
    `${statusMarks[unit.status]} ${unit.status}`,
    ...names.map((name) => escapeLine(figureText(unit.figures[name]))),
    (unit.planned?.writes ?? []).map(code).join(', ') || '-',
    escapeLine(notesText(unit)) || '-',
  ]);
  return table(['task', 'status', ...names.map(escapeLine), 'files', 'notes'], rows);
}

function advice({ advice: all }: Report): string {
  return all
    .map(({ reason, first, commands }) =>
      [`- **${escapeLine(reason)}**`, `  ${first}`, ...commands.map((command) => `  - ${code(command)}`)].join('\n'),
    )
    .join('\n');
}

function order({ stages, units: all }: Report): string {
  const needs = new Map(all.map((unit) => [unit.task, unit.depends]));
  return stages
    .map((stage, at) => {
      const after = [...new Set(stage.flatMap((id) => needs.get(id) ?? []))];
      return `${at + 1}. ${stage.map(escapeLine).join(', ')}${after.length === 0 ? '' : ` (after ${after.map(escapeLine).join(', ')})`}`;
    })
    .join('\n');
}

function graph(report: Report): string {
  const text = mermaidGraph(report);
  return text === '' ? '' : `\`\`\`mermaid\n${text}\n\`\`\``;
}

/** From the first to the last that was done for each piece of work, sessions, checks and merges. */
function timeline({ spans, endedAt: seen }: Report): string {
  const byOwner = new Map<string, ReportSpan[]>();
  for (const span of spans) {
    const own = byOwner.get(span.owner);
    if (own === undefined) byOwner.set(span.owner, [span]);
    else own.push(span);
  }
  const rows = [...byOwner].map(([owner, own]) => {
    const start = own.map(({ startedAt }) => startedAt).toSorted()[0] ?? '';
    const end =
      own
        .map(({ endedAt }) => endedAt ?? seen)
        .toSorted()
        .at(-1) ?? start;
    const isOpen = own.some((span) => span.isOpen);
    const isInterrupted = own.some(({ endedAt }) => endedAt === undefined);
    return [
      escapeLine(owner),
      time(start),
      isOpen ? 'under way' : isInterrupted ? 'interrupted' : time(end),
      durationText(millisecondsBetween(start, end)),
    ];
  });
  return table(['work', 'start (UTC)', 'end (UTC)', 'duration'], rows);
}

function time(at: string): string {
  return at.slice(0, 19).replace('T', ' ');
}

function findingList({ findings }: Report, state: ReportedFinding['state']): string {
  return findings
    .filter((finding) => finding.state === state)
    .map((finding) => {
      const { severity, category, file, line, claim, evidence } = finding;
      const place = line === 0 ? file : `${file}:${line}`;
      const kind = category === '' ? '' : ` (${escapeLine(category)})`;
      const proof = evidence === '' ? '' : `\n  - ${escapeLine(evidence)}`;
      const where = place === '' ? '' : ` ${code(place)}`;
      return `- **${severity}**${kind}${where} ${escapeLine(claim)} - ${escapeLine(findingSourceText(finding))}${proof}`;
    })
    .join('\n');
}

function retries({ retries: all }: Report): string {
  const names = figureNames(all);
  const rows = all.map(({ owner, title, detail, figures, lines }) => [
    escapeLine(owner),
    escapeLine(title),
    ...names.map((name) => escapeLine(figureText(figures[name]))),
    escapeLine([detail, ...lines].join('; ')) || '-',
  ]);
  return table(['work', 'round', ...names.map(escapeLine), 'what failed'], rows);
}

function requirements({ coverage }: Report): string {
  const rows = coverage.map(({ id, text, status, tests, reason }) => [
    code(id),
    escapeLine(text),
    status.replace('-', ' '),
    tests.map(code).join(', '),
    escapeLine(reason),
  ]);
  return table(['requirement', 'text', 'result', 'tests', 'reason'], rows);
}

function checks({ checks: all }: Report): string {
  const rows = all.map(({ owner, step, name, status, reason }) => [
    escapeLine(owner),
    escapeLine(step),
    code(name),
    status,
    escapeLine(reason),
  ]);
  return table(['work', 'step', 'check', 'result', 'reason'], rows);
}

function receipts({ receipts: all }: Report): string {
  return all
    .map(({ task, before, after, declared, changed, flags, leftBehind }) =>
      [
        `### ${escapeLine(task)}: ${code(`${shortCommit(before)}..${shortCommit(after)}`)}`,
        '',
        ...changed.map(
          ({ path, status }) =>
            `- ${status} ${code(path)}${isPathCovered(declared, path) ? '' : ' (**not declared**)'}`,
        ),
        ...flags.map((flag) => `- ${flag.case} ${code(flag.path)}: ${flag.action} (${escapeLine(flag.reason)})`),
        ...leftBehind.map(({ path, reason }) => `- left behind: ${code(path)} (${reason})`),
      ].join('\n'),
    )
    .join('\n\n');
}

function spendTable(name: string, rows: readonly SpendRow[]): string {
  return table(
    [name, 'sessions', 'at work', 'tokens in', 'tokens out', 'cost'],
    rows.map((row) => [
      escapeLine(row.name),
      String(row.sessions),
      durationText(row.workedMs),
      tokensText(row.usage.inputTokens),
      tokensText(row.usage.outputTokens),
      escapeLine(moneyText(row.usage.costUsd)),
    ]),
  );
}

function questions({ questions: all }: Report): string {
  return all
    .map(({ title, answer, by }) => {
      const said = answer === undefined ? '*not answered*' : `${escapeLine(answer)} (${escapeLine(by)})`;
      return `- ${escapeLine(title)} ${said}`;
    })
    .join('\n');
}

function lessons({ lessons: { added, applied, learned } }: Report): string {
  if (added + applied.length + learned.length === 0) return '';
  return [
    `${countText(added, 'lesson')} saved, ${applied.length} of earlier runs applied.`,
    ...(learned.length === 0
      ? []
      : ['', ...learned.map(({ category, text }) => `- ${escapeLine(category)}: ${escapeLine(text)}`)]),
  ].join('\n');
}
