/**
 * The repository that `forge demo` works on: a copy of the bundled example with settings that name the scripted agent,
 * left in a temporary directory for the person to explore. Where no jail can be had, its settings say so.
 */
import { cpSync, mkdtempSync, readFileSync, realpathSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { z } from 'zod';
import { ForgeError } from '../errors.ts';
import { writeConfined } from '../files/confined.ts';
import { initRepository } from '../git/init-repository.ts';
import { openRepository } from '../git/repository.ts';
import { parseSettings } from '../policy/settings.ts';
import { openJail } from '../process/open-jail.ts';
import type { Operation } from './operation.ts';
import { agreeTo } from '../trust/consent.ts';

const input = z.strictObject({});

const output = z.strictObject({
  root: z.string(),
  /** A file. */
  requirement: z.string(),
  /** Why agents run without a jail, if they do. */
  notice: z.string().optional(),
});

const bundled = fileURLToPath(new URL('../../examples/demo', import.meta.url));

export const makeDemo: Operation<typeof input, typeof output> = {
  name: 'make-demo',
  kind: 'command',
  description: 'Makes a small repository to try Forge on.',
  input,
  output,
  async run(context) {
    const root = join(realpathSync(mkdtempSync(join(tmpdir(), 'forge-demo-'))), 'units');
    cpSync(join(bundled, 'repository'), root, { recursive: true });
    const notice = await missingJail();
    writeConfined(root, '.forge/script.yaml', readFileSync(join(bundled, 'script.yaml')));
    writeConfined(root, '.forge/config.yaml', settingsText(notice));
    writeConfined(
      root,
      '.gitignore',
      'node_modules/\n.forge/*\n!.forge/config.yaml\n!.forge/script.yaml\n!.forge/memory/\n',
    );
    await initRepository(root, 'Weights');
    const settings = parseSettings(settingsText(notice), '.forge/config.yaml');
    agreeTo({ repo: await openRepository(root), settings }, context.env);
    return { root, requirement: join(bundled, 'requirement.txt'), notice };
  },
};

async function missingJail(): Promise<string | undefined> {
  try {
    await openJail({ mode: 'auto' });
    return undefined;
  } catch (error) {
    if (error instanceof ForgeError && error.code === 'jail-unavailable') return error.message;
    throw error;
  }
}

function settingsText(notice: string | undefined): string {
  const jail =
    notice === undefined
      ? ''
      : '# No jail could be had on this machine; the scripted agent does no harm.\njail: { mode: none }\n';
  return `# The demo's agents follow a script: .forge/script.yaml\nagents:\n  rehearsal: { driver: scripted, script: .forge/script.yaml }\n# What the demo learns stays in the demo.\nmemory: project\n${jail}`;
}
