/**
 * The scripts of one page against each other: a global that a script needs while it loads must have been defined by
 * then, and a member that is read of a global must be one it has. Said only of globals that scripts of the project
 * define, and of members only where every script that could add one was read.
 */
import { browserNames, inheritedNames, libraryNames } from './known-names.ts';
import { nearestWord } from '../../plan/task-id.ts';
import type { MemberRead, ScriptGlobals } from './script-globals.ts';

export interface LoadedScript {
  readonly path: string | undefined;
  readonly apart: boolean;
  readonly foreign: boolean;
  /** Undefined for a script that was not read. */
  readonly globals: ScriptGlobals | undefined;
}

export interface PageMismatch {
  readonly importer: string;
  readonly exporter: string;
  readonly what: string;
  readonly line: number;
  readonly message: string;
}

export interface PageVerdict {
  readonly mismatches: readonly PageMismatch[];
  /** Scripts that fit: who uses what who defines. */
  readonly fits: readonly { readonly importer: string; readonly exporter: string }[];
}

export function checkPage(page: string, scripts: readonly LoadedScript[]): PageVerdict {
  const mismatches: PageMismatch[] = [];
  const fits: { importer: string; exporter: string }[] = [];
  const definers = definersOf(scripts);
  const isMysterious = scripts.some(({ globals, foreign }) => globals === undefined && !foreign);
  const members = knownMembers(scripts, definers);
  scripts.forEach(({ path, apart, globals }, place) => {
    if (path === undefined || globals === undefined) return;
    for (const [name, line] of apart ? [] : globals.needs) {
      const makers = definers.get(name) ?? [];
      if (browserNames.has(name)) continue;
      const isInTime = makers.some((maker) => maker <= place || scripts[maker]?.apart === true);
      const maker = makers.find((each) => scripts[each]?.path !== path);
      const exporter = scripts[maker ?? -1]?.path;
      if (isInTime) {
        if (exporter !== undefined) fits.push({ importer: path, exporter });
      } else if (makers.length === 0) {
        const near = scripts.some((script) => script.globals === undefined) ? undefined : likely(name, definers);
        const at = near === undefined ? undefined : scripts[definers.get(near)?.[0] ?? -1]?.path;
        if (at !== undefined)
          mismatches.push({
            importer: path,
            exporter: at,
            what: `${name} in ${page}`,
            line,
            message: `no script of ${page} defines "${name}"; did you mean "${near}" of ${at}?`,
          });
      } else if (exporter !== undefined && !isMysterious && isOurs(name, scripts, makers)) {
        mismatches.push({
          importer: path,
          exporter,
          what: `${name} in ${page}`,
          line,
          message: `needs "${name}" while it loads, but ${page} loads ${exporter}, which defines it, only later`,
        });
      }
    }
    if (isMysterious) return;
    for (const read of untested(globals.reads)) {
      const known = members.get(read.global);
      const exporter = known === undefined ? undefined : scripts[known.maker]?.path;
      if (known === undefined || exporter === undefined || exporter === path) continue;
      if (known.names.has(read.member) || inheritedNames.has(read.member)) fits.push({ importer: path, exporter });
      else mismatches.push(withoutMember(read, { page, importer: path, exporter, names: known.names }));
    }
  });
  return { mismatches, fits };
}

function definersOf(scripts: readonly LoadedScript[]): ReadonlyMap<string, number[]> {
  const found = new Map<string, number[]>();
  scripts.forEach(({ globals }, place) => {
    for (const name of globals?.defines.keys() ?? []) found.set(name, [...(found.get(name) ?? []), place]);
  });
  return found;
}

/** A library from elsewhere may have made a name that a later script of ours takes over. */
function isOurs(name: string, scripts: readonly LoadedScript[], makers: readonly number[]): boolean {
  const isCertain = makers.some((maker) => scripts[maker]?.globals?.defines.get(name)?.certain === true);
  return isCertain && !(scripts.some(({ foreign }) => foreign) && (name.length <= 2 || libraryNames.has(name)));
}

/** A name that differs from one of ours only in case or underscores. */
function likely(name: string, definers: ReadonlyMap<string, number[]>): string | undefined {
  if (name.length < 4 || libraryNames.has(name)) return undefined;
  const plain = (word: string): string => word.toLowerCase().replaceAll('_', '');
  return [...definers.keys()].find((each) => each !== name && plain(each) === plain(name));
}

interface KnownMembers {
  readonly maker: number;
  readonly names: ReadonlySet<string>;
}

/** Globals all of whose members are certain, whoever sets them. */
function knownMembers(
  scripts: readonly LoadedScript[],
  definers: ReadonlyMap<string, readonly number[]>,
): ReadonlyMap<string, KnownMembers> {
  const handed = new Set(scripts.flatMap(({ globals }) => [...(globals?.handed ?? [])]));
  const set = new Map<string, string[]>();
  for (const { globals } of scripts)
    for (const { global, member } of globals?.sets ?? []) {
      const known = set.get(global);
      if (known === undefined) set.set(global, [member]);
      else known.push(member);
    }
  const found = new Map<string, KnownMembers>();
  for (const [name, makers] of definers) {
    if (handed.has(name) || browserNames.has(name) || libraryNames.has(name)) continue;
    const all = makers.map((maker) => scripts[maker]?.globals?.defines.get(name));
    if (all.some((definition) => definition?.members === undefined || !definition.certain)) continue;
    const names = new Set([...all.flatMap((definition) => [...(definition?.members ?? [])]), ...(set.get(name) ?? [])]);
    found.set(name, { maker: makers[0] ?? 0, names });
  }
  return found;
}

/** The first read of each member, unless the script asks whether it is there. */
function untested(reads: readonly MemberRead[]): MemberRead[] {
  const first = new Map<string, MemberRead>();
  const tested = new Set<string>();
  for (const read of reads) {
    const key = `${read.global}.${read.member}`;
    if (read.use === 'tested' || read.use === 'written') tested.add(key);
    if (!first.has(key)) first.set(key, read);
  }
  return [...first].filter(([key]) => !tested.has(key)).map(([, read]) => read);
}

function withoutMember(
  { global, member, line }: MemberRead,
  about: {
    readonly page: string;
    readonly importer: string;
    readonly exporter: string;
    readonly names: ReadonlySet<string>;
  },
): PageMismatch {
  const { page, importer, exporter, names } = about;
  const near = nearestWord(
    member.slice(0, 64),
    [...names].slice(0, 500).filter((each) => each.length <= 64),
  );
  const hint = near === undefined ? '' : `; did you mean "${near}"?`;
  const what = `${global}.${member} in ${page}`;
  return { importer, exporter, what, line, message: `"${global}" of ${exporter} has no "${member}"${hint}` };
}
