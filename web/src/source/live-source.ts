/**
 * The server as a source. One event stream carries everything a window follows; when it breaks, or when the window was
 * hidden for a while, it is opened again with the positions that are known, so only what was missed is sent. A browser has
 * six connections for all windows together, so a window that nobody looks at soon gives its own back.
 */
import {
  type About,
  CallError,
  type Connection,
  type Failure,
  type Listener,
  type Source,
  type Subscription,
} from './source.ts';

interface Entry extends Subscription {
  readonly listener: Listener;
  position?: string;
  /** It gives nothing more. */
  isOver?: boolean;
}

const hiddenMs = 5000;
const longestWaitMs = 10_000;

export class LiveSource implements Source {
  readonly isLive = true;
  readonly #entries = new Map<string, Entry>();
  readonly #listeners = new Set<() => void>();
  #events: EventSource | undefined;
  #state: Connection = 'connecting';
  #number = 0;
  #tries = 0;
  #timer: ReturnType<typeof setTimeout> | undefined;
  #hidden: ReturnType<typeof setTimeout> | undefined;
  #listensHidden = false;

  constructor() {
    document.addEventListener('visibilitychange', () => this.#onVisibility());
    this.#onVisibility();
    window.addEventListener('online', () => this.reconnect());
  }

  async call<T>(operation: string, input: object, repository?: string): Promise<T> {
    return (await this.#post(`/api/call/${operation}`, { input, ...(repository ? { repository } : {}) })) as T;
  }

  async about(): Promise<About> {
    const response = await fetch('/api/about');
    if (response.status === 401) this.#set('closed');
    return (await readAnswer(response)) as About;
  }

  async makeLink(): Promise<string> {
    const { path } = (await this.#post('/api/link', {})) as { path: string };
    return new URL(path, location.href).href;
  }

  follow(subscription: Subscription, listener: Listener): () => void {
    this.#number += 1;
    const id = String(this.#number);
    this.#entries.set(id, { ...subscription, listener });
    this.#openSoon();
    return () => {
      this.#entries.delete(id);
      this.#openSoon();
    };
  }

  connection(): Connection {
    return this.#state;
  }

  onConnection(listener: () => void): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  reconnect(): void {
    this.#tries = 0;
    this.#openSoon();
  }

  listenHidden(isWanted: boolean): void {
    this.#listensHidden = isWanted;
    this.#onVisibility();
  }

  async #post(path: string, body: object): Promise<unknown> {
    let response: Response;
    try {
      response = await fetch(path, {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify(body),
      });
    } catch {
      // Whether it is back is found out by opening the stream again, or by asking.
      this.#set('lost');
      this.#openSoon(this.#nextWait());
      throw new CallError({
        error: 'The dashboard server does not answer',
        code: 'offline',
        hint: 'Check that forge ui is still running, then try again.',
      });
    }
    if (response.status === 401) this.#set('closed');
    return readAnswer(response);
  }

  #openSoon(afterMs = 0): void {
    clearTimeout(this.#timer);
    this.#timer = setTimeout(() => this.#open(), afterMs);
  }

  #open(): void {
    this.#events?.close();
    this.#events = undefined;
    const wanted = [...this.#entries].filter(([, { isOver }]) => isOver !== true);
    if (wanted.length === 0) {
      // A page that follows nothing still says when the server is back.
      if (this.#state === 'lost') void this.#ask();
      return;
    }
    const list = wanted.map(([id, { operation, input, repository, position }]) => ({
      id,
      operation,
      input: position === undefined ? input : { ...input, after: position },
      ...(repository ? { repository } : {}),
    }));
    const events = new EventSource(`/api/events?s=${encodeURIComponent(JSON.stringify(list))}`);
    this.#events = events;
    events.addEventListener('open', () => {
      this.#tries = 0;
      this.#set('open');
    });
    events.addEventListener('message', ({ data }: MessageEvent<string>) => this.#take(data));
    events.addEventListener('error', () => {
      if (this.#events !== events) return;
      events.close();
      this.#events = undefined;
      void this.#onLost();
    });
  }

  #take(data: string): void {
    const { id, value, failure, end } = JSON.parse(data) as {
      id: string;
      value?: { position?: string };
      failure?: Failure;
      end?: boolean;
    };
    const entry = this.#entries.get(id);
    if (entry === undefined) return;
    if (end === true || failure !== undefined) entry.isOver = true;
    if (failure !== undefined) entry.listener.failure?.(failure);
    if (value === undefined) return;
    if (value.position !== undefined) entry.position = value.position;
    entry.listener.value(value as never);
  }

  /** A broken stream does not say why: whether the cookie is missing is asked for. */
  async #onLost(): Promise<void> {
    const response = await fetch('/api/about').catch(() => undefined);
    if (response?.status === 401) return this.#set('closed');
    this.#set('lost');
    this.#openSoon(this.#nextWait());
  }

  async #ask(): Promise<void> {
    const response = await fetch('/api/about').catch(() => undefined);
    if (response === undefined) return this.#openSoon(this.#nextWait());
    this.#tries = 0;
    this.#set(response.status === 401 ? 'closed' : 'open');
  }

  #nextWait(): number {
    this.#tries += 1;
    return Math.min(longestWaitMs, 300 * 2 ** Math.min(this.#tries, 6));
  }

  #onVisibility(): void {
    clearTimeout(this.#hidden);
    const isLookedAt = document.visibilityState !== 'hidden' || this.#listensHidden;
    if (!isLookedAt) this.#hidden = setTimeout(() => this.#close(), hiddenMs);
    else if (this.#events === undefined) this.#openSoon();
  }

  #close(): void {
    clearTimeout(this.#timer);
    this.#events?.close();
    this.#events = undefined;
  }

  #set(state: Connection): void {
    if (this.#state === state) return;
    this.#state = state;
    for (const listener of this.#listeners) listener();
  }
}

async function readAnswer(response: Response): Promise<unknown> {
  const answer: unknown = await response.json().catch(() => undefined);
  if (response.ok) return answer;
  const { error, code, hint } = Object(answer) as Partial<Failure>;
  throw new CallError({ error: error ?? `The server answered ${response.status}`, code: code ?? 'internal', hint });
}
