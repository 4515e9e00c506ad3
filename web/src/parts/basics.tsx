/** Small pieces every view is made of: states, times, buttons, empty places, failures. */
import type { ReactNode } from 'react';
import type { Usage } from '../../../src/policy/usage.ts';
import { moneyText, tokensText } from '../../../src/views/figures.ts';
import type { Failure } from '../source/source.ts';
import { visible, visibleName } from './visible-text.ts';

export type Tone = 'good' | 'bad' | 'warn' | 'busy' | 'idle';

const looks: Readonly<Record<string, readonly [tone: Tone, sign: string, word?: string]>> = {
  done: ['good', '✓'],
  replied: ['good', '✓', 'done'],
  passed: ['good', '✓'],
  red: ['good', '✓', 'red before'],
  absent: ['good', '✓', 'red before'],
  'not-measured': ['warn', '?', 'not measured'],
  running: ['busy', '●'],
  created: ['busy', '●', 'starting'],
  failed: ['bad', '✗'],
  'must-fix': ['bad', '✗', 'must fix'],
  unreadable: ['bad', '✗'],
  cancelled: ['idle', '⊘'],
  blocked: ['warn', '⊘'],
  waiting: ['warn', '?', 'needs you'],
  limited: ['warn', '‖', 'at its limit'],
  paused: ['warn', '‖'],
  stopped: ['bad', '!'],
  interrupted: ['warn', '‖'],
  unverified: ['warn', '?'],
  flaky: ['warn', '~'],
  green: ['warn', '!', 'green before'],
  advisory: ['idle', '·'],
  fixed: ['good', '✓'],
  skipped: ['idle', '–'],
  commented: ['idle', '✎'],
  pending: ['idle', '○', 'to come'],
};

/** `waiting` of a step or task that has not begun is no question. */
export function lookOf(status: string): { readonly tone: Tone; readonly sign: string; readonly word: string } {
  const [tone, sign, word = status] = looks[status] ?? (['idle', '·'] as const);
  return { tone, sign, word };
}

export function Sign({ status }: { readonly status: string }): ReactNode {
  const { tone, sign, word } = lookOf(status);
  return (
    <span className={`sign ${tone}${status === 'running' ? ' beating' : ''}`} role="img" aria-label={word}>
      {sign}
    </span>
  );
}

export function Pill({ status, children }: { readonly status: string; readonly children?: ReactNode }): ReactNode {
  const { tone, sign, word } = lookOf(status);
  return (
    <span className={`pill ${tone}`}>
      <span aria-hidden="true" className={status === 'running' ? 'beating' : ''}>
        {sign}
      </span>{' '}
      {children ?? word}
    </span>
  );
}

/** Nothing more comes of a run by itself. */
export function isOver({ status }: { readonly status: string }): boolean {
  return status === 'done' || status === 'failed' || status === 'cancelled';
}

const units: readonly (readonly [number, string])[] = [
  [86_400_000, 'd'],
  [3_600_000, 'h'],
  [60_000, 'min'],
  [1000, 's'],
];

export function roughly(ms: number): string {
  const size = Math.abs(ms);
  const [unit, name] = units.find(([one]) => size >= one) ?? [1000, 's'];
  return `${Math.round(size / unit)} ${name}`;
}

/** How long ago, with the exact time on hover. */
export function Ago({ at, now }: { readonly at: string; readonly now: number }): ReactNode {
  const ms = now - Date.parse(at);
  if (!Number.isFinite(ms)) return null;
  const text = Math.abs(ms) < 5000 ? 'just now' : ms > 0 ? `${roughly(ms)} ago` : `in ${roughly(ms)}`;
  return (
    <time dateTime={at} title={new Date(at).toLocaleString()}>
      {text}
    </time>
  );
}

/** When something is expected to end: of a guess that is over, only that it was too early. */
export function Ends({ at, now }: { readonly at: string; readonly now: number }): ReactNode {
  if (Date.parse(at) - now > -5000) return <Ago at={at} now={now} />;
  return (
    <time dateTime={at} title={`Expected ${new Date(at).toLocaleString()}`}>
      later than expected
    </time>
  );
}

export function spendText({ costUsd, inputTokens, outputTokens }: Usage): string {
  if (costUsd > 0) return moneyText(costUsd);
  return inputTokens + outputTokens > 0 ? `${tokensText(inputTokens + outputTokens)} tokens` : '';
}

/** Text that somebody else wrote, on one line. */
export function Said({ text, className }: { readonly text: string; readonly className?: string }): ReactNode {
  return <bdi className={className}>{visible(text)}</bdi>;
}

/** The name of a file. */
export function Path({ name, className = '' }: { readonly name: string; readonly className?: string }): ReactNode {
  return <bdi className={`mono ${className}`}>{visibleName(name)}</bdi>;
}

export function Empty({ title, children }: { readonly title: string; readonly children?: ReactNode }): ReactNode {
  return (
    <div className="empty">
      <p className="empty-title">{title}</p>
      {children === undefined ? null : <div className="soft">{children}</div>}
    </div>
  );
}

export function Trouble({ failure, onRetry }: { readonly failure: Failure; readonly onRetry?: () => void }): ReactNode {
  return (
    <div className="trouble" role="alert">
      <p>
        <Said text={failure.error} />
      </p>
      {failure.hint === undefined ? null : (
        <p className="soft">
          <Said text={failure.hint} />
        </p>
      )}
      {onRetry === undefined ? null : (
        <button type="button" onClick={onRetry}>
          Try again
        </button>
      )}
    </div>
  );
}

export function Loading(): ReactNode {
  return (
    <p className="loading soft" role="status">
      Loading…
    </p>
  );
}

export function Key({ children }: { readonly children: ReactNode }): ReactNode {
  return <kbd>{children}</kbd>;
}

export function downloadName(text: string): string {
  return text.replaceAll(/[^\w.-]+/g, '-');
}
