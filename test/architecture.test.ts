/** The shape of the code, checked by a machine: rooms, direction of imports, cycles, file length, names. */
import { readdirSync, readFileSync } from 'node:fs';
import { dirname, join, relative, resolve } from 'node:path';
import { describe, expect, it } from 'vitest';

const source = resolve(import.meta.dirname, '../src');

/** What each room may import from, besides itself and `errors.ts`. */
const rooms: Readonly<Record<string, readonly string[]>> = {
  plan: ['policy'],
  policy: ['plan'],
  evidence: ['plan', 'policy'],
  // The only reader of Markdown.
  markdown: [],
  design: ['files', 'markdown', 'plan', 'policy'],
  // Of git only the shape of its answers.
  delivery: ['design', 'evidence', 'git', 'markdown', 'plan', 'policy'],
  process: [],
  // The one way to files that somebody else may have put there, and to take turns at them.
  files: ['process'],
  // What a record is; what is kept on disk is the store's.
  records: ['plan'],
  store: ['files', 'records', 'plan'],
  // Packs are made of the project's own documents.
  pipelines: ['records', 'plan', 'policy', 'markdown'],
  // Milestones of other tools, read from their files.
  gsd: ['files', 'plan'],
  engine: ['files', 'plan', 'policy'],
  // How a person who is not looking is told.
  notify: ['engine', 'files', 'plan', 'process'],
  git: ['files', 'process', 'plan', 'policy', 'evidence'],
  checks: ['process', 'plan', 'policy', 'evidence', 'git'],
  agents: ['files', 'process', 'plan', 'policy', 'evidence'],
  // Which accounts a person has, where their tokens are, how much of them is used.
  accounts: ['files', 'policy', 'process'],
  roles: ['files', 'plan', 'policy'],
  memory: ['files', 'plan', 'policy'],
  views: ['plan', 'policy', 'evidence', 'engine', 'gsd'],
  // What an agent is told of its own run is drawn as people see it.
  effects: [
    'accounts',
    'delivery',
    'design',
    'engine',
    'files',
    'records',
    'store',
    'pipelines',
    'process',
    'git',
    'checks',
    'agents',
    'roles',
    'memory',
    'plan',
    'policy',
    'evidence',
    'gsd',
    'views',
  ],
  // What a person has agreed to, and what is used of it.
  trust: ['files', 'evidence', 'plan', 'policy'],
  // What a person reads about a step is worded where the step is made.
  workflows: [
    'delivery',
    'design',
    'engine',
    'files',
    'gsd',
    'markdown',
    'trust',
    'plan',
    'policy',
    'evidence',
    'views',
    // What a pipeline is, and the records it is about.
    'records',
    'pipelines',
  ],
  version: [],
  workflow: ['engine', 'plan', 'policy', 'workflows', 'errors'],
  'write-documents': ['engine', 'files', 'gsd', 'views'],
  // For people who coordinate modules on their own, without a run.
  toolbox: [
    'compose',
    'files',
    'trust',
    'views',
    'engine',
    'checks',
    'effects',
    'git',
    'process',
    'evidence',
    'plan',
    'policy',
  ],
  // Recorded work and histories, played again without a model.
  rehearsal: ['compose', 'views', 'engine', 'agents', 'git', 'process', 'workflows', 'plan', 'policy', 'version'],
  api: [
    'accounts',
    'open-reader',
    'toolbox',
    'rehearsal',
    'files',
    'records',
    'store',
    'pipelines',
    'gsd',
    'design',
    'delivery',
    'notify',
    'trust',
    'compose',
    'views',
    'engine',
    'agents',
    'memory',
    'git',
    'evidence',
    'checks',
    'effects',
    'process',
    'workflows',
    'plan',
    'policy',
    'version',
  ],
  // Skins look up workflows in the registry; only heads are loaded there.
  mcp: ['api', 'views', 'version', 'workflows'],
  // The dashboard: operations over HTTP, and a built web app.
  server: ['api', 'version'],
  // The commands `forge mcp` and `forge ui` start the other skins.
  cli: ['api', 'rehearsal', 'views', 'version', 'mcp', 'server', 'workflows'],
  // For those who only look.
  'open-reader': ['engine', 'git', 'process', 'views'],
  compose: [
    'accounts',
    'open-reader',
    'files',
    'notify',
    'records',
    'store',
    'pipelines',
    'trust',
    'write-documents',
    'version',
    'engine',
    'effects',
    'process',
    'git',
    'checks',
    'agents',
    'workflows',
    'plan',
    'policy',
    'evidence',
    'roles',
    'memory',
    'views',
  ],
  index: [
    'workflow',
    'version',
    'compose',
    'engine',
    'effects',
    'process',
    'git',
    'checks',
    'agents',
    'workflows',
    'plan',
    'policy',
    'evidence',
  ],
};

