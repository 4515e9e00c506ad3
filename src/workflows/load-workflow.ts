/**
 * A project's own workflows: `.forge/workflows/<name>.mjs` (or `.ts` where Node reads it). They are programs and run
 * in Forge's own process, outside any jail: the one who starts a run must have said that the project is trusted.
 */
import { lstatSync, readdirSync } from 'node:fs';
import { register } from 'node:module';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { z } from 'zod';
import type { Workflow } from '../engine/bench.ts';
import { ForgeError, messageOf } from '../errors.ts';

const directoryOf = (root: string): string => join(root, '.forge', 'workflows');
const fileName = /^([a-z][a-z0-9-]{0,63})\.(mjs|ts)$/;

/** Names of the files there are, without loading any. */
export function listWorkflows(root: string): readonly string[] {
  return workflowFiles(root).map((file) => fileName.exec(file)?.[1] ?? '');
}

/** File names, in order; links are not followed. */
export function workflowFiles(root: string): readonly string[] {
  try {
    return readdirSync(directoryOf(root), { withFileTypes: true })
      .filter((entry) => entry.isFile() && fileName.test(entry.name))
      .map((entry) => entry.name)
      .sort();
  } catch {
    return [];
  }
}

const shape = z.object({
  name: z.string(),
  version: z.number().int(),
  run: z.custom<Workflow['run']>((value) => typeof value === 'function', 'a function is needed'),
});

export async function loadWorkflow(root: string, name: string): Promise<Workflow | undefined> {
  const file = workflowFiles(root).find((candidate) => fileName.exec(candidate)?.[1] === name);
  if (file === undefined) return undefined;
  const path = join(directoryOf(root), file);
  const module = await importFile(path);
  const found = shape.safeParse(module['workflow'] ?? module['default']);
  if (!found.success || found.data.name !== name) {
    throw new ForgeError('bad-config', `${path} does not export a workflow named ${JSON.stringify(name)}`, {
      hint: 'Export `workflow = { name, version, async run(bench) { … } }`; see docs/workflows.md.',
    });
  }
  return found.data;
}

async function importFile(path: string): Promise<Readonly<Record<string, unknown>>> {
  registerResolver();
  try {
    // A changed file is a changed module, also within one process.
    const { mtimeMs } = lstatSync(path);
    return (await import(`${pathToFileURL(path).href}?${mtimeMs}`)) as Readonly<Record<string, unknown>>;
  } catch (cause) {
    throw new ForgeError('bad-config', `${path} can not be loaded: ${messageOf(cause)}`, {
      hint:
        (cause as NodeJS.ErrnoException).code === 'ERR_UNKNOWN_FILE_EXTENSION'
          ? `Node ${process.versions.node} does not read TypeScript, 22.18 and later do; or write it as .mjs.`
          : 'Mend the file and try again.',
      cause,
    });
  }
}

let registered = false;

/** Once per process, and only when a project's own workflow is loaded. */
function registerResolver(): void {
  if (registered) return;
  registered = true;
  const built = import.meta.url.endsWith('.ts')
    ? new URL('../../dist/', import.meta.url)
    : new URL('../', import.meta.url);
  register(new URL('workflows/workflow-resolver.js', built), {
    data: {
      forge: new URL('index.js', built).href,
      'forge/workflow': new URL('workflow.js', built).href,
      zod: import.meta.resolve('zod'),
    },
  });
}
