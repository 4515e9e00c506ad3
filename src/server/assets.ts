/** The built web app: read once, served by name from memory. No request becomes a path. */
import { readdirSync, readFileSync } from 'node:fs';
import { extname, join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { builtWeb } from '../api/built-web.ts';

export interface Asset {
  readonly body: Uint8Array<ArrayBuffer>;
  /** The same, for browsers that take it. */
  readonly gzip: Uint8Array<ArrayBuffer>;
  readonly type: string;
  /** Its name changes with its content. */
  readonly isForEver: boolean;
}

const types: Readonly<Record<string, string>> = {
  '.html': 'text/html; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
  '.svg': 'image/svg+xml',
  '.woff2': 'font/woff2',
};

export function loadAssets(directory = builtWeb('web')): ReadonlyMap<string, Asset> {
  const assets = new Map<string, Asset>();
  for (const name of readdirSync(directory, { recursive: true, encoding: 'utf8' })) {
    const type = types[extname(name)];
    if (type === undefined) continue;
    const body = new Uint8Array(readFileSync(join(directory, name)));
    assets.set(`/${name}`, { body, gzip: new Uint8Array(gzipSync(body)), type, isForEver: name.startsWith('assets/') });
  }
  return assets;
}
