/**
 * A repository in memory and everything a run of `design` may ask of it: commits, merges, documents and checks behave as they
 * do in a real one, only without git and processes. A test file holds one test per line (`src/a.js has x & src/b.js has y ::
 * its name`), so what checks report is computed from what agents really wrote. Agents do what the script says for their key.
 */
import { createHash } from 'node:crypto';
import { checkPlan } from '../../../src/delivery/check-plan.ts';
import { memoryTree, subtreeOf } from '../../../src/design/memory-tree.ts';
import { readDesign } from '../../../src/design/read-design.ts';
import { notesRead } from '../../../src/effects/notes-read.ts';
import type { EffectKind, EffectOutput } from '../../../src/engine/effect-map.ts';
import type { EffectContext, Performers } from '../../../src/engine/performer.ts';
import { isPathCovered } from '../../../src/plan/coverage.ts';
import { namesRequirement } from '../../../src/policy/traced-test.ts';
import { base } from '../../engine/support.ts';
import { type AgentAct, actFor, type Script } from './scripted-agents.ts';

type Tree = ReadonlyMap<string, string>;
type Input = Readonly<Record<string, unknown>>;

export interface World {
  readonly performers: Partial<Performers>;
  readonly head: () => string;
  readonly files: (commit?: string) => Readonly<Record<string, string>>;
  /** Subjects of the commits that the integration head holds, newest first. */
  readonly log: () => readonly string[];
  readonly tags: Map<string, string>;
  /** Lays files over the integration head, as somebody else's merge would. */
  readonly push: (files: Readonly<Record<string, string | null>>, subject: string) => void;
  /** What each agent was told, by the key of its work. */
  readonly briefs: Map<string, string>;
  readonly tiers: Map<string, string | undefined>;
}

