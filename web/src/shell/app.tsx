/** The frame around every page: where one is, whether the server answers, keys, and what to do when nobody is let in. */
import { type ReactNode, useEffect, useState } from 'react';
import { Empty, Key, Loading, Trouble } from '../parts/basics.tsx';
import { Dialog } from '../parts/dialog.tsx';
import { ErrorBoundary } from '../parts/error-boundary.tsx';
import { Notices } from '../parts/notices.tsx';
import { Home } from '../home/home.tsx';
import { type StartProps, StartRun } from '../home/start-run.tsx';
import { go, replace, routeTo, useRoute } from '../route.ts';
import { RunView } from '../run/run-view.tsx';
import { useConnection, useRun } from '../source/hooks.ts';
import { type About, useSource } from '../source/source.ts';
import { Notifier, useNotifications } from './notifications.tsx';

export function App({ onlyRun }: { readonly onlyRun?: string }): ReactNode {
  const source = useSource();
  const route = useRoute();
  const connection = useConnection();
  const [about, setAbout] = useState<About>();
  const [isHelp, setHelp] = useState(false);
  useEffect(() => {
    source.about().then(setAbout, () => undefined);
  }, [source, connection === 'open']);
  useKeys(() => setHelp(true), source.isLive);
  const [first = '', repository = '', run = '', view = ''] =
    onlyRun === undefined ? route.pieces : ['run', '-', onlyRun, route.pieces.at(-1) ?? ''];
  return (
    <>
      <a className="skip" href="#main" onClick={(event) => skip(event)}>
        Skip to the content
      </a>
      {onlyRun === undefined ? (
        <TopBar about={about} isIn={connection !== 'closed'} onHelp={() => setHelp(true)} />
      ) : null}
      {connection === 'lost' ? <Offline /> : null}
      <main id="main" tabIndex={-1}>
        <ErrorBoundary
          key={onlyRun ?? route.pieces.slice(0, 3).join('/')}
          wayOn={
            <a className="button" href={routeTo([])}>
              All runs
            </a>
          }
        >
          {connection === 'closed' ? (
            <NotLetIn />
          ) : first === 'run' && run !== '' ? (
            <RunView
              key={`${repository}/${run}`}
              run={run}
              repository={repository === '-' ? undefined : repository}
              view={view}
              query={route.query}
            />
          ) : first === 'start' ? (
            <StartPage about={about} query={route.query} />
          ) : about === undefined ? null : (
            <Home about={about} query={route.query} />
          )}
        </ErrorBoundary>
      </main>
      {source.isLive && connection !== 'closed' && about !== undefined ? <Notifier all={about.all} /> : null}
      <Notices />
      {isHelp ? <Help onClose={() => setHelp(false)} /> : null}
    </>
  );
}

/** With several repositories it is the one that the dashboard was started in, else the newest, until a person says another. */
function StartPage({
  about,
  query,
}: {
  readonly about: About | undefined;
  readonly query: URLSearchParams;
}): ReactNode {
  if (about === undefined) return null;
  const { repositories, cwd } = about;
  const own = repositories.find(({ root }) => cwd === root || cwd.startsWith(`${root}/`));
  const repository = query.get('repository') ?? (own ?? repositories[0])?.id;
  const like = query.get('like');
  const shared = {
    repository,
    repositories,
    onRepository: (id: string) => replace(routeTo(['start'], { ...Object.fromEntries(query), repository: id })),
  };
  return like === null ? (
    <StartRun {...shared} asked={nothingAsked} />
  ) : (
    <StartLike key={like} {...shared} run={like} of={query.get('of') ?? undefined} />
  );
}

const nothingAsked = { requirement: '', workflow: '' };

/** What another run was asked, to be started again. */
function StartLike({
  run,
  of,
  ...shared
}: Omit<StartProps, 'asked'> & {
  readonly run: string;
  /** Where that run is. */
  readonly of: string | undefined;
}): ReactNode {
  const { page, failure } = useRun(run, of);
  if (failure !== undefined) return <Trouble failure={failure} />;
  if (page === undefined) return <Loading />;
  const asked = { requirement: page.requirement || page.title, workflow: page.workflow };
  return <StartRun {...shared} asked={asked} />;
}

/** An address of the app is after the `#`, so a link to a place on the page would leave it. */
function skip(event: { preventDefault(): void }): void {
  event.preventDefault();
  document.querySelector<HTMLElement>('#main')?.focus();
}

