/**
 * What every request has to pass before anything looks at it: the host it was meant for (a page of another site whose
 * name was pointed here names another one), the page it comes from, and a cookie. And what every answer says to the
 * browser: run nothing that is not ours, ask nobody else, show us in no other page, remember nothing.
 */
import type { Context, MiddlewareHandler } from 'hono';
import type { Admission } from './admission.ts';
import { RateLimit } from './rate-limit.ts';

export interface GuardOptions {
  readonly admission: Admission;
  /** Names and ports this server goes by, such as `127.0.0.1:36743`. */
  readonly isOwnHost: (host: string) => boolean;
}

const policy = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  "img-src 'self' data:",
  "font-src 'self'",
  "connect-src 'self'",
  "manifest-src 'self'",
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
  "require-trusted-types-for 'script'",
].join('; ');

const headers: Readonly<Record<string, string>> = {
  'Content-Security-Policy': policy,
  'X-Content-Type-Options': 'nosniff',
  'X-Frame-Options': 'DENY',
  'Referrer-Policy': 'no-referrer',
  'Cross-Origin-Opener-Policy': 'same-origin',
  'Cross-Origin-Resource-Policy': 'same-origin',
  'Permissions-Policy': 'camera=(), microphone=(), geolocation=(), payment=(), usb=()',
  'Cache-Control': 'no-store',
};

export function guardRequests({ admission, isOwnHost }: GuardOptions): MiddlewareHandler {
  const requests = new RateLimit({ perSecond: 100, burst: 400 });
  // Whoever is not let in uses up nothing of those who are.
  const strangers = new RateLimit({ perSecond: 20, burst: 100 });
  const entries = new RateLimit({ perSecond: 1, burst: 20 });
  return async (c, next) => {
    for (const [name, value] of Object.entries(headers)) c.header(name, value);
    const host = c.req.header('host') ?? '';
    if (!isOwnHost(host)) return refuse(c, 421, 'This server does not go by that name');
    if (!comesFromHere(c, host)) return refuse(c, 403, 'Requests from other sites are refused');
    const isAdmitted = admission.isAdmitted(c.req.header('cookie') ?? '');
    if (!(isAdmitted ? requests : strangers).take()) return refuse(c, 429, 'Too many requests: wait a moment');
    if (c.req.path === '/open') return entries.take() ? next() : refuse(c, 429, 'Too many attempts: wait a moment');
    if (!isPublic(c) && !isAdmitted) {
      return refuse(c, 401, 'Open the link that forge ui printed, or run forge ui again for a new one');
    }
    return next();
  };
}

/** The page itself says how to get in; it holds nothing of any run. */
function isPublic(c: Context): boolean {
  return c.req.method === 'GET' && !c.req.path.startsWith('/api/');
}

/** Browsers say where a request comes from. Programs do not, and have no cookie either. */
function comesFromHere(c: Context, host: string): boolean {
  const origin = c.req.header('origin');
  if (origin !== undefined && origin !== `http://${host}`) return false;
  const site = c.req.header('sec-fetch-site');
  if (site === undefined || site === 'same-origin' || site === 'none') return true;
  // A link on another page may lead here; what it leads to asks for the cookie, which does not come along.
  return c.req.method === 'GET' && c.req.header('sec-fetch-mode') === 'navigate' && !c.req.path.startsWith('/api/');
}

function refuse(c: Context, status: 401 | 403 | 421 | 429, error: string): Response {
  return c.json({ error, code: 'refused' }, status);
}
