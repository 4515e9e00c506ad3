/**
 * Checks an acceptance report: written by the acceptance tester, all sections there, a verdict, and an end-to-end run that
 * really ran or a real reason why there is none. Pure.
 */
import { quoteText } from '../design/design-problems.ts';
import { type MarkdownDocument, type MarkdownSection, readMarkdown } from '../markdown/markdown-document.ts';
import { cellText, findSection } from '../markdown/section-lookup.ts';
import { weakReason } from './deferral-words.ts';
import { type FoundIssue, issueIn, type PlanIssue } from './plan-issue.ts';

export const acceptanceMark = '<!-- generated-by: acceptance-tester-subagent; version: 1 -->';

export const acceptanceSections = [
  'Summary',
  'Input',
  'Feature Acceptance',
  'Journey E2E Scenarios',
  'Requirements Traceability Matrix',
  'E2E Traceability Matrix',
  'E2E Test Run',
  'Negative-Path Coverage',
  'Failed Items',
  'Not Covered Items',
  'Outstanding Debt',
  'Orphan Tests',
  'Unmapped Acceptance Criteria',
  'Naming-vs-Content Mismatches',
  'Verdict',
] as const;

export function checkAcceptance(file: string, text: string): readonly PlanIssue[] {
  const reading = readMarkdown(text);
  if (reading.status === 'refused') {
    const found = {
      rule: 'CR-AF05',
      line: reading.line,
      description: `The report ${reading.why}.`,
      fix: 'Write shorter, flatter Markdown.',
    };
    return [issueIn(file, found)];
  }
  return [...aboutMark(text), ...aboutSections(reading.document), ...aboutRun(reading.document)].map((found) =>
    issueIn(file, found),
  );
}

function aboutMark(text: string): FoundIssue[] {
  const first = text.split(/\r?\n/).find((line) => line.replace('\uFEFF', '').trim() !== '') ?? '';
  if (first.replace('\uFEFF', '').trim() === acceptanceMark) return [];
  return [
    {
      rule: 'CR-AF24',
      line: 1,
      description: 'The report does not start with the mark of the acceptance tester.',
      fix: `Let the acceptance tester write the report; its first line is ${acceptanceMark}`,
    },
  ];
}

function aboutSections(document: MarkdownDocument): FoundIssue[] {
  const missing = acceptanceSections.filter((name) => findSection(document, name) === undefined);
  const verdict = findSection(document, 'Verdict');
  const found = missing.map(
    (name): FoundIssue => ({
      rule: 'CR-AF05',
      line: 0,
      description: `The section "${name}" is missing.`,
      fix: `Add "## ${name}".`,
    }),
  );
  if (verdict !== undefined && !/\b(?:PASS|PARTIAL|FAIL)\b/.test(verdict.text))
    found.push({
      rule: 'CR-AF06',
      line: verdict.line,
      description: 'The verdict is not PASS, PARTIAL or FAIL.',
      fix: 'Write one of the three words.',
    });
  return found;
}

function aboutRun(document: MarkdownDocument): FoundIssue[] {
  const section = findSection(document, 'E2E Test Run');
  if (section === undefined) return [];
  const line = section.line;
  const fields = new Map(
    section.tables
      .flatMap(({ header, rows }) => [{ cells: header, line: 0 }, ...rows])
      .map((row) => [cellText(row, 0).toLowerCase(), cellText(row, 1)]),
  );
  const command = fields.get('command');
  const exit = fields.get('exit code');
  if (command === undefined || exit === undefined)
    return [
      {
        rule: 'CR-AF25',
        line,
        description: 'The end-to-end run does not say which command ran and how it ended.',
        fix: 'Add the rows "Command" and "Exit Code".',
      },
    ];
  const found: FoundIssue[] = [];
  const add = (description: string, fix: string): void => void found.push({ rule: 'CR-AF23', line, description, fix });
  if (notApplicable.test(command) || notApplicable.test(exit)) {
    const reason = reasonFor(section, fields, [command, exit]);
    const weak = weakReason(reason);
    if (weak !== undefined)
      add(
        `No end-to-end tests ran, and ${quoteText(reason)} is no reason (${weak}).`,
        'Run them, or say what about the product makes them impossible.',
      );
    return found;
  }
  if (command.trim() === '' || /^[–—-]+$/.test(command.trim()))
    add('The command of the end-to-end run is empty.', 'Write the command that ran.');
  if (!/^0\b/.test(exit.trim()))
    add(`The end-to-end run ended with ${quoteText(exit)}.`, 'Fix what fails; the exit code has to be 0.');
  if (!section.fences.some((fence) => fence.text.trim() !== ''))
    add('The output of the end-to-end run is missing.', 'Add what it printed as a code block.');
  return found;
}

const notApplicable = /^\s*(?:n\s*\/\s*a|not applicable|none)\b/i;

/** Behind the `n/a`, in a row of its own, or as a paragraph. */
function reasonFor(section: MarkdownSection, fields: ReadonlyMap<string, string>, cells: readonly string[]): string {
  const row = [...fields].find(([name]) =>
    /^(?:justification|reason|n\/a (?:justification|reason)|why)/.test(name),
  )?.[1];
  const behind = cells
    .map((cell) => cell.replace(notApplicable, '').replace(/^[\s:;,.()–—-]+/, ''))
    .find((text) => text !== '');
  const label = section.labels.find((each) => /justification|reason|n\/a/.test(each.label))?.text;
  const paragraph = section.paragraphs.map(({ text }) => text).find((text) => text !== '');
  return row ?? behind ?? label ?? paragraph ?? '';
}
