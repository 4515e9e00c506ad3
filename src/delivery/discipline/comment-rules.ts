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

/** In tests more is a promise, and less is a stub: a test may well use a fake of another module. */
export function checkComments(comments: readonly CommentLine[], inTest: boolean): FoundIssue[] {
  return comments.flatMap((comment) => [
    ...debt(comment),
    ...promise(comment, inTest),
    ...findAbandonment(comment, inTest),
  ]);
}

/** The lines of one comment, without its marks. */
export function commentLines(text: string, firstLine: number): CommentLine[] {
  return text.split('\n').map((line, at) => ({ text: line.replace(/^[\s/*#!-]+/, '').trim(), line: firstLine + at }));
}

function debt({ text, line }: CommentLine): FoundIssue[] {
  // Quoted it is talked about; `XXX-XXXX` and `#XXX` are patterns.
  const word = (/(?<![\w\-'"`#])(?:TODO|FIXME|HACK|XXX)(?![\w\-'"`])/.exec(text) ??
    /(?<!\w)@(?:todo|fixme)\b|^(?:todo|fixme)(?=\s*[:(])/i.exec(text))?.[0];
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

const checked = '(?:assert|verify|check|test|expect)(?:ion|ions|s|ed|ing)?';
const promises = [
  /^(?:we |i |this )?will (?:later )?assert\b/i,
  /^(?:to be|(?:still )?needs? to be) (?:asserted|verified|tested)\b/i,
  new RegExp(String.raw`\b${checked}(?: (?:this|it|that|them|the \w{1,30}))? later(?=\s*(?:[.!;,)]|$))`, 'i'),
  new RegExp(
    String.raw`\b${checked}\b.{0,40}\bin (?:a |the )?(?:follow-?up|next (?:pr|pull request|commit|change|round)\b)`,
    'i',
  ),
  new RegExp(
    String.raw`\b${checked}\b.{0,40}\b(?:once|when|after|until) .{1,60}\b(?:lands?|is (?:merged|implemented))\b`,
    'i',
  ),
  /\b(?:assertions?|tests?) (?:are |is )?(?:still )?(?:to be|will be) (?:added|enabled|written)\b/i,
  /\b(?:assertions?|tests?) (?:come|comes|follow|follows|will come|will follow)\b.{0,30}\b(?:later|soon|next|in a)\b/i,
  /\b(?:re-?enable|uncomment|tighten) (?:(?:the|this|these|that|those|our) )?(?:\w+ )?(?:assert|expect|test|check)/i,
];
/** Outside a test these words are about what the code does when it runs. */
const testPromises = [
  /^(?:we |i |this )?will (?:later )?(?:verify|expect)\b/i,
  /(?:^|\b(?:we|i) )(?:will|going to) (?:later )?(?:assert|verify|check|expect|test)\b.{0,80}\b(?:once|later|soon|until|as soon as)\b/i,
];

function promise({ text, line }: CommentLine, inTest: boolean): FoundIssue[] {
  const patterns = inTest ? [...promises, ...testPromises] : promises;
  if (!patterns.some((pattern) => pattern.test(text))) return [];
  return [
    {
      rule: 'CR-AF12',
      line,
      description: `The comment promises an assertion for later: ${quoteText(text)}`,
      fix: 'Assert it now.',
    },
  ];
}

const id = String.raw`M-\d{3,}(?!\d|['’]s\b)`;
const done = String.raw`(?:lands?|landed|exists?|ready|available|merged?|implemented|done|built|ships?|complete|there|in place)(?!\s+(?:with|to)\b)`;
/** A fake of another module belongs in a test, and nowhere else. */
const stubs = [
  new RegExp(
    String.raw`\b(?:stub(?:bed|s)?|mock(?:ed)?|fake|placeholder|dummy|shim|no-?op|hard-?coded|workaround)\b.{0,40}\b(?:for|of|instead of|while)\b.{0,30}\b${id}`,
    'i',
  ),
];
const abandonments = [
  new RegExp(
    String.raw`\b(?:stub(?:bed|s)?|mock(?:ed)?|fake|placeholder|dummy|shim|no-?op|hard-?coded|workaround|temporary)\b.{0,40}\b(?:until|till|because|since|as long as)\b.{0,30}\b${id}`,
    'i',
  ),
  new RegExp(
    String.raw`\b(?:pending|awaiting|blocked|waiting|waits)(?:[\s:(]+(?:on|by|for|until|the|merge|completion|implementation|of|from|module|${id},?|and|or))*[\s:(]+${id}`,
    'i',
  ),
  new RegExp(
    String.raw`\b(?:depends on unimplemented|(?:deferred|postponed|disabled|skipped|commented out|not wired)\b.{0,30}\b(?:until|till|because|for|since|pending|due to|waiting)\b).{0,30}\b${id}`,
    'i',
  ),
  new RegExp(String.raw`\b(?:until|once|when|after|as soon as)\b.{0,20}\b${id}\b[^,;.]{0,40}\b${done}`, 'i'),
  new RegExp(
    String.raw`\b${id}\b.{0,30}(?:\b(?:is |are )?not (?:yet )?|\b(?:is|are)n['’]t (?:yet )?)(?:implemented|available|ready|there|built|done|merged)\b`,
    'i',
  ),
  new RegExp(
    String.raw`\b${id}\b.{0,30}\b(?:(?:is |are )?(?:missing|unimplemented)|does ?n[o'’]t exist|has(?:n['’]t| not| no) .{1,30}\byet)\b`,
    'i',
  ),
  new RegExp(String.raw`\bTODO\s*\(\s*${id}\s*\)`, 'i'),
];

/** A module that goes without another one instead of having it built. */
export function findAbandonment({ text, line }: CommentLine, inTest = false): FoundIssue[] {
  // Quoted code is talked about, not said.
  const said = text.replaceAll(/`[^`]*`/g, '');
  const patterns = inTest ? abandonments : [...stubs, ...abandonments];
  if (!patterns.some((pattern) => pattern.test(said))) return [];
  return [
    {
      rule: 'CR-AF22',
      line,
      description: `Work is given up because another module is missing: ${quoteText(text)}`,
      fix: 'Have the missing module built first, then use it.',
    },
  ];
}