/** Rooms that touch no clock, no random and no I/O. */
const pure = ['plan', 'policy', 'evidence', 'views', 'records', 'pipelines', 'markdown', 'design', 'delivery'];
const forbiddenNames = /(^|-)(utils?|helpers?|common|manager|service|v2|new)(-|\.)/i;
const longest = 400;
/** Words that are also the name of a workflow. */
const meansSomethingElse = [
  // An attribute of Python, a directory of tools, a field of plans, a plural.
  "evidence/contracts/python-reader.ts: 'modules'",
  "toolbox/attempts.ts: 'modules'",
  "plan/module-plan.ts: 'modules'",
  // A field of what an effect is asked.
  "engine/files/blob-content.ts: 'modules'",
  "cli/design-lines.ts: 'modules'",
  // Words of documents in .gsd.
  "gsd/state-hint.ts: 'milestone'",
  "views/milestone-text.ts: 'milestone'",
  // Where a rule comes from; the modules of a design.
  "api/check-design.ts: 'design'",
  "design/coding-standards.ts: 'design'",
  "workflows/design/context.ts: 'modules'",
  "workflows/design/keep-delivery.ts: 'modules'",
  "workflows/design/plan/evolution-documents.ts: 'modules'",
  "workflows/design/steps/approve-plans.ts: 'modules'",
  "workflows/design/steps/backfill-legacy.ts: 'modules'",
  "workflows/design/steps/evolve-plans.ts: 'modules'",
  "workflows/design/steps/make-plans.ts: 'modules'",
  "workflows/design/steps/run-module.ts: 'modules'",
];

interface SourceFile {
  readonly path: string;
  readonly room: string;
  readonly lines: number;
  readonly text: string;
  readonly imports: readonly string[];
}

const files = readdirSync(source, { recursive: true, encoding: 'utf8' })
  .filter((name) => name.endsWith('.ts'))
  .map((name): SourceFile => {
    const text = readFileSync(join(source, name), 'utf8');
    return { path: name, room: roomOf(name), lines: text.split('\n').length, text, imports: importsOf(text) };
  });

