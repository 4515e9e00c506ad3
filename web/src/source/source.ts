/**
 * Where the app gets what it shows: a server that goes on telling, or a file that was made once. Views know only this.
 */
import { createContext, useContext } from 'react';

export interface Failure {
  readonly error: string;
  readonly code: string;
  readonly hint?: string | undefined;
}

export interface Subscription {
  readonly operation: string;
  readonly input: Readonly<Record<string, unknown>>;
  readonly repository?: string | undefined;
}

export interface Listener {
  value(value: never): void;
  failure?(failure: Failure): void;
}

/** `closed`: the cookie is missing, so nothing can be asked for. */
export type Connection = 'connecting' | 'open' | 'lost' | 'closed';

export interface About {
  readonly version: string;
  readonly all: boolean;
  readonly cwd: string;
  /** With `all`: where runs can be started. */
  readonly repositories: readonly { readonly id: string; readonly name: string; readonly root: string }[];
}

export interface Source {
  /** False: a file, which nothing can be changed in. */
  readonly isLive: boolean;
  call<T>(operation: string, input: object, repository?: string): Promise<T>;
  /** Returns how to stop. */
  follow(subscription: Subscription, listener: Listener): () => void;
  connection(): Connection;
  onConnection(listener: () => void): () => void;
  /** Tries again at once. */
  reconnect(): void;
  /** Whether to listen even while nobody looks at this window. */
  listenHidden(isWanted: boolean): void;
  about(): Promise<About>;
  /** An address that lets another browser in, once. */
  makeLink(): Promise<string>;
}

export class CallError extends Error {
  readonly failure: Failure;

  constructor(failure: Failure) {
    super(failure.error);
    this.failure = failure;
  }
}

export function failureOf(error: unknown): Failure {
  if (error instanceof CallError) return error.failure;
  return { error: error instanceof Error ? error.message : String(error), code: 'internal' };
}

export const SourceContext = createContext<Source | undefined>(undefined);

export function useSource(): Source {
  const source = useContext(SourceContext);
  if (source === undefined) throw new Error('there is no source');
  return source;
}
