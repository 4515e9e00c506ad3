/** What a person has to know although the thing it is about has left the page: shown below everything, until it is closed. */
import { type ReactNode, useSyncExternalStore } from 'react';
import { Said } from './basics.tsx';

interface Notice {
  readonly id: number;
  readonly text: string;
}

let notices: readonly Notice[] = [];
let count = 0;
const listeners = new Set<() => void>();

function set(next: readonly Notice[]): void {
  notices = next;
  for (const listener of listeners) listener();
}

/** The last few are kept. */
export function tellPerson(text: string): void {
  count += 1;
  set([...notices.slice(-2), { id: count, text }]);
}

export function Notices(): ReactNode {
  const shown = useSyncExternalStore(
    (listener) => {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    () => notices,
  );
  return (
    <div className="notices" role="status">
      {shown.map(({ id, text }) => (
        <p key={id}>
          <Said text={text} />
          <button
            type="button"
            className="quiet"
            aria-label="Close this message"
            onClick={() => set(notices.filter((one) => one.id !== id))}
          >
            ✕
          </button>
        </p>
      ))}
    </div>
  );
}