describe('architecture', () => {
  it('has files to look at', () => {
    expect(files.length).toBeGreaterThan(30);
  });

  it('keeps every file in a known room', () => {
    expect(
      files.filter((file) => file.room !== 'errors' && rooms[file.room] === undefined).map((file) => file.path),
    ).toEqual([]);
  });

  it('imports only downwards', () => {
    const wrong = files.flatMap((file) =>
      localImports(file)
        .map(roomOf)
        .filter((target) => target !== file.room && target !== 'errors' && !(rooms[file.room] ?? []).includes(target))
        .map((target) => `${file.path} imports ${target}`),
    );
    expect(wrong).toEqual([]);
  });

  it('has no import cycles', () => {
    // Types are erased and lazy imports are made to break a cycle: what counts is what loads together.
    const graph = new Map(files.map((file) => [file.path, localPaths(file, loadedImportsOf(file.text))]));
    expect(findCycles(graph)).toEqual([]);
  });

  it.each(['list', 'status', 'show', 'logs', 'answer'])('loads no schemas to show forge %s', (command) => {
    // What takes long to load is loaded by those who need it: people wait for these commands.
    const seen = new Set(['cli/main.ts', 'cli/parse-call.ts', `cli/${command}.ts`]);
    const byPath = new Map(files.map((file) => [file.path, file]));
    const packages = new Set<string>();
    for (const path of seen) {
      const file = byPath.get(path);
      if (file === undefined) continue;
      const loaded = loadedImportsOf(file.text);
      for (const next of localPaths(file, loaded)) seen.add(next);
      for (const name of loaded) if (!/^(?:\.|node:)/.test(name)) packages.add(name);
    }
    expect([...packages]).toEqual(['get-east-asian-width']);
  });

  it(`has no file over ${longest} lines and no name that says nothing`, () => {
    expect(files.filter((file) => file.lines > longest).map((file) => `${file.path}: ${file.lines}`)).toEqual([]);
    expect(files.filter((file) => forbiddenNames.test(file.path)).map((file) => file.path)).toEqual([]);
    expect(files.filter((file) => !/^[a-z0-9/-]+\.ts$/.test(file.path)).map((file) => file.path)).toEqual([]);
  });

  it('keeps pure rooms pure', () => {
    const impure =
      /from 'node:(?!util'|path'|path\/posix'|crypto'|buffer')|Date\.now\(|new Date\(\)|Math\.random\(|process\.(env|cwd|platform)/;
    const wrong = files.filter((file) => pure.includes(file.room) && impure.test(file.text));
    expect(wrong.map((file) => file.path)).toEqual([]);
  });

  it('tells nobody how a run is kept', () => {
    // Whoever works with runs does so by name, through the engine's contract; one file chooses the implementation.
    const knowing = files.filter(
      (file) =>
        !file.path.startsWith('engine/files/') &&
        !['compose.ts', 'open-reader.ts'].includes(file.path) &&
        localImports(file).some((path) => path.startsWith('engine/files/')),
    );
    expect(knowing.map((file) => file.path)).toEqual([]);
    // Nor does anybody find a run, or what lies beside its journal, by a path.
    const place = /join\([^()]*\b(?:runs|inbox|blobs)'|[fF]older\}\/runs|journal\.jsonl/;
    const finding = files.filter(({ path, text }) => !path.startsWith('engine/files/') && place.test(text));
    expect(finding.map(({ path }) => path)).toEqual(['git/notices.ts']);
  });

  it('runs git in one room only', () => {
    const calling = files.filter((file) => file.room !== 'git' && localImports(file).includes('git/run-git.ts'));
    expect(calling.map((file) => file.path)).toEqual([]);
  });

  it('starts programs in one room only', () => {
    const spawning = files.filter((file) => file.text.includes("'node:child_process'") && file.room !== 'process');
    // The scripted agent's child is itself the contained program; it plays an agent that runs commands.
    expect(spawning.map((file) => file.path)).toEqual(['agents/scripted-child.ts']);
  });

  it('knows workflows only in their folders and in the registry', () => {
    const folders = /from '\.\/([a-z-]+)\/definition\.ts'/g;
    const registry = files.find(({ path }) => path === 'workflows/registry.ts');
    const names = [...(registry?.text.matchAll(folders) ?? [])].map(([, name = '']) => name);
    expect(names.length).toBeGreaterThan(1);
    const wrong = names.flatMap((name) =>
      files
        .filter(({ path }) => path !== registry?.path && !path.startsWith(`workflows/${name}/`))
        .flatMap((file) =>
          [
            ...localImports(file).filter((target) => target.startsWith(`workflows/${name}/`)),
            ...[...file.text.matchAll(new RegExp(`(['"\`])${name}\\1`, 'g'))].map(([literal]) => literal),
          ].map((found) => `${file.path}: ${found}`),
        ),
    );
    expect(wrong.filter((found) => !meansSomethingElse.includes(found))).toEqual([]);
  });

  it('states the job of every file at its top', () => {
    expect(files.filter((file) => !/^(#!.*\n)?\/\*\*/.test(file.text)).map((file) => file.path)).toEqual([]);
  });
});

function roomOf(path: string): string {
  const [first = ''] = path.split('/');
  return first.endsWith('.ts') ? first.slice(0, -3) : first;
}

function importsOf(text: string): readonly string[] {
  return [...text.matchAll(/^(?:import|export)\b[^;]*?from '([^']+)'|\bimport\('([^']+)'\)/gms)].map(
    (match) => match[1] ?? match[2] ?? '',
  );
}

function loadedImportsOf(text: string): readonly string[] {
  return [...text.matchAll(/^(?:import|export)\b(?!\s+type\b)[^;]*?from '([^']+)'/gms)].map((match) => match[1] ?? '');
}

function localImports(file: SourceFile): string[] {
  return localPaths(file, file.imports);
}

function localPaths(file: SourceFile, imports: readonly string[]): string[] {
  return imports
    .filter((target) => target.startsWith('.'))
    .map((target) => relative(source, resolve(source, dirname(file.path), target)));
}

function findCycles(graph: ReadonlyMap<string, readonly string[]>): string[] {
  const state = new Map<string, 'open' | 'done'>();
  const cycles: string[] = [];
  const visit = (node: string, trail: readonly string[]): void => {
    if (state.get(node) === 'done') return;
    if (state.get(node) === 'open') {
      cycles.push([...trail.slice(trail.indexOf(node)), node].join(' → '));
      return;
    }
    state.set(node, 'open');
    for (const next of graph.get(node) ?? []) visit(next, [...trail, node]);
    state.set(node, 'done');
  };
  for (const node of graph.keys()) visit(node, []);
  return cycles;
}
