/** The report as Markdown, for a pull request or a file. Texts of agents can not become headings, links, tags or cells. */
import { covers } from '../../plan/coverage.ts';
import { counted, duration, money, shortCommit, spend, tokens } from '../figures.ts';
import { isAllLost, nothingToReview } from '../modules-wording.ts';
import { plainLine } from '../terminal-text.ts';
import { scoreFigure } from '../validation.ts';
import { between } from '../timeline.ts';
import { patternRemark } from '../wording.ts';
import { signs } from './graph-svg.ts';
import { mermaidGraph } from './mermaid-graph.ts';
import type { Report } from './report.ts';
import type { ReportFinding } from './report-findings.ts';
import type { SpendRow } from './report-spans.ts';

export function markdownReport(report: Report): string {
  const parts: readonly (readonly [string, string])[] = [
    ['Requirement', report.requirement.includes('\n') ? quoted(report.requirement) : ''],
    [report.workflow === 'modules' ? 'Modules' : 'Tasks', units(report)],
    ['What to try', advice(report)],
    ['Execution order', order(report)],
    ['Dependencies', graph(report)],
    ['Timeline', timeline(report)],
    ['Final review', release(report)],
    ['Must be mended', findingList(report, 'must-fix')],
    ['Advisory', findingList(report, 'advisory')],
    ['Found and mended on the way', findingList(report, 'mended')],
    ['Tried again', retries(report)],
    ['Checks', checks(report)],
    ['Receipts', receipts(report)],
    ['Spend by role', spendTable('role', report.spend.byRole)],
    ['Spend by work', spendTable('work', report.spend.byTask)],
    ['Questions and answers', questions(report)],
    ['Lessons', lessons(report)],
  ];
  const shown = parts.filter(([, body]) => body !== '').map(([title, body]) => `## ${title}\n\n${body}`);
  return `${[`# ${safe(report.title)}`, head(report), ...shown].join('\n\n')}\n`;
}

/** One line, in which nothing is markup: not a link, not a tag, not a cell's end, not a mention of an issue. */
export function safe(text: string): string {
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
    .map((line) => `> ${safe(line)}`.trimEnd())
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
  const planned = all.filter((unit) => unit.origin === 'plan');
  const done = planned.filter((unit) => unit.status === 'done').length;
  return [
    `- Run: ${code(run)} (${safe(workflow)})`,
    `- Status: **${status}**${reason === '' ? '' : `: ${safe(reason)}`}`,
    ...(all.length === 0 ? [] : [`- Done: ${done} of ${planned.length}, ${counted(again.length, 'retry', 'retries')}`]),
    `- From ${code(shortCommit(base))}${branch === undefined ? '' : ` to the branch ${code(branch)}`}`,
    `- Took ${duration(wallMs)}, ${spend(usage) || 'no spend reported'}`,
  ].join('\n');
}

function table(names: readonly string[], rows: readonly (readonly string[])[]): string {
  if (rows.length === 0) return '';
  return [names, names.map(() => '---'), ...rows].map((row) => `| ${row.join(' | ')} |`).join('\n');
}

function units({ units: all }: Report): string {
  const rows = all.map((unit) => [
    `${safe(unit.id)}: ${safe(unit.title)}${unit.group === undefined ? '' : ` (in ${unit.group})`}`,
    `${signs[unit.status]} ${unit.status.toUpperCase()}`,
    unit.attempts === 0 ? '-' : String(unit.attempts),
    unit.score === undefined ? '-' : scoreFigure(unit.score),
    unit.writes.map(code).join(', ') || '-',
    safe([...(unit.reason === '' ? [] : [unit.reason]), ...unit.notes].join('; ')) || '-',
  ]);
  return table(['unit', 'status', 'attempts', 'score', 'files', 'notes'], rows);
}

function advice({ advice: all }: Report): string {
  return all
    .map(({ reason, first, commands }) =>
      [`- **${safe(reason)}**`, `  ${first}`, ...commands.map((command) => `  - ${code(command)}`)].join('\n'),
    )
    .join('\n');
}

function order({ stages, units: all }: Report): string {
  const needs = new Map(all.map((unit) => [unit.id, unit.depends]));
  return stages
    .map((stage, at) => {
      const after = [...new Set(stage.flatMap((id) => needs.get(id) ?? []))];
      return `${at + 1}. ${stage.map(safe).join(', ')}${after.length === 0 ? '' : ` (after ${after.map(safe).join(', ')})`}`;
    })
    .join('\n');
}

function graph(report: Report): string {
  const text = mermaidGraph(report);
  return text === '' ? '' : `\`\`\`mermaid\n${text}\n\`\`\``;
}

