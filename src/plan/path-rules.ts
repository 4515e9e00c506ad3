/**
 * Which paths a plan may name: relative ones that stay within the repository and out of git's own
 * directory, written so that every reader takes them the same way. Globs are checked as text; what they
 * match is path-pattern.ts.
 */
import { quoteUntrusted } from './refusal.ts';

interface PathProblem {
  readonly problem: string;
  readonly fix: string;
}

/** For an entry of `writes` or `forbids`. */
export function patternProblem(text: string): PathProblem | undefined {
  const leaving = directoryProblem(text);
  if (leaving !== undefined) {
    return {
      problem: `The path ${quoteUntrusted(text)} ${leaving}.`,
      fix: 'Name a path relative to the root, such as "src/a.ts".',
    };
  }
  if (text !== text.trim()) {
    return {
      problem: `The path ${quoteUntrusted(text)} begins or ends with a blank.`,
      fix: `Write ${quoteUntrusted(text.trim())}.`,
    };
  }
  if (text.startsWith('!')) {
    return {
      problem: `The path ${quoteUntrusted(text)} begins with "!", which excludes nothing here.`,
      fix: `Move ${quoteUntrusted(text.slice(1))} to "forbids".`,
    };
  }
  const braces = /\{([^{},]*(?:,[^{},]*)+)\}/.exec(text);
  if (braces?.[1] !== undefined) {
    const each = braces[1].split(',').map((part) => text.replace(braces[0], () => part));
    return {
      problem: `Braces in ${quoteUntrusted(text)} are not expanded.`,
      fix: `List the paths: ${each
        .map((path) => quoteUntrusted(path))
        .slice(0, 8)
        .join(', ')}.`,
    };
  }
  if (/[^/\\]\*\*|\*\*[^/\\]/.test(text)) {
    const clear = text.replace(/\*\*(?=[^/\\*])/g, '**/*').replace(/(?<=[^/\\*])\*\*/g, '*/**');
    return {
      problem: `"**" in ${quoteUntrusted(text)} is not alone between slashes.`,
      fix: `Write ${quoteUntrusted(clear)}.`,
    };
  }
  return undefined;
}

/** The end of a sentence that begins with the path, or nothing if it stays within the repository. */
export function directoryProblem(text: string): string | undefined {
  const names = text.split(/[\\/]/);
  if (text.trim() === '') return 'is empty';
  if (text.length > 1024) return 'is longer than 1024 characters';
  // oxlint-disable-next-line no-control-regex
  if (/[\u0000-\u001f\u007f]/.test(text)) return 'contains a control character';
  if (/^[\\/]/.test(text) || /^[A-Za-z]:/.test(text)) return 'is absolute';
  if (names[0]?.startsWith('~')) return "begins with a home directory's ~";
  if (names.includes('..')) return 'leaves the repository';
  if (names.some((name) => /^\.git[. ]*$|^git~1$/i.test(name))) return "is in git's own directory";
  return undefined;
}
