/** One run: its head, what it asks, and one of its views. */
import { lazy, type ReactNode, Suspense, useEffect } from 'react';
import { clockTime, shortCommit } from '../../../src/views/figures.ts';
import type { RunPage } from '../model.ts';
import { Ago, Ends, Loading, Pill, Said, Trouble } from '../parts/basics.tsx';
import { BudgetBar } from '../parts/budget-bar.tsx';
import { ErrorBoundary } from '../parts/error-boundary.tsx';
import { go, routeTo } from '../route.ts';
import { type LiveRunState, useNow, useRun } from '../source/hooks.ts';
import { useSource } from '../source/source.ts';
import { Actions, mayStartAgain, StartAgain } from './actions.tsx';
import { QuestionCard } from './question.tsx';
import { Steps } from '../views/steps.tsx';

export interface ViewProps {
  readonly run: string;
  readonly repository: string | undefined;
  readonly state: LiveRunState;
  readonly page: RunPage;
  readonly query: URLSearchParams;
  /** The address of another view of this run. */
  readonly address: (view: string, query?: Readonly<Record<string, string | undefined>>) => string;
  readonly now: number;
}

const parts = {
  graph: () => import('../views/graph.tsx'),
  timeline: () => import('../views/timeline.tsx'),
  changes: () => import('../views/changes.tsx'),
  transcript: () => import('../views/transcript.tsx'),
  evidence: () => import('../views/evidence.tsx'),
  money: () => import('../views/money.tsx'),
  documents: () => import('../views/documents.tsx'),
  journal: () => import('../views/journal.tsx'),
};

const Graph = lazy(async () => ({ default: (await parts.graph()).Graph }));
const Timeline = lazy(async () => ({ default: (await parts.timeline()).Timeline }));
const Changes = lazy(async () => ({ default: (await parts.changes()).Changes }));
const Transcript = lazy(async () => ({ default: (await parts.transcript()).Transcript }));
const Evidence = lazy(async () => ({ default: (await parts.evidence()).Evidence }));
const Money = lazy(async () => ({ default: (await parts.money()).Money }));
const Documents = lazy(async () => ({ default: (await parts.documents()).Documents }));
const Journal = lazy(async () => ({ default: (await parts.journal()).Journal }));

/** Once the first view stands, the others come: they open at once, and also while the server is away. */
function loadOtherViews(): void {
  for (const load of Object.values(parts)) load().catch(() => undefined);
}

const views = [
  ['steps', 'Steps', Steps],
  ['graph', 'Graph', Graph],
  ['timeline', 'Timeline', Timeline],
  ['changes', 'Changes', Changes],
  ['transcript', 'Transcript', Transcript],
  ['evidence', 'Evidence', Evidence],
  ['money', 'Money', Money],
  ['documents', 'Documents', Documents],
  ['journal', 'Journal', Journal],
] as const;

interface RunProps {
  readonly run: string;
  readonly repository: string | undefined;
  readonly view: string;
  readonly query: URLSearchParams;
}

export function RunView({ run, repository, view, query }: RunProps): ReactNode {
  const source = useSource();
  const state = useRun(run, repository);
  const { page, questions, failure } = state;
  const now = useNow(page?.isLive === true) + state.skewMs;
  const address: ViewProps['address'] = (name, more) =>
    source.isLive ? routeTo(['run', repository ?? '-', run, name], more) : routeTo([name], more);
  useEffect(() => {
    if (page !== undefined) document.title = `${page.title} · Forge`;
  }, [page?.title]);
  const isThere = page !== undefined;
  useEffect(showChosenTab, [view, isThere]);
  useEffect(() => {
    if (!isThere) return;
    const timer = setTimeout(loadOtherViews, 1000);
    return () => clearTimeout(timer);
  }, [isThere]);
  if (failure !== undefined) {
    return (
      <div className="run">
        <Trouble failure={failure} />
        {source.isLive ? (
          <p>
            <a className="button" href={routeTo([])}>
              All runs
            </a>
          </p>
        ) : null}
      </div>
    );
  }
  if (page === undefined) return <Loading />;
  const [name, , View] = views.find(([one]) => one === view) ?? views[0];
  const props: ViewProps = { run, repository, state, page, query, address, now };
  return (
    <div className="run">
      <RunHead page={page} now={now}>
        <Actions
          run={run}
          repository={repository}
          version={`${page.status} ${page.seq}`}
          onRemoved={() => go(routeTo([]))}
        >
          {mayStartAgain(page) ? <StartAgain run={run} repository={repository} /> : null}
        </Actions>
      </RunHead>
      {questions.map((question) => (
        <QuestionCard key={question.key} run={run} repository={repository} question={question} />
      ))}
      {state.isPartial ? (
        <p className="soft" role="status">
          This run is long. Reading the rest of it…
        </p>
      ) : null}
      <div className="tabs" role="tablist" aria-label="Views of the run">
        {views.map(([one, title]) => (
          <a
            key={one}
            role="tab"
            id={`tab-${one}`}
            aria-selected={one === name}
            aria-controls="view"
            href={address(one)}
          >
            {title}
          </a>
        ))}
      </div>
      <div id="view" role="tabpanel" aria-labelledby={`tab-${name}`} className={`view view-${name}`}>
        <ErrorBoundary key={name}>
          <Suspense fallback={<Loading />}>
            <View {...props} />
          </Suspense>
        </ErrorBoundary>
      </div>
    </div>
  );
}

