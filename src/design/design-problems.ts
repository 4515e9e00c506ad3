/**
 * What is wrong with a design: file, line, what is the matter, what to write there. Errors stop a run before it starts;
 * warnings do not. A design that is broken in a thousand places is reported up to a bound. Pure.
 */
import type { DesignPlace } from './design.ts';

export interface DesignProblem extends DesignPlace {
  readonly severity: 'error' | 'warning';
  readonly problem: string;
  readonly fix: string;
}

const mostProblems = 200;
const longestQuote = 80;

export class DesignProblems {
  readonly #found: DesignProblem[] = [];
  /** What several cells of a row have in common is said once. */
  readonly #known = new Set<string>();
  #dropped = 0;

  error(place: DesignPlace, problem: string, fix: string): void {
    this.#add({ file: place.file, line: place.line, severity: 'error', problem, fix });
  }

  warn(place: DesignPlace, problem: string, fix: string): void {
    this.#add({ file: place.file, line: place.line, severity: 'warning', problem, fix });
  }

  /** By file and line, errors before warnings on the same line. */
  sorted(): readonly DesignProblem[] {
    const order = this.#found.toSorted(
      (a, b) =>
        compareTexts(a.file, b.file) ||
        a.line - b.line ||
        compareTexts(a.severity, b.severity) ||
        compareTexts(a.problem, b.problem),
    );
    if (this.#dropped === 0) return order;
    const problem = `${this.#dropped} more problems are not shown`;
    return [...order, { file: order[0]?.file ?? '', line: 1, severity: 'error', problem, fix: 'Fix these first.' }];
  }

  #add(problem: DesignProblem): void {
    const key = `${problem.file}:${problem.line} ${problem.problem}`;
    if (this.#known.has(key)) return;
    this.#known.add(key);
    if (this.#found.length < mostProblems) this.#found.push(problem);
    else this.#dropped += 1;
  }
}

/** A piece of somebody's text in a message: one line, not too long. */
export function quoteText(text: string): string {
  const line = text.replaceAll(/\s+/g, ' ').trim();
  return JSON.stringify(line.length > longestQuote ? `${line.slice(0, longestQuote)}…` : line);
}

/** The same order on every machine. */
export function compareTexts(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0;
}
