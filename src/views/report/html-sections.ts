/** The parts of the HTML report that are tables: checks, receipts, spend, questions, lessons. */
import { coverageOf, covers } from '../../plan/coverage.ts';
import type { Receipt } from '../../policy/receipt.ts';
import { counted, duration, money, shortCommit, tokens } from '../figures.ts';
import { type Html, html, lines, raw } from './html.ts';
import type { Report } from './report.ts';
import type { ReportCheck } from './report-checks.ts';
import type { SpendRow } from './report-spans.ts';

const good: ReadonlySet<string> = new Set(['passed', 'flaky', 'red', 'absent']);

export function checkSection({ checks }: Pick<Report, 'checks'>): Html | undefined {
  if (checks.length === 0) return undefined;
  const owners = [...new Set(checks.map((check) => check.owner))];
  return html`<p class="dim">Run by the engine itself, on the commit and again on the tree it was merged into.</p>
${owners.map((owner) => {
  const own = checks.filter((check) => check.owner === owner);
  const isGood = ({ status }: ReportCheck): boolean => good.has(status);
  // A later round measures the same again: the newest counts.
  const newest = new Map(own.map((check) => [`${check.step} ${check.name}`, check]));
  const bad = [...newest.values()].filter((check) => !isGood(check)).length;
  const word = own.every(isGood) ? 'all good' : 'good in the end';
  const verdict =
    bad === 0 ? html`<span class="done">${word}</span>` : html`<span class="failed">${bad} not good</span>`;
  return html`<details${bad > 0 && raw(' open')}><summary>${owner}: ${counted(own.length, 'check')}, ${verdict}</summary>
<div class="scroll"><table><thead><tr><th>check</th><th>step</th><th>result</th><th class="num">took</th></tr></thead><tbody>${own.map(checkRow)}</tbody></table></div></details>\n`;
})}`;
}

function checkRow({ name, step, status, reason, durationMs, key }: ReportCheck): Html {
  const shade = good.has(status) ? 'done' : status === 'failed' ? 'failed' : 'blocked';
  return html`<tr><td><code>${name}</code><br><span class="dim">${key}</span></td><td>${step}</td><td><b class="${shade}">${status}</b> ${reason}</td><td class="num">${
    durationMs === 0 ? '' : duration(durationMs)
  }</td></tr>\n`;
}

export function receiptSection({ receipts }: Pick<Report, 'receipts'>): Html | undefined {
  if (receipts.length === 0) return undefined;
  return html`<p class="dim">Every merge with what was declared and what really changed.</p>
${receipts.map(receiptOf)}`;
}

function receiptOf(receipt: Receipt): Html {
  const { task, declared, changed, flags, leftBehind, before, after, source, checks } = receipt;
  const used = new Set(changed.flatMap(({ path }) => coverageOf(declared).all(path)));
  const unused = declared.filter((_, place) => !used.has(place));
  const flagged = new Map<string, string[]>();
  for (const flag of flags) {
    const reason = `${flag.case}: ${flag.action} (${flag.reason})`;
    const earlier = flagged.get(flag.path);
    if (earlier === undefined) flagged.set(flag.path, [reason]);
    else earlier.push(reason);
  }
  const reasons = (path: string): string => (flagged.get(path) ?? []).join('; ');
  const known = new Set(changed.map((change) => change.path));
  const others = flags.filter((flag) => !known.has(flag.path));
  return html`<details${flags.length > 0 && raw(' open')}><summary>${task}: ${counted(changed.length, 'file')}${flags.length > 0 && `, ${counted(flags.length, 'flag')}`} <code>${shortCommit(after)}</code></summary>
<p class="dim"><code>${shortCommit(before)}</code> to <code>${shortCommit(after)}</code>, from <code>${shortCommit(source)}</code></p>
<div class="scroll"><table><thead><tr><th>changed</th><th>how</th><th>declared</th><th>decision</th></tr></thead><tbody>${changed.map(
    ({ path, status }) =>
      html`<tr><td class="path">${path}</td><td>${status}</td><td>${covers(declared, path) ? 'yes' : 'no'}</td><td>${reasons(path)}</td></tr>\n`,
  )}${unused.map(
    (path) => html`<tr><td class="path">${path}</td><td class="dim">not changed</td><td>yes</td><td></td></tr>\n`,
  )}</tbody></table></div>
${others.length > 0 && html`<ul class="plain">${others.map((flag) => html`<li>${flag.case} <span class="path">${flag.path}</span>: ${flag.action} (${flag.reason})</li>`)}</ul>`}
${checks.length > 0 && html`<p>Checked: ${checks.map(({ label, status }) => `${label} ${status}`).join(', ')}</p>`}
${leftBehind.length > 0 && html`<p>Left behind: ${leftBehind.map(({ path, reason }) => `${path} (${reason})`).join(', ')}</p>`}</details>\n`;
}

export function spendSection({ spend }: Pick<Report, 'spend'>): Html | undefined {
  if (spend.byRole.length === 0) return undefined;
  return html`<h3>By role</h3>${spendTable('role', spend.byRole)}<h3>By work</h3>${spendTable('work', spend.byWork)}`;
}

function spendTable(name: string, rows: readonly SpendRow[]): Html {
  return html`<div class="scroll"><table><thead><tr><th>${name}</th><th class="num">sessions</th><th class="num">at work</th><th class="num">tokens in</th><th class="num">tokens out</th><th class="num">cost</th></tr></thead>
<tbody>${rows.map(
    (row) =>
      html`<tr><td>${row.name}</td><td class="num">${row.sessions}</td><td class="num">${duration(row.workedMs)}</td><td class="num">${tokens(row.usage.inputTokens)}</td><td class="num">${tokens(row.usage.outputTokens)}</td><td class="num">${money(row.usage.costUsd)}</td></tr>\n`,
  )}</tbody></table></div>`;
}

export function questionSection({ questions }: Pick<Report, 'questions'>): Html | undefined {
  if (questions.length === 0) return undefined;
  return html`<div class="scroll"><table><thead><tr><th>asked</th><th>question</th><th>answer</th><th>by</th></tr></thead>
<tbody>${questions.map(
    ({ askedAt, title, detail, answer, by }) =>
      html`<tr><td class="dim">${askedAt.slice(0, 19).replace('T', ' ')}</td><td>${title}${detail !== '' && html`<br><span class="dim">${lines(detail)}</span>`}</td><td>${
        answer === undefined ? html`<b class="blocked">not answered</b>` : lines(answer)
      }</td><td>${by}</td></tr>\n`,
  )}</tbody></table></div>`;
}

export function lessonSection({ lessons }: Pick<Report, 'lessons'>): Html | undefined {
  const { added, applied, learned } = lessons;
  if (added + applied.length + learned.length === 0) return undefined;
  return html`<p>${counted(added, 'lesson')} saved, ${applied.length} of earlier runs applied.</p>
${learned.length > 0 && html`<h3>Learned</h3><ul class="plain">${learned.map(({ category, text }) => html`<li><span class="dim">${category}:</span> ${text}</li>`)}</ul>`}
${applied.length > 0 && html`<h3>Applied</h3><ul class="plain">${applied.map((text) => html`<li>${text}</li>`)}</ul>`}`;
}
