/**
 * What files expect of each other against what they offer, pair by pair. A name is missing only if every way it could
 * come (its own list, the modules it passes on) is known to the end; a call is wrong only if what it takes is certain.
 */
import { nearestWord } from '../../plan/task-id.ts';
import { judgeCall } from './judge-call.ts';
import { inheritedNames } from './known-names.ts';
import type { Exported, Shape, WantedMember } from './shape.ts';

export interface ShapePair {
  readonly importer: string;
  readonly exporter: string;
  readonly mismatches: readonly Mismatch[];
}

export interface Mismatch {
  /** Tells it from others of the pair, wherever in the file it stands. */
  readonly what: string;
  readonly line: number;
  readonly message: string;
}

export interface Surroundings {
  readonly shapes: ReadonlyMap<string, Shape>;
  /** The file that a specifier means to its importer; undefined where that is not certain. */
  resolve(importer: string, specifier: string): string | undefined;
  /** A package's modules are names of it. */
  hasSubmodule(file: string, name: string): boolean;
}

/** Nobody fixes more at a time, and a journal has to hold it. */
const mostOfPair = 50;

/** Only pairs of which something is certain. */
export function compareShapes(around: Surroundings): ShapePair[] {
  const touched = touchedFiles(around);
  const pairs = new Map<string, { importer: string; exporter: string; mismatches: Map<string, Mismatch> }>();
  const note = (importer: string, exporter: string, mismatch: Mismatch | undefined): void => {
    const key = JSON.stringify([importer, exporter]);
    const pair = pairs.get(key) ?? { importer, exporter, mismatches: new Map<string, Mismatch>() };
    pairs.set(key, pair);
    if (mismatch !== undefined && !pair.mismatches.has(mismatch.what)) pair.mismatches.set(mismatch.what, mismatch);
  };
  for (const [importer, { wants, calls }] of around.shapes) {
    const asked = new Set<string>();
    for (const want of wants) {
      const question = JSON.stringify([want.specifier, want.name, want.access]);
      if (asked.has(question)) continue;
      asked.add(question);
      const exporter = target(around, importer, want);
      const shape = exporter === undefined ? undefined : around.shapes.get(exporter);
      if (exporter === undefined || exporter === importer || shape === undefined) continue;
      const found = answer(around, touched, { want, exporter, shape });
      if (found === 'missing') note(importer, exporter, missing(want, exporter, offered(around, exporter)));
      else if (found !== 'unknown') note(importer, exporter, undefined);
    }
    for (const call of calls) {
      const exporter = target(around, importer, call);
      const shape = exporter === undefined ? undefined : around.shapes.get(exporter);
      if (exporter === undefined || exporter === importer || shape === undefined) continue;
      const found = answer(around, touched, { want: call, exporter, shape });
      const problem = typeof found === 'string' || found.takes === undefined ? undefined : judgeCall(found.takes, call);
      if (problem === undefined) continue;
      const shown = call.name === 'default' ? 'the default export' : `"${call.name}"`;
      const passed = [`${call.positional}`, ...call.named.map((name) => `${name}=`)].join(', ');
      note(importer, exporter, {
        what: `${call.name}(${passed})`,
        line: call.line,
        message: `${shown} of ${exporter} ${problem}`,
      });
    }
  }
  return [...pairs.values()].map((pair) => ({
    ...pair,
    mismatches: [...pair.mismatches.values()].slice(0, mostOfPair),
  }));
}

/** Files that others add names to. */
function touchedFiles(around: Surroundings): ReadonlySet<string> {
  const found = new Set<string>();
  for (const [importer, { touches }] of around.shapes) {
    for (const specifier of touches) {
      const file = around.resolve(importer, specifier);
      if (file !== undefined) found.add(file);
    }
  }
  return found;
}

function target(around: Surroundings, importer: string, { specifier, unless }: WantedMember): string | undefined {
  if (unless !== undefined) {
    const other = around.resolve(importer, unless.specifier);
    const shape = other === undefined ? undefined : around.shapes.get(other);
    // What the package itself calls by that name is not its module.
    if (other !== undefined && (shape === undefined || shape.open || shape.stars.length > 0)) return undefined;
    if (shape?.exports.has(unless.name) === true) return undefined;
  }
  return around.resolve(importer, specifier);
}

