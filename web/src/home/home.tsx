/** Home: first what needs a person, then what goes on, then what is over. */
import { type ReactNode, useEffect, useState } from 'react';
import { groupRuns } from '../../../src/api/group-runs.ts';
import type { ListedRun } from '../../../src/api/watch-runs.ts';
import { clockTime, moneyText } from '../../../src/views/figures.ts';
import { Ago, Empty, Ends, Loading, Pill, Said, Trouble } from '../parts/basics.tsx';
import { BudgetBar } from '../parts/budget-bar.tsx';
import { visible } from '../parts/visible-text.ts';
import { replace, routeTo } from '../route.ts';
import { Actions, mayStartAgain, StartAgain } from '../run/actions.tsx';
import { QuestionCard } from '../run/question.tsx';
import { useNow, useRuns } from '../source/hooks.ts';
import type { About } from '../source/source.ts';

export function Home({ about, query }: { readonly about: About; readonly query: URLSearchParams }): ReactNode {
  const { runs, failure } = useRuns(about.all);
  const now = useNow(true);
  useEffect(() => {
    document.title = 'Forge';
  }, []);
  if (failure?.code === 'not-a-repository') {
    return (
      <Empty title="This folder is not in a git repository">
        <p>
          Start the dashboard in a repository, or with <code>forge ui --all</code> to see every repository you ran Forge
          in.
        </p>
      </Empty>
    );
  }
  if (failure !== undefined) return <Trouble failure={failure} />;
  if (runs === undefined) return <Loading />;
  const { needing, going, over } = groupRuns(runs.values(), now);
  return (
    <div className="home">
      <h1 className="hidden">Runs</h1>
      {runs.size === 0 ? (
        <Empty title="There are no runs yet">
          <p>A run turns a requirement into a checked branch.</p>
          <p>
            <a className="button primary" href={routeTo(['start'])}>
              Start a run
            </a>
          </p>
        </Empty>
      ) : null}
      {needing.length === 0 ? null : (
        <section aria-labelledby="needing">
          <h2 id="needing">
            Needs you <span className="count">{needing.length}</span>
          </h2>
          {needing.map((run) => (
            <NeedingCard key={run.id} run={run} now={now} all={about.all} />
          ))}
        </section>
      )}
      {going.length === 0 ? null : (
        <section aria-labelledby="going">
          <h2 id="going">
            Going on <span className="count">{going.length}</span>
          </h2>
          {going.map((run) => (
            <GoingCard key={run.id} run={run} now={now} all={about.all} />
          ))}
        </section>
      )}
      {over.length === 0 ? null : <Finished runs={over} now={now} all={about.all} query={query} />}
    </div>
  );
}

interface CardProps {
  readonly run: ListedRun;
  readonly now: number;
  readonly all: boolean;
}

function addressOf({ repository, line }: ListedRun, view?: string): string {
  return routeTo(['run', repository.id || '-', line.run, ...(view === undefined ? [] : [view])]);
}

function CardHead({ run, now, all }: CardProps): ReactNode {
  const { line, repository, questions } = run;
  return (
    <header className="card-head">
      <Pill status={questions.length > 0 ? 'waiting' : line.status} />
      <a className="card-title" href={addressOf(run)} data-entry="">
        <Said text={line.title || line.run} />
      </a>
      <span className="soft meta">
        {all ? `${repository.name} · ` : ''}
        {line.workflow} · <Ago at={line.updatedAt} now={now} />
      </span>
    </header>
  );
}

function NeedingCard({ run, now, all }: CardProps): ReactNode {
  const { line, repository, questions } = run;
  return (
    <article className={`card ${questions.length > 0 ? 'asks' : 'troubled'}`}>
      <CardHead run={run} now={now} all={all} />
      {questions.map((question) => (
        <QuestionCard
          key={question.key}
          run={line.run}
          repository={repository.id || undefined}
          question={question}
          isBrief
          address={addressOf(run)}
        />
      ))}
      {questions.length > 0 ? null : (
        <>
          {line.reason === '' && line.where === '' ? null : (
            <p className="prose clamped" title={visible(line.reason || line.where)}>
              <Said text={line.reason || line.where} />
            </p>
          )}
          <Actions
            run={line.run}
            repository={repository.id || undefined}
            version={line.updatedAt}
            onRemoved={() => undefined}
          >
            {mayStartAgain(line) ? <StartAgain run={line.run} repository={repository.id || undefined} /> : null}
          </Actions>
        </>
      )}
    </article>
  );
}

