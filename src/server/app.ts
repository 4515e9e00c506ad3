/** The dashboard over HTTP: the app's files, the way in, operations by POST, and their streams as events. */
import { type Context, Hono } from 'hono';
import { bodyLimit } from 'hono/body-limit';
import type { Admission } from './admission.ts';
import type { Asset } from './assets.ts';
import { answerCall } from './call.ts';
import { EventStream } from './events.ts';
import { guardRequests } from './guard.ts';
import type { OpenPlaces } from './places.ts';

export interface AppOptions {
  readonly admission: Admission;
  readonly assets: ReadonlyMap<string, Asset>;
  readonly places: OpenPlaces;
  readonly isOwnHost: (host: string) => boolean;
  /** What the app has to know before it asks for anything. */
  readonly about: () => Readonly<Record<string, unknown>>;
  readonly signal: AbortSignal;
}

const mostBodyBytes = 2 * 1024 * 1024;

export function makeApp({ admission, assets, places, isOwnHost, about, signal }: AppOptions): Hono {
  const app = new Hono();
  const events = new EventStream(places, signal);
  app.use(guardRequests({ admission, isOwnHost }));
  app.get('/open', (c) => {
    const cookie = admission.admit(c.req.query('token') ?? '');
    // A used link still leads somewhere: whoever is in already goes on, and the page tells others how to get in.
    if (cookie !== undefined) c.header('Set-Cookie', cookie);
    return c.redirect('/', 303);
  });
  app.use(
    '/api/*',
    bodyLimit({
      maxSize: mostBodyBytes,
      onError: (c) => c.json({ error: 'That is too much at once', code: 'too-large' }, 413),
    }),
  );
  app.post('/api/*', (c, next) =>
    isJson(c) ? next() : Promise.resolve(c.json({ error: 'Send JSON', code: 'bad-input' }, 415)),
  );
  app.get('/api/about', (c) => c.json(about()));
  app.post('/api/link', (c) => c.json({ path: `/open?token=${admission.makeToken()}` }));
  app.get('/api/events', (c) => events.answer(c));
  app.post('/api/call/:operation', (c) => answerCall(c, places, signal));
  app.all('/api/*', (c) => c.json({ error: 'There is nothing here', code: 'unknown-operation' }, 404));
  app.get('*', (c) => serve(c, assets));
  app.onError((_, c) => c.json({ error: 'Forge could not answer', code: 'internal' }, 500));
  return app;
}

/** Forms and links of other pages cannot send it. */
function isJson(c: Context): boolean {
  return c.req.header('content-type')?.split(';', 1)[0] === 'application/json';
}

function serve(c: Context, assets: ReadonlyMap<string, Asset>): Response {
  // Every address of the app that is not a file is the app.
  const name = c.req.path.startsWith('/assets/') ? c.req.path : assets.has(c.req.path) ? c.req.path : '/index.html';
  const asset = assets.get(name);
  if (asset === undefined) return c.text('There is nothing here', 404);
  c.header('Content-Type', asset.type);
  if (asset.isForEver) c.header('Cache-Control', 'private, max-age=31536000, immutable');
  c.header('Vary', 'Accept-Encoding');
  if (!(c.req.header('accept-encoding') ?? '').includes('gzip')) return c.body(asset.body);
  c.header('Content-Encoding', 'gzip');
  return c.body(asset.gzip);
}
