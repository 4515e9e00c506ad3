/** What a run, a task or one session changed: files, differences beside findings, and comments that are sent together. */
import { type ReactNode, useCallback, useMemo, useRef, useState } from 'react';
import { Empty, isOver, Loading, Said, Trouble } from '../parts/basics.tsx';
import { visible, visibleName } from '../parts/visible-text.ts';
import { go, replace, routeTo } from '../route.ts';
import type { ViewProps } from '../run/run-view.tsx';
import { useCall } from '../source/hooks.ts';
import { type Failure, failureOf, useSource } from '../source/source.ts';
import { useDetails } from './details.ts';
import { FileDiff, fileId } from './file-diff.tsx';
import { isGenerated } from './diff.ts';
import { failuresIn } from './failures.ts';
import type { Comment } from './line-notes.tsx';

interface DiffSummary {
  readonly merged: boolean;
  readonly files: readonly {
    readonly path: string;
    readonly status: string;
    readonly added?: number;
    readonly removed?: number;
  }[];
}

const letters: Readonly<Record<string, string>> = { added: 'A', modified: 'M', deleted: 'D', 'type-changed': 'T' };

export function Changes(props: ViewProps): ReactNode {
  const { run, repository, page, query, address } = props;
  const task = query.get('task') ?? undefined;
  const work = query.get('work') ?? undefined;
  const scope = useMemo(
    () => ({ ...(task === undefined ? {} : { task }), ...(work === undefined ? {} : { work }) }),
    [task, work],
  );
  const isWhole = task === undefined && work === undefined;
  const version = isWhole ? page.result : page.seq;
  const isThere = !isWhole || page.result !== undefined;
  const { value, failure, reload } = useCall<DiffSummary>(
    isThere ? 'diff-run' : undefined,
    { run, ...scope },
    { repository, version },
  );
  const { value: details } = useDetails(props);
  const [isSplit, setSplit] = useState(() => window.innerWidth > 1100);
  const [comments, setComments] = useComments(run);
  const findings = useMemo(() => byFile(details?.report.findings ?? [], ({ file }) => file), [details]);
  const failures = useMemo(
    () =>
      failuresIn(
        (value?.files ?? []).map(({ path }) => path),
        details,
        work,
      ),
    [value, details, work],
  );
  const commented = useMemo(() => byFile(comments, ({ path }) => path), [comments]);
  const kept = useRef(comments);
  kept.current = comments;
  const comment = useCallback((one: Comment) => setComments([...kept.current, one]), [setComments]);
  const forget = useCallback(
    (one: Comment) => setComments(kept.current.filter((other) => other !== one)),
    [setComments],
  );
  const wanted = query.get('path');
  const tasks = (details?.report.units ?? [])
    .filter(({ commit, status }) => commit !== undefined || status !== 'waiting')
    .slice(-mostChoices);
  const sessions = (details?.sessions ?? []).filter(({ files }) => files > 0).slice(-mostChoices);
  const proofs = useMemo(() => proofsOf(details?.report.checks ?? []), [details]);
  return (
    <>
      <div className="toolbar">
        <select
          aria-label="Changes of"
          value={work === undefined ? `task ${task ?? ''}` : `work ${work}`}
          onChange={({ target: { value: chosen } }) => {
            const [kind, name] = [chosen.slice(0, 4), chosen.slice(5)];
            replace(address('changes', name === '' ? {} : { [kind]: name }));
          }}
        >
          <option value="task ">The whole result</option>
          <optgroup label="Tasks">
            {tasks.map((unit) => (
              <option key={unit.task} value={`task ${unit.task}`}>
                {visible(unit.title)}
              </option>
            ))}
          </optgroup>
          <optgroup label="Sessions">
            {sessions.map(({ key, role, where }) => (
              <option key={key} value={`work ${key}`}>
                {visible(`${role}: ${where}`)}
              </option>
            ))}
          </optgroup>
        </select>
        <div className="segments" role="group" aria-label="Layout">
          <button type="button" aria-pressed={!isSplit} onClick={() => setSplit(false)}>
            Unified
          </button>
          <button type="button" aria-pressed={isSplit} onClick={() => setSplit(true)}>
            Side by side
          </button>
        </div>
        {value === undefined ? null : <Counts files={value.files} />}
        {value === undefined || value.files.length < fewFiles ? null : <FileIndex files={value.files} />}
        {value?.merged === false ? <span className="notice">Captured, not merged</span> : null}
      </div>
      <CommentTray {...props} comments={comments} onChange={setComments} />
      {!isThere ? (
        <Empty title={isOver(page) ? 'Nothing was merged' : 'Nothing is merged yet'}>
          Choose a task or a session above to see what was captured of it.
        </Empty>
      ) : null}
      {failure !== undefined && value === undefined ? <Trouble failure={failure} onRetry={reload} /> : null}
      {isThere && value === undefined && failure === undefined ? <Loading /> : null}
      {value !== undefined && value.files.length === 0 ? <Empty title="Nothing was changed" /> : null}
      {value === undefined ? null : (
        <div className="files">
          {value.files.map((file, at) => (
            <FileDiff
              key={file.path}
              file={file}
              letter={letters[file.status] ?? '?'}
              run={run}
              repository={repository}
              scope={scope}
              version={version}
              isSplit={isSplit}
              isOpen={
                wanted === file.path ||
                (wanted === null &&
                  at < 20 &&
                  !isGenerated(file.path) &&
                  (file.added ?? 0) + (file.removed ?? 0) < 1500)
              }
              proof={proofs.get(file.path)}
              findings={findings.get(file.path) ?? none}
              failures={failures.get(file.path) ?? none}
              comments={commented.get(file.path) ?? none}
              onComment={comment}
              onForget={forget}
            />
          ))}
        </div>
      )}
    </>
  );
}

