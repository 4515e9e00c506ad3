/**
 * The report as one HTML page that needs nothing else: no script, no request (a policy in the page forbids both), every
 * text escaped. Light, dark and on paper; what is folded opens with the keyboard.
 */
import { createHash } from 'node:crypto';
import type { Usage } from '../../policy/usage.ts';
import { counted, duration, figureText, money, shortCommit, tokens } from '../figures.ts';
import { figureNames, notesText } from '../summary-text.ts';
import type { WorkUnit } from '../work-rows.ts';
import { foundBy, type ReportedFinding } from '../work-reports.ts';
import { statusMarks } from '../wording.ts';
import { graphSvg } from './graph-svg.ts';
import { type Html, html, lines, type Piece, raw } from './html.ts';
import { checkSection, lessonSection, questionSection, receiptSection, spendSection } from './html-sections.ts';
import type { Report } from './report.ts';
import { style } from './style.ts';
import { timelineSvg } from './timeline-svg.ts';

export function htmlReport(report: Report): string {
  const sections = sectionsOf(report).filter((section) => section.body !== undefined);
  const hash = createHash('sha256').update(style).digest('base64');
  const policy = `default-src 'none'; style-src 'sha256-${hash}'; base-uri 'none'; form-action 'none'`;
  const page = html`${raw('<!doctype html>')}
<html lang="en">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="${raw(policy)}">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="referrer" content="no-referrer">
<title>${report.title} - Forge</title>
<style>${raw(style)}</style>
</head>
<body>
<a class="skip" href="#main">To the report</a>
${headerOf(report)}
<nav aria-label="Parts of the report"><ul>${sections.map(({ id, title }) => html`<li><a href="#${id}">${title}</a></li>`)}</ul></nav>
<main id="main">
${sections.map(({ id, title, body }) => html`<section aria-labelledby="${id}"><h2 id="${id}">${title}</h2>\n${body}</section>\n`)}
</main>
<footer>Run ${report.run}, workflow ${report.workflow}, Forge ${report.forge}. Made from the run's journal alone.</footer>
</body>
</html>
`;
  return page.text;
}

interface Section {
  readonly id: string;
  readonly title: string;
  readonly body: Html | undefined;
}

function sectionsOf(report: Report): Section[] {
  return [
    { id: 'overview', title: 'Overview', body: overviewOf(report) },
    { id: 'steps', title: 'Steps', body: stepsOf(report) },
    { id: 'plan', title: 'Tasks', body: planOf(report) },
    { id: 'next', title: 'What to try', body: nextOf(report) },
    { id: 'timeline', title: 'Timeline', body: timelineSvg(report) },
    { id: 'findings', title: 'Findings', body: findingsOf(report) },
    { id: 'retries', title: 'Tried again', body: retriesOf(report) },
    { id: 'checks', title: 'Checks', body: checkSection(report) },
    { id: 'receipts', title: 'Receipts', body: receiptSection(report) },
    { id: 'spend', title: 'Spend', body: spendSection(report) },
    { id: 'questions', title: 'Questions and answers', body: questionSection(report) },
    { id: 'lessons', title: 'Lessons', body: lessonSection(report) },
  ];
}

const statusClass: Readonly<Record<string, string>> = { done: 'done', failed: 'failed', cancelled: 'failed' };

function headerOf({ title, status, reason, run, branch, base, startedAt }: Report): Html {
  return html`<header><h1>${title}</h1>
<p><span class="badge ${statusClass[status] ?? 'running'}">${status}</span> <span class="dim">${run}, begun ${startedAt.slice(0, 16).replace('T', ' ')} UTC</span></p>
${reason !== '' && html`<p>${reason}</p>`}
<p class="dim">from <code>${shortCommit(base)}</code>${branch !== undefined && html` to the branch <code>${branch}</code>`}</p></header>`;
}

function overviewOf(report: Report): Html {
  const { units, findings, retries, wallMs, workedMs, usage, requirement } = report;
  const done = units.filter(({ status }) => status === 'done').length;
  const number = (state: ReportedFinding['state']): number => findings.filter((one) => one.state === state).length;
  const cards: readonly (readonly [string, Piece])[] = [
    ['done', `${done} of ${units.length}`],
    ['tried again', retries.length],
    ['must be fixed', number('must-fix')],
    ['advisory', number('advisory')],
    ['from start to end', duration(wallMs)],
    ['of it at work', duration(workedMs)],
    [spendWords(usage), usage.costUsd > 0 ? money(usage.costUsd) : '-'],
  ];
  return html`<ul class="cards">${cards.map(([name, value]) => html`<li><b>${value}</b><span class="dim">${name}</span></li>`)}</ul>
<details${requirement.length < 400 && raw(' open')}><summary>What was asked</summary><p>${lines(requirement)}</p></details>`;
}

