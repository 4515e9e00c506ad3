/** The browser's own notifications, only when a person asked for them: a run needs somebody, or is over. */
import { type ReactNode, useEffect, useRef, useState, useSyncExternalStore } from 'react';
import { go, routeTo } from '../route.ts';
import { useRuns } from '../source/hooks.ts';
import { useSource } from '../source/source.ts';

const setting = 'forge-notify';

export interface Notifications {
  readonly isOffered: boolean;
  readonly isOn: boolean;
  readonly toggle: () => void;
}

export function useNotifications(): Notifications {
  const isOn = useSyncExternalStore(onSetting, isWanted);
  return {
    isOffered: 'Notification' in window,
    isOn,
    toggle: () => {
      if (isOn) set('off');
      else void Notification.requestPermission().then((answer) => set(answer === 'granted' ? 'on' : 'off'));
    },
  };
}

/** Parts of this window hear of it; other windows hear of it by themselves. */
const changed = 'forge-notify-changed';

function set(value: 'on' | 'off'): void {
  localStorage.setItem(setting, value);
  window.dispatchEvent(new Event(changed));
}

function onSetting(listener: () => void): () => void {
  for (const type of ['storage', changed]) window.addEventListener(type, listener);
  return () => {
    for (const type of ['storage', changed]) window.removeEventListener(type, listener);
  };
}

function isWanted(): boolean {
  return 'Notification' in window && localStorage.getItem(setting) === 'on' && Notification.permission === 'granted';
}

/** Looks at all runs on every page, as long as a person wants to hear of them. Draws nothing. */
export function Notifier({ all }: { readonly all: boolean }): ReactNode {
  const isOn = useSyncExternalStore(onSetting, isWanted);
  return isOn ? <RunNotifications all={all} /> : null;
}

function RunNotifications({ all }: { readonly all: boolean }): ReactNode {
  return useOnlyWindow() ? <RunNews all={all} /> : null;
}

/** True in one of all open windows: each thing is said once, and only that window has to stay connected. */
function useOnlyWindow(): boolean {
  const source = useSource();
  const [isOnly, setOnly] = useState(false);
  useEffect(() => {
    const left = new AbortController();
    const stays = new Promise<void>((resolve) => left.signal.addEventListener('abort', () => resolve()));
    navigator.locks
      .request('forge-notifications', { signal: left.signal }, () => {
        setOnly(true);
        source.listenHidden(true);
        return stays;
      })
      .catch(() => undefined);
    return () => {
      left.abort();
      source.listenHidden(false);
    };
  }, [source]);
  return isOnly;
}

/** Says what is new since the last time it looked. */
function RunNews({ all }: { readonly all: boolean }): ReactNode {
  const { runs } = useRuns(all);
  const [known] = useState(() => new Map<string, string>());
  const looked = useRef(false);
  useEffect(() => {
    if (runs === undefined) return;
    const isFirst = !looked.current;
    looked.current = true;
    for (const [id, { line, repository, questions }] of runs) {
      const now = questions.length > 0 ? `asks ${questions.map(({ key }) => key).join()}` : line.status;
      const before = known.get(id);
      known.set(id, now);
      if (isFirst || before === now || !isWanted()) continue;
      const isNews = questions.length > 0 || ['done', 'failed', 'limited', 'stopped'].includes(line.status);
      if (!isNews) continue;
      const text = questions[0]?.title ?? (line.status === 'done' ? 'The run is done.' : `The run is ${line.status}.`);
      const shown = new Notification(line.title.slice(0, 120), { body: text.slice(0, 200), tag: id });
      shown.addEventListener('click', () => {
        window.focus();
        go(routeTo(['run', repository.id || '-', line.run]));
      });
    }
  }, [runs, known]);
  return null;
}