type Answer = Exported | 'missing' | 'unknown';

function answer(
  around: Surroundings,
  touched: ReadonlySet<string>,
  { want, exporter, shape }: { readonly want: WantedMember; readonly exporter: string; readonly shape: Shape },
): Answer {
  const { name, access } = want;
  if (shape.kind === 'python' && /^__\w+__$/.test(name)) return 'unknown';
  if (shape.kind === 'cjs') {
    if (name === 'default') return shape.exports.get(name) ?? 'unknown';
    if (name === '__esModule' || name === 'module.exports' || inheritedNames.has(name)) return 'unknown';
  }
  if (shape.kind === 'es') {
    // What a default import has as members is a matter of its value; `require` may give either.
    if (access === 'default' || name === '__esModule') return 'unknown';
    if (access === 'require' && shape.exports.has('default')) return 'unknown';
  }
  return lookup(around, touched, { file: exporter, name, seen: new Set() });
}

function lookup(
  around: Surroundings,
  touched: ReadonlySet<string>,
  { file, name, seen }: { readonly file: string; readonly name: string; readonly seen: Set<string> },
): Answer {
  if (seen.has(file)) return 'missing';
  seen.add(file);
  const shape = around.shapes.get(file);
  if (shape === undefined) return 'unknown';
  const own = shape.exports.get(name);
  if (own !== undefined) return own.from === undefined ? own : passedOn(around, touched, { own, file, seen });
  if (shape.kind === 'python' && around.hasSubmodule(file, name)) return 'unknown';
  let found: Answer = shape.open || touched.has(file) ? 'unknown' : 'missing';
  // A star never brings the default.
  for (const star of shape.kind === 'es' && name === 'default' ? [] : shape.stars) {
    const from = around.resolve(file, star);
    const passed: Answer = from === undefined ? 'unknown' : lookup(around, touched, { file: from, name, seen });
    if (typeof passed !== 'string' && passed.hidden !== true) return passed;
    if (passed === 'unknown') found = 'unknown';
  }
  return found;
}

/** That it passes on what is not there is said of the file that does, once. */
function passedOn(
  around: Surroundings,
  touched: ReadonlySet<string>,
  { own, file, seen }: { readonly own: Exported; readonly file: string; readonly seen: Set<string> },
): Exported {
  const from = own.from === undefined ? undefined : around.resolve(file, own.from.specifier);
  if (own.from === undefined || from === undefined || own.from.name === '*') return own;
  const found = lookup(around, touched, { file: from, name: own.from.name, seen });
  return typeof found === 'string' ? own : { ...own, takes: found.takes };
}

const maxKnown = 500;

/** The names that an exporter has, its own and those it passes on. */
function offered(around: Surroundings, exporter: string): string[] {
  const names = new Set<string>();
  const seen = new Set<string>();
  const stack = [exporter];
  for (let file = stack.pop(); file !== undefined && names.size < maxKnown; file = stack.pop()) {
    const shape = seen.has(file) ? undefined : around.shapes.get(file);
    seen.add(file);
    for (const [name, { hidden }] of shape?.exports ?? []) if (file === exporter || hidden !== true) names.add(name);
    for (const star of shape?.stars ?? []) {
      const from = around.resolve(file, star);
      if (from !== undefined) stack.push(from);
    }
  }
  return [...names].slice(0, maxKnown);
}

function missing({ name, line }: WantedMember, exporter: string, known: readonly string[]): Mismatch {
  const near = nearestWord(
    name.slice(0, 64),
    known.filter((each) => each.length <= 64),
  );
  const shown =
    name === 'default' ? `${exporter} has no default export` : `${exporter} does not export "${name.slice(0, 200)}"`;
  const hint =
    near !== undefined
      ? `; did you mean "${near}"?`
      : known.length === 0
        ? '; it exports nothing'
        : `; it exports ${known.slice(0, 8).join(', ')}${known.length > 8 ? ', …' : ''}`;
  return { what: name, line, message: shown + hint };
}
