/** Small things every command prints: data for scripts, a table for people. */
import { displayWidth, fitText, padText, plainLine } from '../views/terminal-text.ts';

export function printJson(value: unknown): void {
  console.log(JSON.stringify(value));
}

/** The last column gives way when the terminal is narrow. */
export function tableLines(rows: readonly (readonly string[])[], columns: number): string[] {
  const safe = rows.map((row) => row.map(plainLine));
  const count = Math.max(0, ...safe.map((row) => row.length));
  const widths = Array.from({ length: count }, (_, at) => Math.max(...safe.map((row) => displayWidth(row[at] ?? ''))));
  return safe.map((row) =>
    fitText(row.map((cell, at) => (at === row.length - 1 ? cell : padText(cell, widths[at] ?? 0))).join('  '), columns),
  );
}

/** How long ago, in one unit. */
export function agoText(at: string, now: number = Date.now()): string {
  const seconds = Math.max(0, Math.round((now - Date.parse(at)) / 1000));
  if (Number.isNaN(seconds)) return '';
  if (seconds < 60) return `${seconds} s ago`;
  if (seconds < 3600) return `${Math.floor(seconds / 60)} min ago`;
  return seconds < 86_400 ? `${Math.floor(seconds / 3600)} h ago` : `${Math.floor(seconds / 86_400)} d ago`;
}
