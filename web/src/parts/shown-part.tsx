/** The part of a long list that is drawn, and a button for more of it: a browser draws hundreds of rows well, not thousands. */
import { type ReactNode, useState } from 'react';

export interface ShownPart<T> {
  readonly rows: readonly T[];
  /** Null when everything is shown. */
  readonly button: ReactNode;
}

/** `end`: the newest come last, so the last ones are shown and earlier ones are asked for. */
export function useShownPart<T>(
  all: readonly T[],
  { size, end = false }: { size: number; end?: boolean },
): ShownPart<T> {
  const [most, setMost] = useState(size);
  const left = all.length - most;
  if (left <= 0) return { rows: all, button: null };
  return {
    rows: end ? all.slice(-most) : all.slice(0, most),
    button: (
      <p>
        <button type="button" onClick={() => setMost(most + size)}>
          Show {Math.min(size, left).toLocaleString()} {end ? 'earlier' : 'more'} ({left.toLocaleString()} are not
          shown)
        </button>
      </p>
    ),
  };
}
