/** Spend, what is set aside, the limit and the forecast in one bar, each also in words. */
import type { ReactNode } from 'react';
import type { Amount } from '../../../src/policy/amount.ts';
import { moneyText, tokensText } from '../../../src/views/figures.ts';
import type { RunPage } from '../model.ts';
import { spendText } from './basics.tsx';

const measures: readonly (readonly [keyof Amount, (value: number) => string])[] = [
  ['usd', moneyText],
  ['tokens', (value) => `${tokensText(value)} tokens`],
  ['turns', (value) => `${value} turns`],
  ['minutes', (value) => `${Math.round(value)} min`],
];

export function BudgetBar({
  page,
  isSmall = false,
}: {
  readonly page: RunPage;
  readonly isSmall?: boolean;
}): ReactNode {
  const { budget, usage, forecast } = page;
  const measure = measures.find(([name]) => budget.limit[name] !== undefined);
  const expected = forecast?.expected?.usd;
  const [name, text] = measure ?? measures[0] ?? ['usd', moneyText];
  const limit = budget.limit[name];
  const spent = budget.spent[name] ?? (name === 'usd' ? usage.costUsd : 0);
  const reserved = budget.reserved[name] ?? 0;
  const likely = name === 'usd' ? spanOf(expected) : undefined;
  const whole = Math.max(limit ?? 0, spent + reserved, likely?.[2] ?? 0);
  const part = (value: number): string => `${whole === 0 ? 0 : Math.min(100, (value / whole) * 100)}%`;
  const used = spent > 0 ? text(spent) : spendText(usage);
  const words = [
    used === '' ? 'nothing spent yet' : limit === undefined ? `${used} spent` : `${used} of ${text(limit)} spent`,
    ...(reserved > 0 ? [`${text(reserved)} set aside`] : []),
    ...(limit === undefined ? ['no limit'] : used === '' ? [`${text(limit)} allowed`] : []),
    ...(likely === undefined ? [] : [`expected ${moneyText(likely[0])} to ${moneyText(likely[2])}`]),
  ];
  return (
    <div className={`budget${isSmall ? ' small' : ''}`}>
      {whole === 0 ? null : (
        <div className="bar" role="img" aria-label={words.join(', ')}>
          {likely === undefined ? null : (
            <span className="bar-range" style={{ left: part(likely[0]), width: part(likely[2] - likely[0]) }} />
          )}
          <span className="bar-spent" style={{ width: part(spent) }} />
          <span className="bar-reserved" style={{ left: part(spent), width: part(reserved) }} />
          {limit === undefined || limit === whole ? null : <span className="bar-limit" style={{ left: part(limit) }} />}
        </div>
      )}
      <span className="soft">{(isSmall ? words.slice(0, 3) : words).join(' · ')}</span>
    </div>
  );
}

function spanOf(
  expected: readonly number[] | undefined,
): readonly [low: number, likely: number, high: number] | undefined {
  const [low, likely, high] = expected ?? [];
  return low === undefined || likely === undefined || high === undefined ? undefined : [low, likely, high];
}
