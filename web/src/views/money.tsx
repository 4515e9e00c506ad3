/** What a run used: by role, work, model and attempt, beside the forecast and what is set aside. */
import { type ReactNode, useState } from 'react';
import type { RunDetails } from '../../../src/api/inspect-run.ts';
import { addUsage, noUsage, type Usage } from '../../../src/policy/usage.ts';
import { durationText, moneyText, tokensText } from '../../../src/views/figures.ts';
import { Empty, Loading, Said, Trouble } from '../parts/basics.tsx';
import { BudgetBar } from '../parts/budget-bar.tsx';
import { useShownPart } from '../parts/shown-part.tsx';
import type { ViewProps } from '../run/run-view.tsx';
import { useDetails, workedOf } from './details.ts';

type Session = RunDetails['sessions'][number];

const ways: readonly (readonly [string, string, (session: Session) => string])[] = [
  ['role', 'Role', ({ role }) => role],
  ['work', 'Work', ({ owner }) => owner],
  ['model', 'Model', ({ model, agent }) => model || `${agent} (its own model)`],
  ['attempt', 'Attempt', ({ attempt }) => (attempt === 1 ? 'First attempt' : `Attempt ${attempt}`)],
  ['session', 'Session', ({ key }) => key],
];

export function Money(props: ViewProps): ReactNode {
  const { value, failure, reload } = useDetails(props);
  const [way, setWay] = useState('role');
  const { page } = props;
  const [, title, of] = ways.find(([name]) => name === way) ?? ways[0]!;
  const rows = group(value?.sessions ?? [], of, props);
  const { rows: shown, button } = useShownPart(rows, { size: 200 });
  if (failure !== undefined && value === undefined) return <Trouble failure={failure} onRetry={reload} />;
  if (value === undefined) return <Loading />;
  const most = rows.reduce((highest, { usage }) => Math.max(highest, usage.costUsd), 1e-9);
  return (
    <>
      <section className="card">
        <BudgetBar page={page} />
        <dl className="facts">
          {page.forecast === undefined || page.forecast.text === '' ? null : (
            <div>
              <dt>Forecast</dt>
              <dd>{page.forecast.text}</dd>
            </div>
          )}
          <div>
            <dt>Limits</dt>
            <dd>{page.forecast?.limits ?? (page.budget.text || 'no limit')}</dd>
          </div>
          <div>
            <dt>Tokens</dt>
            <dd>
              {tokensText(page.usage.inputTokens)} in, {tokensText(page.usage.outputTokens)} out
            </dd>
          </div>
          {page.forecast !== undefined && page.forecast.soft.length > 0 ? (
            <div>
              <dt>Cost known only afterwards</dt>
              <dd>{page.forecast.soft.join(', ')}</dd>
            </div>
          ) : null}
        </dl>
      </section>
      {rows.length === 0 ? (
        <Empty title="No agent has worked yet">What each one used appears here.</Empty>
      ) : (
        <>
          <div className="segments" role="group" aria-label="By">
            {ways.map(([name, text]) => (
              <button key={name} type="button" aria-pressed={name === way} onClick={() => setWay(name)}>
                {text}
              </button>
            ))}
          </div>
          <div className="scroll" role="group" aria-label="Table" tabIndex={0}>
            <table className="numbers">
              <thead>
                <tr>
                  <th>{title}</th>
                  <th>Cost</th>
                  <th aria-hidden="true" />
                  <th>Sessions</th>
                  <th>At work</th>
                  <th>Tokens in</th>
                  <th>Tokens out</th>
                </tr>
              </thead>
              <tbody>
                {shown.map(({ name, usage, sessions, workedMs }) => (
                  <tr key={name}>
                    <th scope="row">
                      <Said text={name} />
                    </th>
                    <td>{moneyText(usage.costUsd)}</td>
                    <td className="bar-cell" aria-hidden="true">
                      {usage.costUsd === 0 ? null : (
                        <span className="bar-share" style={{ width: `${(usage.costUsd / most) * 100}%` }} />
                      )}
                    </td>
                    <td>{sessions}</td>
                    <td>{durationText(workedMs)}</td>
                    <td>{tokensText(usage.inputTokens)}</td>
                    <td>{tokensText(usage.outputTokens)}</td>
                  </tr>
                ))}
              </tbody>
            </table>
          </div>
          {button}
        </>
      )}
    </>
  );
}

interface Row {
  readonly name: string;
  readonly usage: Usage;
  readonly sessions: number;
  readonly workedMs: number;
}

function group(
  sessions: readonly Session[],
  of: (session: Session) => string,
  props: Pick<ViewProps, 'page' | 'now'>,
): readonly Row[] {
  const rows = new Map<string, Row>();
  for (const session of sessions) {
    const name = of(session);
    const known = rows.get(name) ?? { name, usage: noUsage, sessions: 0, workedMs: 0 };
    rows.set(name, {
      name,
      usage: addUsage(known.usage, session.usage ?? noUsage),
      sessions: known.sessions + 1,
      workedMs: known.workedMs + workedOf(session, props),
    });
  }
  return [...rows.values()].sort((a, b) => b.usage.costUsd - a.usage.costUsd);
}
