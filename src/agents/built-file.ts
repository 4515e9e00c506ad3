/** Finds a program of Forge's own that runs as a child: plain JavaScript, below `dist` when this runs from source. */
import { existsSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { ForgeError } from '../errors.ts';

/** `path` is below the root of the built files, for example `agents/scripted-child.js`. */
export function builtFile(path: string): string {
  const root = import.meta.url.endsWith('.ts') ? '../../dist/' : '../';
  const file = fileURLToPath(new URL(`${root}${path}`, import.meta.url));
  if (existsSync(file)) return file;
  throw new ForgeError('agent-unavailable', `a program of Forge is missing: ${file}`, {
    hint: 'Build Forge first: npm run build.',
  });
}
