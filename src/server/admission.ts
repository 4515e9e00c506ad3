/**
 * Who may talk to the dashboard: whoever opened a one-time link in a browser of this user. The link's token is good once
 * and for a short time; it becomes a cookie that scripts cannot read and other sites cannot send. A cookie is signed
 * with the user's secret and names the port, so it outlives a restart of the server and is good for no other one.
 */
import { createHmac, randomBytes, timingSafeEqual } from 'node:crypto';

const tokenLifeMs = 10 * 60_000;
const cookieLifeSeconds = 30 * 86_400;
const mostTokens = 32;

export class Admission {
  readonly #secret: Buffer;
  readonly #now: () => number;
  /** Tokens that were not used yet, and until when they are good. */
  readonly #tokens = new Map<string, number>();
  #port = 0;

  constructor(secret: Buffer, now: () => number = Date.now) {
    this.#secret = secret;
    this.#now = now;
  }

  /** Known once the server listens. */
  set port(port: number) {
    this.#port = port;
  }

  get cookieName(): string {
    return `forge-${this.#port}`;
  }

  makeToken(): string {
    const token = randomBytes(32).toString('base64url');
    const [oldest] = this.#tokens.keys();
    if (this.#tokens.size >= mostTokens && oldest !== undefined) this.#tokens.delete(oldest);
    this.#tokens.set(token, this.#now() + tokenLifeMs);
    return token;
  }

  /** The cookie's header, once for each token. */
  admit(token: string): string | undefined {
    const found = [...this.#tokens].find(([known]) => isSame(known, token));
    if (found === undefined) return undefined;
    this.#tokens.delete(found[0]);
    if (found[1] < this.#now()) return undefined;
    const until = Math.floor(this.#now() / 1000) + cookieLifeSeconds;
    const value = `${until}.${this.#sign(until)}`;
    return `${this.cookieName}=${value}; Path=/; HttpOnly; SameSite=Strict; Max-Age=${cookieLifeSeconds}`;
  }

  isAdmitted(cookies: string): boolean {
    for (const cookie of cookies.split(';')) {
      const [name = '', value = ''] = cookie.trim().split('=', 2);
      if (name !== this.cookieName) continue;
      const [until = '', signature = ''] = value.split('.', 2);
      if (!/^\d{1,12}$/.test(until) || Number(until) * 1000 < this.#now()) continue;
      if (isSame(this.#sign(Number(until)), signature)) return true;
    }
    return false;
  }

  #sign(until: number): string {
    return createHmac('sha256', this.#secret).update(`dashboard ${this.#port} ${until}`).digest('base64url');
  }
}

function isSame(one: string, other: string): boolean {
  const [a, b] = [Buffer.from(one), Buffer.from(other)];
  return a.length === b.length && timingSafeEqual(a, b);
}
