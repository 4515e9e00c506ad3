/** What depends on what: boxes with live states, the longest way marked, pan and zoom, and what is done folded away. */
import { type ReactNode, useMemo, useState } from 'react';
import type { RunDetails } from '../../../src/api/inspect-run.ts';
import { Empty, isOver, Loading, Said, Sign, Trouble } from '../parts/basics.tsx';
import type { ViewProps } from '../run/run-view.tsx';
import { useDetails } from './details.ts';
import { GraphCanvas } from './graph-canvas.tsx';

type Unit = RunDetails['report']['units'][number];

const mostUnits = 400;

export function Graph(props: ViewProps): ReactNode {
  const { value, failure, reload } = useDetails(props);
  const all = value?.report.units ?? [];
  const [choice, setHidesDone] = useState<boolean>();
  const hidesDone = choice ?? (all.length > mostUnits && all.some(({ status }) => status !== 'done'));
  const [chosen, setChosen] = useState<string>();
  const wanted = useMemo(() => (hidesDone ? all.filter(({ status }) => status !== 'done') : all), [value, hidesDone]);
  // Nobody reads more boxes than that, and laying them out takes long. The newest are the ones to look at.
  const units = useMemo(() => withAdded(wanted.slice(-mostUnits), all, value?.waits ?? {}), [wanted]);
  const critical = useMemo(() => new Set(value?.critical), [value]);
  if (failure !== undefined && value === undefined) return <Trouble failure={failure} onRetry={reload} />;
  if (value === undefined) return <Loading />;
  if (value.report.units.length === 0)
    return isOver(props.page) ? (
      <Empty title="This run has no tasks">Steps shows what it did.</Empty>
    ) : (
      <Empty title="There are no tasks yet">The graph appears when a plan is approved.</Empty>
    );
  const unit = value.report.units.find(({ task }) => task === chosen);
  return (
    <>
      <div className="toolbar">
        <label className="check">
          <input type="checkbox" checked={hidesDone} onChange={({ target }) => setHidesDone(target.checked)} />
          <span>Fold what is done</span>
        </label>
        {value.critical.length === 0 ? null : (
          <span className="legend">
            <span className="legend-critical" /> longest path
          </span>
        )}
        {units.some(({ added = [] }) => added.length > 0) ? (
          <span className="legend">
            <span className="legend-added" /> added on the way
          </span>
        ) : null}
        {units.length < wanted.length ? (
          <span className="notice">
            The last {units.length} of {wanted.length.toLocaleString()} tasks are shown. Steps shows them all.
          </span>
        ) : null}
      </div>
      {units.length === 0 ? (
        <Empty title="Everything is done">Unfold to see it.</Empty>
      ) : (
        <GraphCanvas units={units} critical={critical} chosen={chosen} onChoose={setChosen} />
      )}
      {unit === undefined ? null : <UnitCard unit={unit} details={value} address={props.address} />}
    </>
  );
}

/** What a task waited for that was no part of its plan. */
function withAdded(
  units: readonly Unit[],
  all: readonly Unit[],
  waits: RunDetails['waits'],
): readonly (Unit & { readonly added?: readonly string[] })[] {
  const names = new Map(all.map(({ key, task }) => [key, task] as const));
  return units.map((unit) => {
    const added = (waits[unit.key] ?? []).flatMap((key) => names.get(key) ?? []);
    const more = added.filter((task) => task !== unit.task && !unit.depends.includes(task));
    return more.length === 0 ? unit : { ...unit, added: more };
  });
}

function UnitCard({
  unit,
  details,
  address,
}: {
  readonly unit: Unit;
  readonly details: RunDetails;
  readonly address: ViewProps['address'];
}): ReactNode {
  const { planned, depends } = unit;
  const open = depends.filter((other) => details.report.units.find(({ task }) => task === other)?.status !== 'done');
  const waited = details.waits[unit.key] ?? [];
  return (
    <section className="card" aria-label={unit.title}>
      <h2>
        <Sign status={unit.status === 'waiting' ? 'pending' : unit.status} /> <Said text={unit.title} />
      </h2>
      {unit.reason === '' ? null : (
        <p className="prose">
          <Said text={unit.reason} />
        </p>
      )}
      {unit.status === 'waiting' && open.length > 0 ? <p>Waits for {open.join(', ')}.</p> : null}
      {waited.length === 0 ? null : <p>Waited for {waited.join(', ')}, which it added itself.</p>}
      <dl className="fields">
        {planned?.objective ? <Row name="Objective" value={planned.objective} /> : null}
        {planned?.doneWhen ? <Row name="Done when" value={planned.doneWhen} /> : null}
        {planned === undefined ? null : <Row name="Writes" value={planned.writes.join(', ')} />}
        {depends.length === 0 ? null : <Row name="After" value={depends.join(', ')} />}
        {unit.group === undefined ? null : <Row name="Done in" value={unit.group} />}
      </dl>
      <p className="buttons">
        <a className="button" href={address('steps', { key: unit.key })}>
          Steps
        </a>
        <a className="button" href={address('changes', { task: unit.task })}>
          Changes
        </a>
      </p>
    </section>
  );
}

function Row({ name, value }: { readonly name: string; readonly value: string }): ReactNode {
  return (
    <div>
      <dt>{name}</dt>
      <dd>
        <Said text={value} />
      </dd>
    </div>
  );
}
