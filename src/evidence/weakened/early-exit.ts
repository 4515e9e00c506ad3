/**
 * A test file that ends its own process: everything after it is silently left out, and most runners call that
 * a pass. Found in the text without comments and strings; what the version before had as often is not news.
 */
import { blankSource, type Language } from './blank.ts';
import { lineFinder } from './outline.ts';

const exits: Readonly<Record<Language, RegExp>> = {
  js: /\b(?:process\s*\??\.\s*(?:exit|abort|reallyExit|kill)\b(?!Code)|process\s*\[|Deno\s*\.\s*exit\b)/g,
  python: /\b(?:sys\.exit|os\._exit|os\.abort|os\.kill|pytest\.exit)\s*\(|^(?:exit|quit)\s*\(|\braise\s+SystemExit\b/gm,
  go: /\b(?:os\.Exit|syscall\.Exit|log\.Fatal\w*)\s*\(/g,
  rust: /\bprocess::(?:exit|abort)\s*\(/g,
  java: /\b(?:System\.exit|Runtime\.getRuntime\(\)\.halt|exitProcess)\s*\(/g,
};

/** The lines of exits that the version after has beyond those before. */
export function addedExits(before: string, after: string, language: Language): number[] {
  const known = [...blankSource(before, language).matchAll(exits[language])].length;
  const lineOf = lineFinder(after);
  const found = [...blankSource(after, language).matchAll(exits[language])];
  return found.length <= known ? [] : found.slice(0, found.length - known).map((match) => lineOf(match.index));
}