export function makeWorld(
  files: Readonly<Record<string, string>>,
  script: Script,
  old?: { readonly commit: string; readonly files: Readonly<Record<string, string>> },
): World {
  const commits = new Map<string, { readonly tree: Tree; readonly parent: string; readonly subject: string }>();
  commits.set(base, { tree: new Map(Object.entries(files)), parent: '', subject: 'first' });
  if (old !== undefined)
    commits.set(old.commit, { tree: new Map(Object.entries(old.files)), parent: '', subject: 'old' });
  let head = base;
  let count = 0;
  const tags = new Map<string, string>();
  const briefs = new Map<string, string>();
  const tiers = new Map<string, string | undefined>();
  const played = new Map<string, number>();
  const treeOf = (commit: string): Tree => commits.get(commit)?.tree ?? missing(commit);
  const commit = (tree: Tree, parent: string, subject: string): string => {
    const known = treeOf(parent);
    if (sameTree(known, tree)) return parent;
    count += 1;
    const id = createHash('sha1').update(`${parent} ${subject} ${count}`).digest('hex');
    commits.set(id, { tree, parent, subject });
    return id;
  };
  const changed = (from: string, to: string) => changesBetween(treeOf(from), treeOf(to));
  const land = (id: string, before: string): boolean => {
    if (before !== head) return false;
    head = id;
    return true;
  };
  const acts: { [K in EffectKind]?: (input: Input, context: EffectContext) => EffectOutput<K> } = {
    'integration.read': (_input, { snapshot }) => ({ commit: head, judge: snapshot.judge ?? base }),
    'sources.read': ({ commit: at, paths, chars }) =>
      readSources(treeOf(at as string), paths as string[], chars as number),
    'agent.run': (input, { key }) => {
      briefs.set(key, input['prompt'] as string);
      tiers.set(key, input['tier'] as string | undefined);
      const from = input['commit'] as string;
      const act = actFor(script, { key, role: input['role'] as string, played, brief: input['prompt'] as string });
      if (act.pushes !== undefined) head = commit(overlay(treeOf(head), act.pushes), head, 'somebody else');
      const tree = input['access'] === 'read' ? treeOf(from) : overlay(treeOf(from), act.files ?? {});
      return agentEnd(act, commit(tree, from, `work ${key}`));
    },
    'changes.confine': ({ from, commit: to, writes, forbids }) => {
      const isAllowed = (path: string): boolean =>
        (writes === undefined || isPathCovered(writes as string[], path)) && !isPathCovered(forbids as string[], path);
      const all = changed(from as string, to as string);
      const restored = all.filter(({ path }) => !isAllowed(path));
      const before = treeOf(from as string);
      const back = Object.fromEntries(restored.map(({ path }) => [path, before.get(path) ?? null]));
      const id =
        restored.length === 0
          ? (to as string)
          : commit(overlay(treeOf(to as string), back), from as string, 'confined');
      return { commit: id, changes: all.filter(({ path }) => isAllowed(path)), restored };
    },
    'check.run': ({ commit: at, judge, source, entries }) =>
      checkReport(treeOf(at as string), { commit: at, judge, source, entries } as never),
    'evidence.measure': () => ({ redGreen: [], findings: [] }),
    'diff.read': ({ from, to }) => ({
      text: changed(from as string, to as string)
        .map(({ path }) => path)
        .join('\n'),
      cut: false,
    }),
    'tests.trace': ({ commit: at, all }) => ({ tests: tracedTests(treeOf(at as string), all as string[]), unread: [] }),
    'delivery.check': ({ commit: at, since, planDir, designDir, gate }) => {
      const tree = memoryTree(treeOf(at as string));
      const touched =
        since === undefined ? undefined : new Set(changed(since as string, at as string).map(({ path }) => path));
      const { issues } = checkPlan({
        gate: gate as 'execute',
        plan: subtreeOf(tree, planDir as string),
        planDir: planDir as string,
        source: gate === 'plan' ? undefined : tree,
        planInSource: planDir as string,
        design: designDir === undefined ? undefined : readDesign(tree, designDir as string).design,
        git: undefined,
        now: 0,
      });
      return {
        issues: issues
          .filter(({ scope, file }) => scope !== 'source' || touched === undefined || touched.has(file))
          // Lines of the scripted tests are no JavaScript.
          .filter(({ scope, file }) => scope !== 'source' || /SOFT/.test(treeOf(at as string).get(file) ?? ''))
          .map((issue) => ({ ...issue })),
      };
    },
    'documents.prepare': ({ message, files: given }) => {
      const tree = new Map(treeOf(head));
      for (const { path, text, append } of given as { path: string; text?: string; append?: string }[]) {
        if (text !== undefined) tree.set(path, text);
        else if (append !== undefined) tree.set(path, `${tree.get(path) ?? ''}${append}`);
        else tree.delete(path);
      }
      const id = commit(tree, head, message as string);
      return id === head ? { status: 'empty', before: head } : { status: 'ready', commit: id, before: head };
    },
    'documents.land': ({ commit: id, before }) =>
      land(id as string, before as string) ? { status: 'landed', commit: id as string } : { status: 'stale', head },
    'merge.prepare': ({ base: from, commit: to, title, apart }, { snapshot }) => {
      const [was, is, now] = [treeOf(from as string), treeOf(to as string), treeOf(head)];
      const mine = changesBetween(was, is);
      if (mine.length === 0) return { status: 'empty', before: head };
      const conflicts = mine.filter(({ path }) => now.get(path) !== was.get(path) && now.get(path) !== is.get(path));
      if (conflicts.length > 0) return { status: 'conflict', before: head, files: conflicts.map(({ path }) => path) };
      const whole = overlay(now, Object.fromEntries(mine.map(({ path }) => [path, is.get(path) ?? null])));
      const part = apart as { title: string; paths: readonly string[] } | undefined;
      const back = part === undefined ? [] : mine.filter(({ path }) => isPathCovered(part.paths, path));
      const rest = overlay(whole, Object.fromEntries(back.map(({ path }) => [path, now.get(path) ?? null])));
      const below = back.length === 0 ? head : commit(rest, head, title as string);
      const id = commit(whole, below, back.length === 0 ? (title as string) : (part?.title ?? ''));
      if (id === head) return { status: 'empty', before: head };
      const changes = changesBetween(now, treeOf(id));
      const judge = snapshot.judge ?? base;
      return { status: 'ready', commit: id, before: head, changes, judge, ...(below === head ? {} : { below }) };
    },
    'merge.land': (input, { snapshot }) => {
      if (snapshot.unproven !== undefined) throw new Error(snapshot.unproven);
      const {
        task,
        commit: id,
        before,
        base: from,
        source,
        declared,
        changed: files_,
        flags,
        leftBehind,
        checks,
      } = input;
      if (!land(id as string, before as string)) return { status: 'stale', head };
      const receipt = {
        task,
        base: from,
        source,
        before,
        after: id,
        declared,
        changed: files_,
        flags,
        leftBehind,
        checks,
      };
      return { status: 'merged', receipt: receipt as never };
    },
    'branch.publish': ({ commit: id }) => ({ ref: 'refs/heads/forge/r1', after: id as string }),
    'tag.create': ({ name, commit: id }) => {
      tags.set(name as string, id as string);
      return { status: 'created' };
    },
    'workspace.offer': () => ({ path: '/offered' }),
    'workspace.take': ({ commit: from }, { key }) => {
      const act = actFor(script, { key, role: 'person', played, brief: '' });
      const id = commit(overlay(treeOf(from as string), act.files ?? {}), from as string, 'edited');
      return { commit: id, changes: changed(from as string, id) };
    },
    'workspace.drop': () => ({ dropped: true, reason: '' }),
    'forecast.make': () => ({ text: '', limits: '', soft: [] }),
  };
  const performers = Object.fromEntries(
    Object.entries(acts).map(([kind, act]) => [
      kind,
      {
        perform: async (input: Input, context: EffectContext) =>
          (act as (i: Input, c: EffectContext) => unknown)(input, context),
      },
    ]),
  );
  return {
    performers: { ...performers, 'notes.read': notesRead() },
    head: () => head,
    files: (at = head) => Object.fromEntries(treeOf(at)),
    log: () => {
      const subjects: string[] = [];
      for (let at = head; at !== base; at = commits.get(at)?.parent ?? base)
        subjects.push(commits.get(at)?.subject ?? '');
      return subjects;
    },
    tags,
    push: (given, subject) => {
      head = commit(overlay(treeOf(head), given), head, subject);
    },
    briefs,
    tiers,
  };
}

