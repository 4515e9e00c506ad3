/**
 * What comments give away: debt without an issue, assertions that are promised for later, modules that are stubbed because
 * another one is missing. Reads prose that was already taken out of code or Markdown, line by line. Pure.
 */
import { issueIn } from '../../design/design-ids.ts';
import { quoteText } from '../../design/design-problems.ts';
import type { FoundIssue } from '../plan-issue.ts';

export interface CommentLine {
  readonly text: string;
  readonly line: number;
}

export function checkComments(comments: readonly CommentLine[]): FoundIssue[] {
  return comments.flatMap((comment) => [...debt(comment), ...promise(comment), ...findAbandonment(comment)]);
}

/** The lines of one comment, without its marks. */
export function commentLines(text: string, firstLine: number): CommentLine[] {
  return text.split('\n').map((line, at) => ({ text: line.replace(/^[\s/*#!-]+/, '').trim(), line: firstLine + at }));
}

function debt({ text, line }: CommentLine): FoundIssue[] {
  const word = /(?<![\w-])(?:TODO|FIXME|HACK|XXX)(?![\w-])/.exec(text)?.[0];
  if (word === undefined || issueIn(text) !== undefined) return [];
  return [
    {
      rule: 'CR-AF13',
      line,
      description: `${word} without an issue: ${quoteText(text)}`,
      fix: 'Write the issue as owner/repo#123, or do it now.',
    },
  ];
}

const promises = [
  /^(?:we )?will (?:later )?(?:assert|verify|expect)\b/i,
  /^(?:to be|(?:still )?needs? to be) (?:asserted|verified|tested)\b/i,
  /\b(?:will|going to) (?:later )?(?:assert|verify|check|expect|test)\b.{0,80}\b(?:once|after|later|soon|until|as soon as)\b/i,
  /\b(?:assert|verify|check|test|expect)(?:ion|ions|s|ed|ing)?(?: (?:this|it|that|them|the \w{1,30}))? (?:later(?=\s*(?:[.!;,)]|$))|in a follow-?up\b)/i,
  /\b(?:assert|verify|check|test|expect)(?:ion|ions|s|ed|ing)?\b.{0,40}\b(?:once|when) .{1,60}\b(?:lands?|is (?:ready|available|merged|implemented|done|there)|exists)\b/i,
  /\b(?:assertions?|tests?) (?:are |is )?(?:still )?(?:to be|will be) (?:added|enabled|written)\b/i,
  /\b(?:re-?enable|uncomment|tighten)\b.{0,40}\b(?:assert|expect|test|check)/i,
];

function promise({ text, line }: CommentLine): FoundIssue[] {
  if (!promises.some((pattern) => pattern.test(text))) return [];
  return [
    {
      rule: 'CR-AF12',
      line,
      description: `The comment promises an assertion for later: ${quoteText(text)}`,
      fix: 'Assert it now.',
    },
  ];
}

const id = String.raw`M-\d{3,}`;
const abandonments = [
  new RegExp(
    String.raw`\b(?:stub(?:bed|s)?|mock(?:ed)?|fake|placeholder|dummy|no-?op|hard-?coded|temporary|shim|workaround)\b.{0,40}\b(?:for|until|of|because of|instead of|while)\b.{0,30}\b${id}`,
    'i',
  ),
  new RegExp(
    String.raw`\b(?:pending|awaiting|blocked|waiting|waits|depends on unimplemented|deferred|postponed|disabled|skipped|commented out|not wired)\b.{0,30}\b${id}`,
    'i',
  ),
  new RegExp(
    String.raw`\b(?:until|once|when|after)\b.{0,20}\b${id}\b.{0,40}\b(?:lands?|exists?|ready|available|merged?|implemented|done|built|ships?|complete)\b`,
    'i',
  ),
  new RegExp(
    String.raw`\b${id}\b.{0,30}\b(?:is |are )?(?:not (?:yet )?(?:implemented|available|ready|there|built|done|merged)|missing|unimplemented|does ?n[o']t exist|doesn't exist)\b`,
    'i',
  ),
  new RegExp(String.raw`\bTODO\s*\(\s*${id}\s*\)`, 'i'),
];

/** A module that goes without another one instead of having it built. */
export function findAbandonment({ text, line }: CommentLine): FoundIssue[] {
  // Quoted code is talked about, not said.
  const said = text.replaceAll(/`[^`]*`/g, '');
  if (!abandonments.some((pattern) => pattern.test(said))) return [];
  return [
    {
      rule: 'CR-AF22',
      line,
      description: `Work is given up because another module is missing: ${quoteText(text)}`,
      fix: 'Have the missing module built first, then use it.',
    },
  ];
}
