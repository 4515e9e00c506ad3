/**
 * A project's own workflow with everything it imports, as bytes: what a person agrees to and what is run are the same.
 * A workflow is made of ES modules of the repository, named with their ending; besides them it may import
 * `forge/workflow`, `zod` and a few parts of Node that do nothing to the world. Anything else is refused with a reason.
 */
import { createHash } from 'node:crypto';
import { posix } from 'node:path';
import { importsOf } from '../evidence/module-imports.ts';
import { readConfined } from '../files/confined.ts';

export interface WorkflowBundle {
  /** Relative to the top of the checkout. */
  readonly entry: string;
  /** By path. Complete unless something was refused. */
  readonly files: ReadonlyMap<string, Buffer>;
  /** Why it cannot be run. */
  readonly refused: string | undefined;
}

/** What Forge brings along. */
export const providedModules = ['forge', 'forge/workflow', 'zod'] as const;

/** Parts of Node that only compute. */
export const allowedBuiltins: ReadonlySet<string> = new Set(
  [
    'assert',
    'assert/strict',
    'buffer',
    'crypto',
    'events',
    'path',
    'path/posix',
    'string_decoder',
    'url',
    'util',
  ].flatMap((name) => [name, `node:${name}`]),
);

const moduleFile = /\.(?:mjs|js|mts|ts)$/;
const dataFile = /\.json$/;
const mostFiles = 200;
const mostBytes = 1_000_000;

export function bundleWorkflow(root: string, entry: string): WorkflowBundle {
  const files = new Map<string, Buffer>();
  const waiting = [entry];
  const stop = (why: string): WorkflowBundle => ({ entry, files, refused: why });
  for (let path = waiting.pop(); path !== undefined; path = waiting.pop()) {
    if (files.has(path)) continue;
    if (files.size >= mostFiles) return stop(`it consists of more than ${mostFiles} files`);
    const found = readConfined(root, path, mostBytes);
    if (found.status === 'absent') return stop(`${path} is not there`);
    if (found.status === 'refused') return stop(`${path} ${found.why}`);
    files.set(path, found.bytes);
    if (dataFile.test(path)) continue;
    const imports = importsOf(path, found.bytes.toString('utf8'));
    if (imports.status === 'refused') return stop(`${path}, ${imports.why}`);
    for (const specifier of imports.specifiers) {
      const target = targetOf(path, specifier);
      if ('why' in target) return stop(`${path} imports ${JSON.stringify(specifier)}, ${target.why}`);
      if (target.file !== undefined) waiting.push(target.file);
    }
  }
  return { entry, files, refused: undefined };
}

/** Changes with any byte and any name. */
export function bundleDigest({ entry, files }: WorkflowBundle): string {
  const parts = [...files]
    .map(([path, bytes]) => [path, sha256Hex(bytes)])
    .sort(([a = ''], [b = '']) => (a < b ? -1 : 1));
  return sha256Hex(JSON.stringify([entry, parts]));
}

export function sha256Hex(content: string | Uint8Array): string {
  return createHash('sha256').update(content).digest('hex');
}

function targetOf(from: string, specifier: string): { readonly file: string | undefined } | { readonly why: string } {
  if ((providedModules as readonly string[]).includes(specifier) || allowedBuiltins.has(specifier))
    return { file: undefined };
  if (!/^\.\.?\//.test(specifier)) {
    return {
      why: 'which is neither a file of this repository named by ./ or ../, forge/workflow, zod nor a part of Node that only computes',
    };
  }
  if (/[?#%\\\0]/.test(specifier)) return { why: 'which is not a plain path' };
  const path = posix.join(posix.dirname(from), specifier);
  const parts = path.split('/');
  if (parts[0] === '..' || parts.some((part) => /^(?:\.git|node_modules)$/i.test(part)))
    return { why: 'which is outside the repository' };
  if (!moduleFile.test(path) && !dataFile.test(path))
    return { why: 'which is not named as an ES module (.mjs, .js, .ts)' };
  return { file: path };
}