function GoingCard({ run, now, all }: CardProps): ReactNode {
  const { line, page } = run;
  return (
    <article className="card">
      <CardHead run={run} now={now} all={all} />
      {page === undefined ? (
        <p className="soft">{line.where}</p>
      ) : (
        <>
          <div className="meters">
            <div className="progress soft">
              <progress value={page.progress.done} max={Math.max(1, page.progress.total)} aria-label="Done" />
              <span className="between">
                <span>
                  {page.progress.done} of {page.progress.total} done
                  {page.progress.failed > 0 ? `, ${page.progress.failed} failed` : ''}
                </span>
                <span className="figures">
                  {clockTime(page.workedMs + (page.isLive ? Math.max(0, now - Date.parse(page.updatedAt)) : 0))}
                  {page.expectedEnd === undefined ? null : (
                    <>
                      {' · '}ends <Ends at={page.expectedEnd} now={now} />
                    </>
                  )}
                </span>
              </span>
            </div>
            <BudgetBar page={page} isSmall />
          </div>
          {page.doing.length === 0 ? null : (
            <ul className="doing">
              {page.doing.map(({ key, who, where, says }) => (
                <li key={key}>
                  <b>{who}</b> <Said text={where} className="soft" />
                  {says === '' ? null : <Said text={says} className="says-line" />}
                </li>
              ))}
            </ul>
          )}
          {page.isLive ? null : (
            <Actions
              run={line.run}
              repository={run.repository.id || undefined}
              version={line.updatedAt}
              onRemoved={() => undefined}
            />
          )}
        </>
      )}
    </article>
  );
}

const pageSize = 50;
/** Nobody searches among so few. */
const fewRuns = 5;

function Finished({
  runs,
  now,
  all,
  query,
}: {
  readonly runs: readonly ListedRun[];
  readonly now: number;
  readonly all: boolean;
  readonly query: URLSearchParams;
}): ReactNode {
  const [shown, setShown] = useState(pageSize);
  const wanted = (name: string): string => query.get(name) ?? '';
  const set = (name: string, value: string): void => {
    const next = { ...Object.fromEntries(query), [name]: value === '' ? undefined : value };
    replace(routeTo([], next));
  };
  const text = wanted('search').toLowerCase();
  const days = Number(wanted('days') || 0);
  const fitting = runs.filter(
    ({ line, repository }) =>
      (text === '' || `${line.title} ${line.run}`.toLowerCase().includes(text)) &&
      (wanted('status') === '' || line.status === wanted('status')) &&
      (wanted('workflow') === '' || line.workflow === wanted('workflow')) &&
      (wanted('repository') === '' || repository.id === wanted('repository')) &&
      (days === 0 || now - Date.parse(line.updatedAt) < days * 86_400_000),
  );
  const repositories = new Map(runs.map(({ repository }) => [repository.id, repository.name]));
  return (
    <section aria-labelledby="over">
      <h2 id="over">
        Finished <span className="count">{runs.length}</span>
      </h2>
      {runs.length <= fewRuns && query.size === 0 ? null : (
        <div className="filters">
          <input
            type="search"
            placeholder="Search"
            aria-label="Search finished runs"
            value={wanted('search')}
            onChange={({ target }) => set('search', target.value)}
          />
          <Choice
            label="Status"
            value={wanted('status')}
            onChange={(value) => set('status', value)}
            choices={unique(runs.map(({ line }) => line.status))}
          />
          <Choice
            label="Workflow"
            value={wanted('workflow')}
            onChange={(value) => set('workflow', value)}
            choices={unique(runs.map(({ line }) => line.workflow))}
          />
          {all ? (
            <Choice
              label="Repository"
              value={wanted('repository')}
              onChange={(value) => set('repository', value)}
              choices={[...repositories]}
            />
          ) : null}
          <Choice
            label="Time"
            value={wanted('days')}
            onChange={(value) => set('days', value)}
            choices={[
              ['1', 'last day'],
              ['7', 'last week'],
              ['30', 'last month'],
            ]}
          />
        </div>
      )}
      <ul className="run-list">
        {fitting.slice(0, shown).map((run) => (
          <li key={run.id}>
            <a href={addressOf(run)} data-entry="">
              <Pill status={run.line.status} />
              <Said text={run.line.title || run.line.run} className="run-title" />
              <span className="soft meta">
                {all ? `${run.repository.name} · ` : ''}
                {run.line.workflow}
                {run.line.usage.costUsd > 0 ? ` · ${moneyText(run.line.usage.costUsd)}` : ''} ·{' '}
                <Ago at={run.line.updatedAt} now={now} />
              </span>
            </a>
          </li>
        ))}
      </ul>
      {fitting.length === 0 ? <p className="soft">No finished run fits. Change the search.</p> : null}
      {fitting.length > shown ? (
        <button type="button" onClick={() => setShown(shown + pageSize)}>
          Show more ({fitting.length - shown})
        </button>
      ) : null}
    </section>
  );
}

function unique(values: readonly string[]): readonly (readonly [string, string])[] {
  return [...new Set(values)].sort().map((value) => [value, value]);
}

function Choice({
  label,
  value,
  choices,
  onChange,
}: {
  readonly label: string;
  readonly value: string;
  readonly choices: readonly (readonly [string, string])[];
  readonly onChange: (value: string) => void;
}): ReactNode {
  return (
    <select aria-label={label} value={value} onChange={({ target }) => onChange(target.value)}>
      <option value="">{label}: any</option>
      {choices.map(([id, text]) => (
        <option key={id} value={id}>
          {text}
        </option>
      ))}
    </select>
  );
}
