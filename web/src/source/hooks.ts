/** Answers and streams of the source as React state. */
import { useCallback, useEffect, useRef, useState, useSyncExternalStore } from 'react';
import type { FlatNode, OpenQuestion, RunPage } from '../model.ts';
import type { RunChange } from '../../../src/api/watch-run.ts';
import type { ListedRun } from '../../../src/api/watch-runs.ts';
import { type Connection, type Failure, failureOf, useSource } from './source.ts';

export interface Loaded<T> {
  readonly value: T | undefined;
  readonly failure: Failure | undefined;
  readonly isLoading: boolean;
  readonly reload: () => void;
}

/**
 * The answer of an operation. `version` asks again when it changes, while the old answer stays; not more often than every
 * second, and less often where an answer takes long. Another operation or input forgets the old answer.
 */
export function useCall<T>(
  operation: string | undefined,
  input: object,
  options: { readonly repository?: string | undefined; readonly version?: unknown } = {},
): Loaded<T> {
  const source = useSource();
  const { repository, version } = options;
  const key = JSON.stringify([operation, input, repository]);
  const [state, setState] = useState<{ key: string; value?: T; failure?: Failure }>({ key: '' });
  const [round, setRound] = useState(0);
  const last = useRef({ key: '', at: 0, took: 0 });
  const isBack = useConnection() === 'open';
  const isMissed = state.key === key && state.failure?.code === 'offline';
  // What could not be asked while the server was away is asked when it is back.
  useEffect(() => {
    if (isBack && isMissed) setRound((old) => old + 1);
    // Only when the connection changes: a server that is there and fails is asked again by a person.
    // oxlint-disable-next-line react-hooks/exhaustive-deps
  }, [isBack]);
  useEffect(() => {
    if (operation === undefined) return;
    let isCurrent = true;
    const load = (): void => {
      const asked = { key, at: Date.now(), took: 0 };
      last.current = asked;
      source.call<T>(operation, input, repository).then(
        (value) => {
          asked.took = Date.now() - asked.at;
          if (isCurrent) setState({ key, value });
        },
        (error: unknown) => {
          if (isCurrent) setState((old) => ({ ...(old.key === key ? old : {}), key, failure: failureOf(error) }));
        },
      );
    };
    const { at, took } = last.current;
    const wait = last.current.key === key ? Math.max(0, Math.max(1000, 8 * took) - (Date.now() - at)) : 0;
    const timer = setTimeout(load, wait);
    return () => {
      isCurrent = false;
      clearTimeout(timer);
    };
    // `key` stands for operation, input and repository.
    // oxlint-disable-next-line react-hooks/exhaustive-deps
  }, [source, key, version, round]);
  const isOwn = state.key === key;
  return {
    value: isOwn ? state.value : undefined,
    failure: isOwn ? state.failure : undefined,
    isLoading: !isOwn || (state.value === undefined && state.failure === undefined),
    reload: useCallback(() => setRound((old) => old + 1), []),
  };
}

interface RunsChange {
  readonly isWhole: boolean;
  readonly runs: readonly ListedRun[];
  readonly removed: readonly string[];
}

/** Every run that the dashboard serves, by id. */
export function useRuns(all: boolean): {
  readonly runs: ReadonlyMap<string, ListedRun> | undefined;
  readonly failure: Failure | undefined;
} {
  const source = useSource();
  const [runs, setRuns] = useState<ReadonlyMap<string, ListedRun>>();
  const [failure, setFailure] = useState<Failure>();
  useEffect(
    () =>
      source.follow(
        { operation: 'watch-runs', input: { all } },
        {
          value: (change: RunsChange) =>
            setRuns((old) => {
              const next = new Map(change.isWhole ? [] : old);
              for (const id of change.removed) next.delete(id);
              for (const run of change.runs) next.set(run.id, run);
              return next;
            }),
          failure: setFailure,
        },
      ),
    [source, all],
  );
  return { runs, failure };
}

export interface LiveRunState {
  readonly page: RunPage | undefined;
  readonly questions: readonly OpenQuestion[];
  /** By path. */
  readonly nodes: ReadonlyMap<string, FlatNode>;
  /** Children in order, by the path of their parent. */
  readonly children: ReadonlyMap<string, readonly FlatNode[]>;
  /** How far this clock is behind the server's. */
  readonly skewMs: number;
  /** Only the beginning of a long run has come so far. */
  readonly isPartial: boolean;
  readonly failure: Failure | undefined;
}

const nothing: LiveRunState = {
  page: undefined,
  questions: [],
  nodes: new Map(),
  children: new Map(),
  skewMs: 0,
  isPartial: false,
  failure: undefined,
};

export function useRun(run: string, repository: string | undefined): LiveRunState {
  const source = useSource();
  const [state, setState] = useState<LiveRunState>(nothing);
  useEffect(() => {
    setState(nothing);
    return source.follow(
      { operation: 'watch-run', input: { run }, repository },
      {
        value: (change: RunChange) => setState((old) => applyChange(old, change)),
        failure: (failure) => setState((old) => ({ ...old, failure })),
      },
    );
  }, [source, run, repository]);
  return state;
}

function applyChange(old: LiveRunState, change: RunChange): LiveRunState {
  const nodes = new Map(change.isWhole ? [] : old.nodes);
  for (const path of change.removed) nodes.delete(path);
  for (const node of change.nodes) nodes.set(node.path, node);
  const hasNodes = change.isWhole || change.nodes.length + change.removed.length > 0;
  return {
    page: change.page ?? (change.isWhole ? undefined : old.page),
    questions: change.questions ?? (change.isWhole ? [] : old.questions),
    nodes: hasNodes ? nodes : old.nodes,
    children: hasNodes ? childrenOf(nodes) : old.children,
    skewMs: Date.parse(change.now) - Date.now(),
    isPartial: change.isPartial === true,
    failure: undefined,
  };
}

function childrenOf(nodes: ReadonlyMap<string, FlatNode>): ReadonlyMap<string, readonly FlatNode[]> {
  const children = new Map<string, FlatNode[]>();
  for (const node of nodes.values()) {
    const beside = children.get(node.parent);
    if (beside === undefined) children.set(node.parent, [node]);
    else beside.push(node);
  }
  for (const beside of children.values()) beside.sort((a, b) => a.order - b.order);
  return children;
}

export function useConnection(): Connection {
  const source = useSource();
  return useSyncExternalStore(
    (listener) => source.onConnection(listener),
    () => source.connection(),
  );
}

/** The time, for what counts on; every second while something is under way. */
export function useNow(isCounting: boolean): number {
  const [now, setNow] = useState(() => Date.now());
  useEffect(() => {
    const timer = setInterval(() => setNow(Date.now()), isCounting ? 1000 : 30_000);
    return () => clearInterval(timer);
  }, [isCounting]);
  return now;
}