function TopBar({
  about,
  isIn,
  onHelp,
}: {
  readonly about: About | undefined;
  /** Whoever is not let in can do nothing. */
  readonly isIn: boolean;
  readonly onHelp: () => void;
}): ReactNode {
  const source = useSource();
  const notifications = useNotifications();
  const [link, setLink] = useState<string>();
  return (
    <header className="top">
      <a href={routeTo([])} className="brand">
        <svg viewBox="0 0 32 32" width="22" height="22" aria-hidden="true">
          <rect width="32" height="32" rx="8" className="brand-ground" />
          <path d="M10 8h13v4h-8.5v3.5H21v4h-6.5V25H10z" className="brand-sign" />
        </svg>
        Forge
      </a>
      <span className="soft top-place">{about === undefined ? '' : about.all ? 'All repositories' : about.cwd}</span>
      {isIn ? (
        <nav className="buttons" aria-label="Dashboard">
          <a className="button primary" href={routeTo(['start'])}>
            New run
          </a>
          {notifications.isOffered ? (
            <button type="button" className="quiet" aria-pressed={notifications.isOn} onClick={notifications.toggle}>
              {notifications.isOn ? 'Notifications on' : 'Notify me'}
            </button>
          ) : null}
          <button type="button" className="quiet wide-screen" onClick={() => void source.makeLink().then(setLink)}>
            Link
          </button>
          <button type="button" className="quiet wide-screen" onClick={onHelp} aria-label="Keyboard shortcuts">
            ?
          </button>
        </nav>
      ) : null}
      {link === undefined ? null : (
        <Dialog title="Open in another browser" onClose={() => setLink(undefined)}>
          <p>
            This link lets one browser in, once, within ten minutes. It works on this machine, or through an SSH tunnel.
          </p>
          <input
            className="mono wide"
            readOnly
            value={link}
            onFocus={({ target }) => target.select()}
            aria-label="Link"
          />
        </Dialog>
      )}
    </header>
  );
}

function Offline(): ReactNode {
  const source = useSource();
  return (
    <div className="offline" role="alert">
      <span>
        The dashboard server does not answer. Runs continue without it. Start it again with forge ui; this page then
        continues by itself.
      </span>
      <button type="button" onClick={() => source.reconnect()}>
        Try now
      </button>
    </div>
  );
}

function NotLetIn(): ReactNode {
  return (
    <Empty title="This browser is not let in yet">
      <p>
        Open the link that <code>forge ui</code> printed. A link works once: run <code>forge ui</code> again for a new
        one.
      </p>
    </Empty>
  );
}

const keys: readonly (readonly [string, string])[] = [
  ['g h', 'Home'],
  ['g n', 'New run'],
  ['/', 'Search on this page'],
  ['1 … 9', 'Views of a run'],
  ['j k', 'Next and previous entry'],
  ['Enter', 'Open the entry, or what a step did'],
  ['←  →', 'Fold and unfold steps'],
  ['?', 'This list'],
  ['Esc', 'Close'],
];

function Help({ onClose }: { readonly onClose: () => void }): ReactNode {
  return (
    <Dialog title="Keyboard shortcuts" onClose={onClose}>
      <dl className="keys">
        {keys.map(([key, what]) => (
          <div key={key}>
            <dt>
              {key.split(/\s+/).map((one, at) => (
                <Key key={at}>{one}</Key>
              ))}
            </dt>
            <dd>{what}</dd>
          </div>
        ))}
      </dl>
    </Dialog>
  );
}

function useKeys(onHelp: () => void, isLive: boolean): void {
  useEffect(() => {
    let before = '';
    const onKey = (event: KeyboardEvent): void => {
      const target = event.target as HTMLElement;
      const isTyping = target.closest('input, textarea, select, dialog') !== null;
      if (isTyping || event.ctrlKey || event.metaKey || event.altKey) return;
      const { key } = event;
      if (key === '?') onHelp();
      else if (key === '/') {
        const field = document.querySelector<HTMLInputElement>('input[type="search"]');
        if (field !== null) event.preventDefault();
        field?.focus();
      } else if (before === 'g' && key === 'h' && isLive) go(routeTo([]));
      else if (before === 'g' && key === 'n' && isLive) go(routeTo(['start']));
      else if (/^[1-9]$/.test(key)) document.querySelectorAll<HTMLElement>('[role="tab"]')[Number(key) - 1]?.click();
      else if (key === 'j' || key === 'k') moveFocus(key === 'j' ? 1 : -1);
      before = key;
    };
    window.addEventListener('keydown', onKey);
    return () => window.removeEventListener('keydown', onKey);
  }, [onHelp, isLive]);
}

function moveFocus(by: number): void {
  const entries = [...document.querySelectorAll<HTMLElement>('[data-entry]')];
  const at = entries.indexOf(document.activeElement as HTMLElement);
  entries[Math.max(0, Math.min(entries.length - 1, at + by))]?.focus();
}
