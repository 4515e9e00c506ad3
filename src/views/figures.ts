/** Figures as people read them: durations, money, tokens, commits, counted things. Independent of locale. */
import { addUsage, type Usage } from '../policy/usage.ts';

/** `0:07`, `12:34`, `1:02:03`: for a display that counts. */
export function clockTime(ms: number): string {
  const seconds = Math.max(0, Math.floor(ms / 1000));
  const two = (value: number): string => String(value).padStart(2, '0');
  const minutes = Math.floor(seconds / 60);
  if (minutes < 60) return `${minutes}:${two(seconds % 60)}`;
  return `${Math.floor(minutes / 60)}:${two(minutes % 60)}:${two(seconds % 60)}`;
}

/** `7 s`, `12 min 34 s`, `1 h 2 min`: for a sentence. */
export function durationText(ms: number): string {
  const seconds = Math.max(0, Math.round(ms / 1000));
  if (seconds < 60) return `${seconds} s`;
  const minutes = Math.floor(seconds / 60);
  if (minutes < 60) return seconds % 60 === 0 ? `${minutes} min` : `${minutes} min ${seconds % 60} s`;
  const hours = Math.floor(minutes / 60);
  return minutes % 60 === 0 ? `${hours} h` : `${hours} h ${minutes % 60} min`;
}

export function moneyText(usd: number): string {
  return usd > 0 && usd < 0.005 ? '<$0.01' : `$${usd.toFixed(2)}`;
}

export function tokensText(count: number): string {
  if (count < 1000) return String(count);
  if (count < 999_500) return `${(count / 1000).toFixed(count < 9950 ? 1 : 0)}k`;
  return `${(count / 1_000_000).toFixed(1)}M`;
}

/** Empty when no agent reported any. */
export function spendText(usage: Usage): string {
  const parts = [
    ...(usage.costUsd > 0 ? [moneyText(usage.costUsd)] : []),
    ...(usage.inputTokens + usage.outputTokens > 0
      ? [`${tokensText(usage.inputTokens)} tokens in, ${tokensText(usage.outputTokens)} out`]
      : []),
  ];
  return parts.join(', ');
}

/** What is not known adds nothing. */
export function addKnownUsage(a: Usage | undefined, b: Usage | undefined): Usage | undefined {
  return a === undefined || b === undefined ? (a ?? b) : addUsage(a, b);
}

export function shortCommit(commit: string): string {
  return commit.slice(0, 7);
}

/** `1 bug`, `2 bugs`. */
export function countText(count: number, noun: string, plural = `${noun}s`): string {
  return `${count} ${count === 1 ? noun : plural}`;
}

/** A figure of a step or task in a table: at most two decimals, `-` where there is none. */
export function figureText(figure: number | string | boolean | undefined): string {
  if (figure === undefined) return '-';
  if (typeof figure === 'boolean') return figure ? 'yes' : 'no';
  return typeof figure === 'string' ? figure : String(Math.round(figure * 100) / 100);
}