function missing(commit: string): never {
  throw new Error(`there is no commit ${commit}`);
}

function overlay(tree: Tree, files: Readonly<Record<string, string | null>>): Tree {
  const next = new Map(tree);
  for (const [path, text] of Object.entries(files)) {
    if (text === null) next.delete(path);
    else next.set(path, text);
  }
  return next;
}

function sameTree(a: Tree, b: Tree): boolean {
  return a.size === b.size && [...a].every(([path, text]) => b.get(path) === text);
}

function changesBetween(before: Tree, after: Tree) {
  const paths = [...new Set([...before.keys(), ...after.keys()])].filter(
    (path) => before.get(path) !== after.get(path),
  );
  return paths.toSorted().map((path) => ({
    path,
    status: !before.has(path) ? ('added' as const) : after.has(path) ? ('modified' as const) : ('deleted' as const),
  }));
}

function readSources(tree: Tree, paths: readonly string[], chars: number): EffectOutput<'sources.read'> {
  const found = [...tree].filter(([path]) => paths.length > 0 && isPathCovered(paths, path));
  let left = chars;
  const files = found.flatMap(([path, text]) => {
    if (left < text.length) return [];
    left -= text.length;
    return [{ path, text, cut: false }];
  });
  const read = new Set(files.map(({ path }) => path));
  return { files, omitted: found.map(([path]) => path).filter((path) => !read.has(path)) };
}

function agentEnd(act: AgentAct, commit: string): EffectOutput<'agent.run'> {
  const ended = { usage: { inputTokens: 0, outputTokens: 0, costUsd: 0, turns: 0 }, durationMs: 1 };
  const outcome =
    act.trouble === undefined
      ? { status: 'replied' as const, reply: act.reply, ...ended }
      : { status: 'trouble' as const, trouble: { code: act.trouble, message: 'it broke' }, ...ended };
  return { outcome, commit, changes: [], leftBehind: [], agentCommits: [], notes: [] };
}

interface FoundTest {
  readonly file: string;
  readonly line: number;
  readonly name: string;
  readonly asserted: readonly string[];
}

function testsIn(tree: Tree): readonly FoundTest[] {
  return [...tree]
    .filter(([path]) => path.endsWith('.test.js'))
    .flatMap(([file, text]) =>
      text.split('\n').flatMap((row, at) => {
        const [asserted = '', name] = row.split(' :: ');
        return name === undefined
          ? []
          : [{ file, line: at + 1, name: name.trim(), asserted: asserted.split(' & ').filter(Boolean) }];
      }),
    );
}

function passes(tree: Tree, { asserted }: FoundTest): boolean {
  return asserted.every((each) => {
    const [file = '', text = ''] = each.split(' has ');
    return (tree.get(file.trim()) ?? '').includes(text.trim());
  });
}

function tracedTests(tree: Tree, all: readonly string[]) {
  return testsIn(tree)
    .filter(({ file, name }) => namesRequirement(name) || isPathCovered(all, file))
    .map(({ file, line, name, asserted }) => ({
      name,
      leaf: name,
      file,
      line,
      assertions: asserted.length,
      isSkipped: false,
    }));
}

function checkReport(
  tree: Tree,
  asked: {
    readonly commit: string;
    readonly judge: string;
    readonly source: 'plan';
    readonly entries: readonly unknown[];
  },
): EffectOutput<'check.run'> {
  const isLint = asked.entries.length > 0 && asked.entries.every((entry) => JSON.stringify(entry).includes('lint'));
  const found = testsIn(tree);
  const failing = found.filter((test) => !passes(tree, test)).map(({ name }) => name);
  const passing = found.filter((test) => passes(tree, test)).map(({ name }) => name);
  const dirty = [...tree]
    .filter(([path, text]) => path.startsWith('src/') && text.includes('LINT'))
    .map(([path]) => path);
  const bad = isLint ? dirty : failing;
  const status = bad.length === 0 ? ('passed' as const) : ('failed' as const);
  const label = isLint ? 'node lint.mjs' : 'node --test';
  return {
    commit: asked.commit,
    tree: createHash('sha1')
      .update(JSON.stringify([...tree].toSorted(([a], [b]) => (a < b ? -1 : 1))))
      .digest('hex'),
    judge: asked.judge,
    source: asked.source,
    status,
    commands: [
      {
        argv: label.split(' '),
        label,
        cwd: '.',
        exit: bad.length === 0 ? 0 : 1,
        status,
        reason: bad.length === 0 ? 'exit 0' : `exit 1: ${bad.join(', ')}`,
        durationMs: 1,
        ...(isLint ? {} : { counts: { passed: passing.length, failed: failing.length, skipped: 0, failing, passing } }),
        reader: 'tap',
        newFailures: isLint ? [] : failing,
        output: bad.join('\n') || 'ok',
        cached: false,
      },
    ],
    checkChanged: [],
  };
}
