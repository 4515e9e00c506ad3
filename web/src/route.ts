/**
 * Where in the app somebody is, as the part of the address after `#`: the same for the dashboard and for a file. Names of
 * runs and keys of work may hold anything, so every piece is encoded.
 */
import { useCallback, useSyncExternalStore } from 'react';

export interface Route {
  readonly pieces: readonly string[];
  readonly query: URLSearchParams;
}

function read(): string {
  return location.hash.replace(/^#\/?/, '');
}

export function parseRoute(text: string): Route {
  const [path = '', query = ''] = text.split('?', 2);
  return { pieces: path.split('/').filter(Boolean).map(decode), query: new URLSearchParams(query) };
}

function decode(piece: string): string {
  try {
    return decodeURIComponent(piece);
  } catch {
    return piece;
  }
}

export function routeTo(pieces: readonly string[], query: Readonly<Record<string, string | undefined>> = {}): string {
  const entries = Object.entries(query).filter((entry): entry is [string, string] => entry[1] !== undefined);
  const search = new URLSearchParams(entries).toString();
  return `#/${pieces.map(encodeURIComponent).join('/')}${search === '' ? '' : `?${search}`}`;
}

export function go(address: string): void {
  location.hash = address;
}

/** Without a new entry in the browser's history. */
export function replace(address: string): void {
  history.replaceState(null, '', address);
  window.dispatchEvent(new HashChangeEvent('hashchange'));
}

export function useRoute(): Route {
  const subscribe = useCallback((listener: () => void) => {
    window.addEventListener('hashchange', listener);
    return () => window.removeEventListener('hashchange', listener);
  }, []);
  return parseRoute(useSyncExternalStore(subscribe, read));
}
