/** Where the built web app is: below the package's `dist`, also when this runs from source. */
import { existsSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { ForgeError } from '../errors.ts';

/** `web`: the dashboard. `web-report`: the viewer of a report. */
export function builtWeb(name: 'web' | 'web-report'): string {
  for (let at = dirname(fileURLToPath(import.meta.url)); at !== dirname(at); at = dirname(at)) {
    const built = join(at, 'dist', name);
    if (existsSync(join(at, 'package.json')) && existsSync(built)) return built;
  }
  throw new ForgeError('program-missing', 'The web app of Forge was not built', {
    hint: 'Build Forge first: npm run build.',
  });
}
