/** Real output of real runners, kept short; paths and host names in it are made up. */
import { readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

const here = dirname(fileURLToPath(import.meta.url));
// Tests also run from a compiled copy beside the project, which holds no text files.
const folder = here.includes('.build') ? join(here, '..', '..', '..', 'test', 'evidence') : here;

export function sample(name: string): string {
  return readFileSync(join(folder, 'samples', name), 'utf8');
}

export function sampleRoot(name: string): string {
  return name.startsWith('node') ? '/tmp/sample/node' : name.startsWith('vitest') ? '/tmp/sample/vt' : '/tmp/sample/py';
}
