/**
 * Loads a project's own workflow. It is a program and runs in Forge's own process, outside any jail: whoever calls this
 * has made sure that a person agreed to exactly these bytes. They are written to a directory of their own in the user's
 * state directory, named by their digest, and loaded from there: what changes in the repository meanwhile is not run.
 */
import { mkdirSync } from 'node:fs';
import { register } from 'node:module';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { z } from 'zod';
import type { Workflow } from '../engine/bench.ts';
import { ForgeError, messageOf } from '../errors.ts';
import { readConfined, writeConfined } from '../files/confined.ts';
import { allowedBuiltins, bundleDigest, type providedModules, type WorkflowBundle } from '../trust/workflow-bundle.ts';

/** Below the state directory; the loader hook knows modules from there by this name. */
const copies = 'agreed-workflows';

const shape = z.object({
  name: z.string(),
  version: z.number().int(),
  run: z.custom<Workflow['run']>((value) => typeof value === 'function', 'a function is needed'),
});

export async function loadWorkflow(bundle: WorkflowBundle, name: string, stateDir: string): Promise<Workflow> {
  const { entry, refused } = bundle;
  if (refused !== undefined) {
    throw new ForgeError('bad-config', `${entry} can not be run: ${refused}`, {
      hint: 'A workflow may import files of this repository, forge/workflow and zod; see docs/workflows.md.',
    });
  }
  const module = await importFile(writeCopy(bundle, stateDir), entry);
  const found = shape.safeParse(module['workflow'] ?? module['default']);
  if (!found.success || found.data.name !== name) {
    throw new ForgeError('bad-config', `${entry} does not export a workflow named ${JSON.stringify(name)}`, {
      hint: 'Export `workflow = { name, version, async run(bench) { … } }`; see docs/workflows.md.',
    });
  }
  return found.data;
}

/** The path of the entry in the copy. A file that is there already is compared, and replaced if it differs. */
function writeCopy(bundle: WorkflowBundle, stateDir: string): string {
  const directory = `${copies}/${bundleDigest(bundle)}`;
  mkdirSync(stateDir, { recursive: true, mode: 0o700 });
  // Every file is an ES module, whatever the repository's own package.json says.
  const files = new Map([...bundle.files, ['package.json', Buffer.from('{ "type": "module" }\n')]]);
  for (const [path, bytes] of files) {
    const found = readConfined(stateDir, `${directory}/${path}`);
    if (found.status === 'read' && found.bytes.equals(bytes)) continue;
    writeConfined(stateDir, `${directory}/${path}`, bytes, { mode: 0o600, directoryMode: 0o700 });
  }
  return join(stateDir, directory, bundle.entry);
}

async function importFile(path: string, entry: string): Promise<Readonly<Record<string, unknown>>> {
  registerResolver();
  try {
    return (await import(pathToFileURL(path).href)) as Readonly<Record<string, unknown>>;
  } catch (cause) {
    throw new ForgeError('bad-config', `${entry} can not be loaded: ${messageOf(cause)}`, {
      hint:
        (cause as NodeJS.ErrnoException).code === 'ERR_UNKNOWN_FILE_EXTENSION'
          ? `Node ${process.versions.node} does not read TypeScript, 22.18 and later do; or write it as .mjs.`
          : 'Fix the file and try again.',
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
  const provided: Readonly<Record<(typeof providedModules)[number], string>> = {
    forge: new URL('index.js', built).href,
    'forge/workflow': new URL('workflow.js', built).href,
    zod: import.meta.resolve('zod'),
  };
  register(new URL('workflows/workflow-resolver.js', built), {
    data: { provided, builtins: [...allowedBuiltins], copies },
  });
}