function spendWords({ inputTokens, outputTokens }: Usage): string {
  if (inputTokens + outputTokens === 0) return 'no spend reported';
  return `${tokens(inputTokens)} tokens in, ${tokens(outputTokens)} out`;
}

function stepsOf({ steps }: Report): Html | undefined {
  if (steps.length === 0) return undefined;
  return html`<ul class="plain">${steps.map(
    ({ label, status, detail }) =>
      html`<li><span class="state ${status}">${statusMarks[status]} ${status}</span> <b>${label}</b>${detail !== '' && `: ${detail}`}</li>`,
  )}</ul>`;
}

function planOf(report: Report): Html | undefined {
  const { units, risks, decisions } = report;
  if (units.length === 0) return undefined;
  const names = figureNames(units);
  return html`${graphSvg(report)}
<div class="scroll"><table><thead><tr><th>task</th><th>status</th>${names.map((name) => html`<th class="num">${name}</th>`)}<th>files</th><th>notes</th></tr></thead>
<tbody>${units.map((unit, index) => unitRow(unit, index, names))}</tbody></table></div>
${bullets('Decisions', decisions)}${bullets('Known risks', risks)}`;
}

function nextOf({ advice }: Report): Html | undefined {
  if (advice.length === 0) return undefined;
  return html`${advice.map(
    ({ reason, first, commands }) => html`<p><b>${reason}</b><br>${first}</p>
<ul class="plain">${commands.map((command) => html`<li><code>${command}</code></li>`)}</ul>\n`,
  )}`;
}

function unitRow(unit: WorkUnit, index: number, names: readonly string[]): Html {
  const { title, group, status, figures, depends, planned, commit } = unit;
  return html`<tr id="unit-${index}"><td><b>${title}</b>${group !== undefined && html` <span class="dim">in ${group}</span>`}${
    depends.length > 0 && html`<br><span class="dim">after ${depends.join(', ')}</span>`
  }</td><td class="state ${status}">${statusMarks[status]} ${status}</td>${names.map(
    (name) => html`<td class="num">${figures[name] === undefined ? '' : figureText(figures[name])}</td>`,
  )}<td class="path">${(planned?.writes ?? []).join(', ')}</td><td>${notesText(unit)}${
    commit !== undefined && html` <code>${shortCommit(commit)}</code>`
  }</td></tr>\n`;
}

const states: readonly (readonly [ReportedFinding['state'], string])[] = [
  ['must-fix', 'Must be fixed'],
  ['advisory', 'Advisory'],
  ['fixed', 'Found and fixed on the way'],
];

function findingsOf({ findings }: Report): Html | undefined {
  if (findings.length === 0) return undefined;
  return html`${states.map(([state, title]) => {
    const some = findings.filter((finding) => finding.state === state);
    if (some.length === 0) return undefined;
    return html`<details${state !== 'fixed' && raw(' open')}><summary>${title} (${some.length})</summary>${some.map(findingOf)}</details>\n`;
  })}`;
}

function findingOf(finding: ReportedFinding): Html {
  const { severity, category, file, line, claim, evidence, suggestion } = finding;
  const place = line === 0 ? file : `${file}:${line}`;
  const who = foundBy(finding);
  return html`<div class="finding ${severity}"><p><b>${severity}</b> ${category !== '' && html`<span class="dim">${category}</span> `}<code>${place}</code> <span class="dim">${who}</span></p>
<p>${claim}</p>${evidence !== '' && html`<p class="dim">${lines(evidence)}</p>`}${suggestion !== '' && html`<p>${lines(suggestion)}</p>`}</div>\n`;
}

function retriesOf({ retries }: Report): Html | undefined {
  if (retries.length === 0) return undefined;
  const names = figureNames(retries);
  return html`<p>${counted(retries.length, 'round')} did not pass and went back.</p>
<div class="scroll"><table><thead><tr><th>work</th><th>round</th>${names.map((name) => html`<th class="num">${name}</th>`)}<th>what failed</th></tr></thead>
<tbody>${retries.map(
    ({ owner, title, detail, figures, lines: more }) =>
      html`<tr><td>${owner}</td><td>${title}</td>${names.map((name) => html`<td class="num">${figureText(figures[name])}</td>`)}<td>${detail}${more.map(
        (line) => html`<br>${line}`,
      )}</td></tr>\n`,
  )}</tbody></table></div>`;
}

function bullets(title: string, items: readonly string[]): Html | undefined {
  if (items.length === 0) return undefined;
  return html`<h3>${title}</h3><ul class="plain">${items.map((item) => html`<li>${item}</li>`)}</ul>\n`;
}
