/**
 * The delivery discipline for languages without a parser here (Go, Rust, Java and its kin, scripts) and for files that do not
 * parse: patterns over code whose comments and strings are blanked. Fewer rules, none that needs a guess. Pure.
 */
import { issueIn } from '../../design/design-ids.ts';
import { blankSource, commentSpans, type Language } from '../../evidence/weakened/blank.ts';
import { rulesOf } from '../../evidence/weakened/language-rules.ts';
import { isTestFile } from '../../evidence/test-files.ts';
import { lineFinder } from '../../evidence/weakened/outline.ts';
import { textOutline } from '../../evidence/weakened/text-outline.ts';
import type { FoundIssue } from '../plan-issue.ts';
import { checkComments, commentLines } from './comment-rules.ts';
import { ruleIssue } from './rule-texts.ts';

export function textDiscipline(path: string, source: string, language: Language): FoundIssue[] {
  return [...commentDiscipline(path, source, language), ...codeDiscipline(source, language)];
}

/** What the comments of a file say. */
export function commentDiscipline(path: string, source: string, language: Language): FoundIssue[] {
  const lineOf = lineFinder(source);
  return checkComments(
    commentSpans(source, language).flatMap(([from, to]) => commentLines(source.slice(from, to), lineOf(from))),
    isTestFile(path),
  );
}

function codeDiscipline(source: string, language: Language): FoundIssue[] {
  const code = blankSource(source, language);
  const lineOf = lineFinder(source);
  const lines = source.split('\n');
  const outline = textOutline(source, language);
  const skips = [...code.matchAll(rulesOf(language).skip)].filter(
    ([word, ...rest]) => !/If\b|skipif/i.test(word + rest.join('')),
  );
  const places = (pattern: RegExp): number[] => [...code.matchAll(pattern)].map((match) => match.index);
  return [
    ...skips
      .map((match) => lineOf(match.index))
      .filter((line) => !hasReference(lines, line))
      .map((line) => ruleIssue('skip-without-issue', line)),
    ...outline.tautologies.map(({ line }) => ruleIssue('tautology', line)),
    ...outline.tests
      .filter(
        ({ expectations }) => expectations.length > 0 && expectations.every((each) => saysNoError(each, language)),
      )
      .map(({ line }) => ruleIssue('no-error', line)),
    ...places(severalOutcomes).map((at) => ruleIssue('several-outcomes', lineOf(at))),
    ...places(emptyCatch)
      .filter((at) => isReallyEmpty(source, at))
      .map((at) => ruleIssue('empty-catch', lineOf(at))),
  ];
}

/** Over an assertion without its white space. */
const noError: Readonly<Partial<Record<Language, RegExp>>> = {
  go: /^(?:(?:assert|require|must|is|c)\.(?:NoErrorf?\(|NoErr\(|Nilf?\(\w+,err\b)|[a-z]\w*\.(?:Fatal|Error)f?\(.*\berr\b)/,
  rust: /^assert!\(.*\.is_ok\(\)[,)]/,
  java: /^(?:assertDoesNotThrow\(|assertNull\((?:err|error|e|ex|exception)\b)/,
  js: /^expect\(.*\)\.not\.toThrow|^expect\((?:err|error)\)\.to(?:BeNull|BeUndefined|BeFalsy)/,
  python: /^assert(?:err|error|exc)isNone$/,
};

function saysNoError(expectation: string, language: Language): boolean {
  return noError[language]?.test(expectation.replaceAll(' ', '')) === true;
}

const severalOutcomes =
  /\b(?:assert|require)\.Contains\(\s*\w{1,40}\s*,\s*\[\]\w{1,40}\{[^{}\n]{1,300},[^{}\n]{1,300}\}|\bassertTrue\(\s*(?:List\.of|Arrays\.asList|Set\.of)\([^()\n]{1,300},[^()\n]{1,300}\)\.contains\(|\.to\.be\.oneOf\(\s*\[[^\]\n]{1,300},/g;

const emptyCatch =
  /\bcatch\s{0,9}(?:\([^()\n]{0,200}\))?\s{0,9}\{\s{0,200}\}|\bif\s{1,9}err\s{1,9}!=\s{1,9}nil\s{1,9}\{\s{0,200}\}/g;

/** Comments are blank in the code; in the source they say why. */
function isReallyEmpty(source: string, at: number): boolean {
  const open = source.indexOf('{', at);
  const close = source.indexOf('}', open);
  return source.slice(open + 1, close).trim() === '';
}

function hasReference(lines: readonly string[], line: number): boolean {
  const above = lines[line - 2] ?? '';
  return (
    issueIn(lines[line - 1] ?? '') !== undefined ||
    (/^\s*(?:\/\/|#|\*|\/\*)/.test(above) && issueIn(above) !== undefined)
  );
}