/** On a narrow screen it may lie beyond the edge. Only the row of tabs moves: what a run asks stands above it. */
function showChosenTab(): void {
  const tab = document.querySelector<HTMLElement>('[role="tab"][aria-selected="true"]');
  const row = tab?.parentElement;
  if (tab === null || row === null || row === undefined) return;
  const left = tab.offsetLeft - row.offsetLeft;
  if (left < row.scrollLeft) row.scrollLeft = left;
  else row.scrollLeft = Math.max(row.scrollLeft, left + tab.offsetWidth - row.clientWidth);
}

function RunHead({
  page,
  now,
  children,
}: {
  readonly page: RunPage;
  readonly now: number;
  /** What can be done with it. */
  readonly children: ReactNode;
}): ReactNode {
  const worked = page.workedMs + (page.isLive ? Math.max(0, now - Date.parse(page.updatedAt)) : 0);
  const { progress, landing } = page;
  return (
    <header className="run-head">
      <div className="run-line">
        <Pill status={page.status} />
        <h1>
          <Said text={page.title} />
        </h1>
        {children}
      </div>
      {page.reason === '' || page.status === 'done' || page.status === 'waiting' ? null : (
        <p className="prose reason">
          <Said text={page.reason} />
        </p>
      )}
      <dl className="facts">
        <Fact name="Workflow">{page.workflow}</Fact>
        {progress.total === 0 ? null : (
          <Fact name="Done">
            {progress.done} of {progress.total}
            {progress.failed > 0 ? `, ${progress.failed} failed` : ''}
          </Fact>
        )}
        {page.standing === undefined ? null : (
          <Fact name="Stands at">
            <span className={page.standing.isBad ? 'sign bad' : ''}>
              <Said text={page.standing.text} />
            </span>
          </Fact>
        )}
        <Fact name="Started">
          <Ago at={page.createdAt} now={now} />
        </Fact>
        <Fact name="At work">
          <span className="figures">{clockTime(worked)}</span>
        </Fact>
        {page.expectedEnd === undefined ? null : (
          <Fact name="Ends">
            <Ends at={page.expectedEnd} now={now} />
          </Fact>
        )}
        <Fact name="From">
          <code>
            {page.startedFrom === undefined ? '' : `${page.startedFrom} `}
            {shortCommit(page.base)}
          </code>
        </Fact>
        {page.branch === undefined ? null : (
          <Fact name="Branch">
            <code>{page.branch}</code>
          </Fact>
        )}
        {landing?.landed === true ? (
          <Fact name="Landed on">
            <code>{landing.into}</code>
          </Fact>
        ) : null}
      </dl>
      <BudgetBar page={page} />
      {page.requirement === '' || page.requirement.trim() === page.title.trim() ? null : (
        <details className="requirement">
          <summary>What was asked</summary>
          <p className="prose">
            <Said text={page.requirement} />
          </p>
        </details>
      )}
    </header>
  );
}

function Fact({ name, children }: { readonly name: string; readonly children: ReactNode }): ReactNode {
  return (
    <div>
      <dt>{name}</dt>
      <dd>{children}</dd>
    </div>
  );
}
