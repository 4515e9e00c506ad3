/**
 * What a repository brings along for Forge to act on, read once: roles, workflows with what they import, gates of
 * pipelines, scripts of scripted agents. The same bytes are shown for consent and then used, so that a file that changes in
 * between changes nothing. No link is followed; a link where one of these files belongs is a failure.
 */
import { isAbsolute, posix, relative, resolve, sep } from 'node:path';
import { listConfined, readConfined, unusableFile } from '../files/confined.ts';
import type { Settings } from '../policy/settings.ts';
import type { OwnFile } from '../policy/trust.ts';
import { type PreferenceText, preferenceFiles } from './preferences.ts';
import { bundleWorkflow, sha256Hex, type WorkflowBundle } from './workflow-bundle.ts';

export interface OwnFiles {
  /** By name, without `.md`, in lower case. */
  readonly roles: ReadonlyMap<string, { readonly path: string; readonly text: string }>;
  /** By name. */
  readonly workflows: ReadonlyMap<string, WorkflowBundle>;
  /** Markdown with gates of pipelines, by the path that settings name. */
  readonly gates: ReadonlyMap<string, string>;
  /** Options of workflows that the checkout prefers, layer by layer. */
  readonly preferences: readonly PreferenceText[];
  /** Everything a person is asked about. */
  readonly files: readonly OwnFile[];
}

const maxRole = 256 * 1024;
const maxScript = 256 * 1024 * 1024;
const workflowFile = /^([a-z][a-z0-9-]{0,63})\.(mjs|ts)$/;

export function readOwnFiles(root: string, settings: Pick<Settings, 'agents' | 'pipelines'>): OwnFiles {
  const roles = new Map(
    namesIn(root, '.forge/roles', /\.md$/i).map((name) => {
      const path = `.forge/roles/${name}`;
      return [
        name.slice(0, -3).toLowerCase(),
        { path, text: readPlain(root, path, maxRole).toString('utf8') },
      ] as const;
    }),
  );
  const workflows = new Map(
    workflowFiles(root).map((name) => [
      workflowFile.exec(name)?.[1] ?? name,
      bundleWorkflow(root, `.forge/workflows/${name}`),
    ]),
  );
  const gates = gateTexts(root, settings);
  const preferences = preferenceTexts(root);
  const files = [
    ...roleFiles(roles),
    ...bundleFiles(workflows),
    ...gateFiles(gates),
    ...preferences.map(({ path, text }): OwnFile => ({ path, use: 'preferences', digest: sha256Hex(text) })),
    ...scripts(root, settings),
  ];
  return { roles, workflows, gates, preferences, files };
}

function preferenceTexts(root: string): readonly PreferenceText[] {
  return (['repository', 'local'] as const).flatMap((origin) => {
    const path = preferenceFiles[origin];
    const found = readConfined(root, path, maxRole);
    if (found.status === 'refused') throw unusableFile(path, found.why);
    return found.status === 'absent' ? [] : [{ origin, path, text: found.bytes.toString('utf8') }];
  });
}

/** Gates as the text that a person agreed to: a run keeps its settings, and no later file changes them. */
export function withOwnGates<S extends Pick<Settings, 'pipelines'>>(settings: S, gates: OwnFiles['gates']): S {
  const pipelines = Object.entries(settings.pipelines).map(([name, pipeline]) => {
    const text = gates.get(pipeline.gates ?? '');
    return [name, text === undefined ? pipeline : { ...pipeline, gates: `${text}\n` }] as const;
  });
  return { ...settings, pipelines: Object.fromEntries(pipelines) };
}

/** Names of the workflows there are, without reading any. */
export function ownWorkflows(root: string): readonly string[] {
  return workflowFiles(root).map((file) => workflowFile.exec(file)?.[1] ?? file);
}

function workflowFiles(root: string): readonly string[] {
  return namesIn(root, '.forge/workflows', workflowFile);
}

function namesIn(root: string, directory: string, pattern: RegExp): readonly string[] {
  const found = listConfined(root, directory);
  if (found.status === 'absent') return [];
  if (found.status === 'refused') throw unusableFile(directory, found.why);
  const fitting = found.entries.filter(({ name, kind }) => pattern.test(name) && kind !== 'directory');
  const [link] = fitting.filter(({ kind }) => kind === 'other');
  if (link !== undefined) throw unusableFile(`${directory}/${link.name}`, 'is a link or a special file');
  return fitting.map(({ name }) => name).sort();
}

function readPlain(root: string, path: string, maxBytes: number): Buffer {
  const found = readConfined(root, path, maxBytes);
  if (found.status === 'read') return found.bytes;
  throw unusableFile(path, found.status === 'refused' ? found.why : 'is gone');
}

function roleFiles(roles: OwnFiles['roles']): readonly OwnFile[] {
  return [...roles.values()].map(({ path, text }) => ({ path, use: 'role', digest: sha256Hex(text) }));
}

function bundleFiles(workflows: OwnFiles['workflows']): readonly OwnFile[] {
  const files = new Map<string, OwnFile>();
  for (const { entry, files: parts, refused } of workflows.values()) {
    for (const [path, bytes] of parts) {
      const use = path === entry ? 'workflow' : 'import';
      const problem = path === entry && refused !== undefined ? { problem: refused } : {};
      if (use === 'workflow' || !files.has(path)) files.set(path, { path, use, digest: sha256Hex(bytes), ...problem });
    }
  }
  return [...files.values()].sort((a, b) => (a.path < b.path ? -1 : 1));
}

/** Of gates that settings do not hold themselves. What is not there or lies elsewhere is refused by who needs it. */
function gateTexts(root: string, { pipelines }: Pick<Settings, 'pipelines'>): OwnFiles['gates'] {
  const named = Object.values(pipelines).flatMap(({ gates }) =>
    gates === undefined || gates.includes('\n') || gates.startsWith('/') || gates.split('/').includes('..')
      ? []
      : [gates],
  );
  const texts = [...new Set(named)].sort().flatMap((path): (readonly [string, string])[] => {
    const found = readConfined(root, path, maxRole);
    if (found.status === 'refused') throw unusableFile(path, found.why);
    return found.status === 'absent' ? [] : [[path, found.bytes.toString('utf8')]];
  });
  return new Map(texts);
}

function gateFiles(gates: OwnFiles['gates']): readonly OwnFile[] {
  return [...gates].map(([path, text]) => ({ path, use: 'gates', digest: sha256Hex(text) }));
}

/** Those inside the repository: one that is elsewhere is the person's own. */
function scripts(root: string, { agents }: Pick<Settings, 'agents'>): readonly OwnFile[] {
  const paths = Object.values(agents).flatMap((agent) => {
    if (agent.driver !== 'scripted') return [];
    const path = relative(root, resolve(root, agent.script));
    return path === '' || path.split(sep)[0] === '..' || isAbsolute(path) ? [] : [path.split(sep).join(posix.sep)];
  });
  return [...new Set(paths)].sort().flatMap((path): OwnFile[] => {
    const found = readConfined(root, path, maxScript);
    if (found.status === 'absent') return [];
    if (found.status === 'refused') throw unusableFile(path, found.why);
    return [{ path, use: 'script', digest: sha256Hex(found.bytes) }];
  });
}
