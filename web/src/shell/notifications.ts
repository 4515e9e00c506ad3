/** The browser's own notifications, only when a person asked for them: a run needs somebody, or is over. */
import { useEffect, useState } from 'react';
import type { ListedRun } from '../../../src/api/watch-runs.ts';

const setting = 'forge-notify';

export interface Notifications {
  readonly isOffered: boolean;
  readonly isOn: boolean;
  readonly toggle: () => void;
}

export function useNotifications(): Notifications {
  const isOffered = 'Notification' in window;
  const [isOn, setOn] = useState(() => isOffered && isWanted());
  return {
    isOffered,
    isOn,
    toggle: () => {
      if (isOn) {
        localStorage.setItem(setting, 'off');
        setOn(false);
        return;
      }
      void Notification.requestPermission().then((answer) => {
        localStorage.setItem(setting, answer === 'granted' ? 'on' : 'off');
        setOn(answer === 'granted');
      });
    },
  };
}

function isWanted(): boolean {
  return localStorage.getItem(setting) === 'on' && Notification.permission === 'granted';
}

/** Says what is new since the last time it looked. */
export function useRunNotifications(runs: ReadonlyMap<string, ListedRun>): void {
  const [known] = useState(() => new Map<string, string>());
  useEffect(() => {
    const isFirst = known.size === 0;
    for (const [id, { line, questions }] of runs) {
      const now = questions.length > 0 ? `asks ${questions.map(({ key }) => key).join()}` : line.status;
      const before = known.get(id);
      known.set(id, now);
      if (isFirst || before === now || !('Notification' in window) || !isWanted()) continue;
      const isNews = questions.length > 0 || ['done', 'failed', 'limited', 'stopped'].includes(line.status);
      if (!isNews) continue;
      const text = questions[0]?.title ?? (line.status === 'done' ? 'The run is done.' : `The run is ${line.status}.`);
      const shown = new Notification(line.title.slice(0, 120), { body: text.slice(0, 200), tag: id });
      shown.addEventListener('click', () => window.focus());
    }
  }, [runs, known]);
}