/** From the first to the last that was done for each piece of work, sessions, checks and merges. */
function timeline({ spans, endedAt: seen }: Report): string {
  const owners = [...new Set(spans.map(({ owner }) => owner))];
  const rows = owners.map((owner) => {
    const own = spans.filter((span) => span.owner === owner);
    const start = own.map(({ startedAt }) => startedAt).toSorted()[0] ?? '';
    const end =
      own
        .map(({ endedAt }) => endedAt ?? seen)
        .toSorted()
        .at(-1) ?? start;
    const isOpen = own.some((span) => span.isOpen);
    return [safe(owner), time(start), isOpen ? 'under way' : time(end), duration(between(start, end))];
  });
  return table(['work', 'start (UTC)', 'end (UTC)', 'duration'], rows);
}

function time(at: string): string {
  return at.slice(0, 19).replace('T', ' ');
}

function release({ release: word, findings, units: all, workflow }: Report): string {
  if (word === undefined) return workflow === 'modules' && isAllLost(all) ? `${nothingToReview}.` : '';
  const own = findings.filter(({ source }) => source === 'final review');
  const number = (state: ReportFinding['state']): number => own.filter((one) => one.state === state).length;
  return `**Release ${word}**: ${number('must-fix')} must-fix, ${number('advisory')} advisory, ${number('mended')} mended on the way.`;
}

function findingList({ findings }: Report, state: ReportFinding['state']): string {
  return findings
    .filter((finding) => finding.state === state)
    .map(({ severity, category, file, line, claim, evidence, source, seenBy }) => {
      const place = line === 0 ? file : `${file}:${line}`;
      const kind = category === '' ? '' : ` (${safe(category)})`;
      const proof = evidence === '' ? '' : `\n  - ${safe(evidence)}`;
      const where = place === '' ? '' : ` ${code(place)}`;
      return `- **${severity}**${kind}${where} ${safe(claim)} - ${safe([source, ...seenBy].join(', '))}${proof}`;
    })
    .join('\n');
}

function retries({ retries: all }: Report): string {
  const rows = all.map(({ owner, round, score, failed, classification, evidence, cause }) => [
    safe(owner),
    String(round),
    score === undefined ? '-' : scoreFigure(score),
    safe(failed.join('; ')) || '-',
    safe([classification, evidence].filter(Boolean).join(': ')) || '-',
    safe(cause) || '-',
  ]);
  return table(['unit', 'round', 'score', 'what failed', 'overseer', 'cause'], rows);
}

function checks({ checks: all }: Report): string {
  const rows = all.map(({ owner, on, name, status, reason }) => [safe(owner), on, code(name), status, safe(reason)]);
  return table(['unit', 'on', 'check', 'result', 'reason'], rows);
}

function receipts({ receipts: all }: Report): string {
  return all
    .map(({ task, before, after, declared, changed, flags, leftBehind }) =>
      [
        `### ${safe(task)}: ${code(`${shortCommit(before)}..${shortCommit(after)}`)}`,
        '',
        ...changed.map(
          ({ path, status }) => `- ${status} ${code(path)}${covers(declared, path) ? '' : ' (**not declared**)'}`,
        ),
        ...flags.map((flag) => `- ${flag.case} ${code(flag.path)}: ${flag.action} (${safe(flag.reason)})`),
        ...leftBehind.map(({ path, reason }) => `- left behind: ${code(path)} (${reason})`),
      ].join('\n'),
    )
    .join('\n\n');
}

function spendTable(name: string, rows: readonly SpendRow[]): string {
  return table(
    [name, 'sessions', 'at work', 'tokens in', 'tokens out', 'cost'],
    rows.map((row) => [
      safe(row.name),
      String(row.sessions),
      duration(row.workedMs),
      tokens(row.usage.inputTokens),
      tokens(row.usage.outputTokens),
      safe(money(row.usage.costUsd)),
    ]),
  );
}

function questions({ questions: all }: Report): string {
  return all
    .map(({ title, answer, by }) => {
      const said = answer === undefined ? '*not answered*' : `${safe(answer)} (${safe(by)})`;
      return `- ${safe(title)} ${said}`;
    })
    .join('\n');
}

function lessons({ lessons: { added, applied, learnt } }: Report): string {
  if (added + applied.length + learnt.length === 0) return '';
  return [
    `${counted(added, 'lesson')} saved${patternRemark(added, learnt.length)}, ${applied.length} of earlier runs applied.`,
    ...(learnt.length === 0 ? [] : ['', ...learnt.map(({ category, text }) => `- ${safe(category)}: ${safe(text)}`)]),
  ].join('\n');
}