/** So many are seen at a glance. */
const fewFiles = 8;

/** Leads to one file among many: it is opened and scrolled to. */
function FileIndex({ files }: { readonly files: DiffSummary['files'] }): ReactNode {
  return (
    <select
      aria-label="Go to a file"
      value=""
      onChange={({ target: { value } }) => {
        const file = document.getElementById(fileId(value));
        if (file instanceof HTMLDetailsElement) file.open = true;
        file?.scrollIntoView({ block: 'start' });
        file?.querySelector<HTMLElement>('summary')?.focus({ preventScroll: true });
      }}
    >
      <option value="">Go to a file…</option>
      {files.map(({ path, status }) => (
        <option key={path} value={path}>
          {letters[status] ?? '?'} {visibleName(path)}
        </option>
      ))}
    </select>
  );
}

/** The same each time, so that a file is drawn again only when something about it is new. */
const none: readonly never[] = [];

function byFile<T>(all: readonly T[], fileOf: (one: T) => string): ReadonlyMap<string, readonly T[]> {
  const files = new Map<string, T[]>();
  for (const one of all) {
    const own = files.get(fileOf(one));
    if (own === undefined) files.set(fileOf(one), [one]);
    else own.push(one);
  }
  return files;
}

/** A longer list is no help: what is older has its link in Steps. */
const mostChoices = 500;

/** How each test file did without the change it is for, as measured last. */
function proofsOf(
  checks: readonly { readonly status: string; readonly files?: readonly string[] }[],
): ReadonlyMap<string, string> {
  return new Map(checks.flatMap(({ status, files = [] }) => files.map((file) => [file, status] as const)));
}

function Counts({ files }: { readonly files: DiffSummary['files'] }): ReactNode {
  const sum = (side: 'added' | 'removed'): number => files.reduce((total, file) => total + (file[side] ?? 0), 0);
  return (
    <span className="soft">
      {files.length} {files.length === 1 ? 'file' : 'files'} <span className="plus">+{sum('added')}</span>{' '}
      <span className="minus">−{sum('removed')}</span>
    </span>
  );
}

/** Kept in this browser until they are sent. */
function useComments(run: string): readonly [readonly Comment[], (comments: readonly Comment[]) => void] {
  const key = `forge-comments ${run}`;
  const first = useMemo(() => {
    try {
      return JSON.parse(localStorage.getItem(key) ?? '[]') as readonly Comment[];
    } catch {
      return [];
    }
  }, [key]);
  const [comments, setComments] = useState(first);
  const keep = useCallback(
    (next: readonly Comment[]) => {
      setComments(next);
      try {
        localStorage.setItem(key, JSON.stringify(next));
      } catch {
        // A file has no place to keep them.
      }
    },
    [key],
  );
  return [comments, keep];
}

interface Sent {
  readonly how: 'answered' | 'started';
  readonly run: string;
}

function CommentTray({
  run,
  repository,
  page,
  state,
  comments,
  onChange,
}: ViewProps & {
  readonly comments: readonly Comment[];
  readonly onChange: (comments: readonly Comment[]) => void;
}): ReactNode {
  const source = useSource();
  const [text, setText] = useState('');
  const [failure, setFailure] = useState<Failure>();
  const [isBusy, setBusy] = useState(false);
  const [sent, setSent] = useState<Sent>();
  if (!source.isLive) return null;
  if (comments.length === 0 && sent === undefined) return null;
  const isAsking = state.questions.some(
    ({ freeText, topic, options }) => options.some(({ id }) => id === 'modify') || (freeText && topic !== 'approval'),
  );
  const send = async (): Promise<void> => {
    setBusy(true);
    setFailure(undefined);
    try {
      const answer = await source.call<Sent>('request-changes', { run, text, comments }, repository);
      setSent(answer);
      onChange([]);
      if (answer.how === 'started') go(routeTo(['run', repository ?? '-', answer.run]));
    } catch (error) {
      setFailure(failureOf(error));
    }
    setBusy(false);
  };
  if (comments.length === 0)
    return (
      <p className="notice">
        {sent?.how === 'answered' ? 'Sent to the run as your answer.' : `Started the run ${sent?.run}.`}
      </p>
    );
  return (
    <section className="card tray" aria-label="Your comments">
      <h2>
        {comments.length} {comments.length === 1 ? 'comment' : 'comments'}
      </h2>
      <ul>
        {comments.map((comment) => (
          <li key={`${comment.path} ${comment.line} ${comment.text}`}>
            <code>
              {visibleName(comment.path)}:{comment.line}
            </code>
            {comment.isRemoved === true ? <span className="soft"> (removed)</span> : null} <Said text={comment.text} />
          </li>
        ))}
      </ul>
      <label className="field">
        <span>Anything about the whole (optional)</span>
        <textarea rows={2} value={text} onChange={({ target }) => setText(target.value)} />
      </label>
      <p className="soft">
        {isAsking
          ? 'They answer the open question of this run.'
          : isOver(page)
            ? page.result === undefined
              ? 'Nothing of this run was merged: they start a new run that is asked the same and told what was wrong.'
              : 'They start a new run from this result.'
            : 'This run is at work and asks nothing: send them when it asks or is over.'}
      </p>
      {failure === undefined ? null : <Trouble failure={failure} />}
      <div className="buttons">
        <button
          type="button"
          className="primary"
          disabled={isBusy || (!isAsking && !isOver(page))}
          onClick={() => void send()}
        >
          {isBusy ? 'Sending…' : 'Send as “change this”'}
        </button>
        <button type="button" onClick={() => onChange([])}>
          Forget them
        </button>
      </div>
    </section>
  );
}
