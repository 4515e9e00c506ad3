/**
 * Calls back when something in a directory may have changed. Events can be missed, and a machine can run out
 * of watches, so it also looks once a second. Keeps the process alive until it is closed.
 */
import { type FSWatcher, watch } from 'node:fs';

export function watchDirectory(directory: string, onChange: () => void): () => void {
  const watcher = tryWatch(directory, onChange);
  const timer = setInterval(onChange, 1000);
  return () => {
    watcher?.close();
    clearInterval(timer);
  };
}

function tryWatch(directory: string, onChange: () => void): FSWatcher | undefined {
  try {
    const watcher = watch(directory, onChange);
    watcher.on('error', () => watcher.close());
    return watcher;
  } catch {
    return undefined;
  }
}
