/**
 * Memory on disk: lessons of the project in `.forge/memory/*.md`, of the user in one directory for all projects. A run
 * adds lessons to its project alone; they reach the user's memory only when a person promotes them (change-memory.ts).
 * The program joins lessons into files and rewrites no line it does not have to. Trouble with a file or a directory is
 * reported and never ends a run: learning is a gift, not a duty. The project's directory comes with a repository,
 * so no link is followed there. Savers in several processes take turns.
 */
import { createHash } from 'node:crypto';
import { lstat, mkdir } from 'node:fs/promises';
import { dirname, isAbsolute, join } from 'node:path';
import { messageOf } from '../errors.ts';
import { whileLocked } from '../files/directory-lock.ts';
import { type Lesson, type LessonScope, type NewLesson, sameCategory, sameText, tidyLesson } from './lesson.ts';
import type { LessonConsent } from './lesson-consent.ts';
import { type LessonProblem, reviseLessons } from './lesson-file.ts';
import { applyLessons, mergeLessons, weighLessons } from './lessons.ts';
import { type MemoryFile, readMemory, writeMemory } from './memory-directory.ts';
import { recallLessons } from './recall.ts';

export interface MemoryPlaces {
  /** `.forge/memory` of the project. */
  readonly project: string;
  /** The user's own, if there is to be one. */
  readonly user: string | undefined;
  /** Which of the project's lessons may be used; all without it. */
  readonly consent?: LessonConsent | undefined;
}

export interface RecalledLessons {
  readonly lessons: readonly Lesson[];
  readonly problems: readonly LessonProblem[];
}

export interface SaveRequest {
  readonly lessons: readonly NewLesson[];
  /** Ids of lessons that a plan made use of. */
  readonly applied: readonly string[];
  /** Ids of lessons that a run showed to be right, or wrong. */
  readonly helped?: readonly string[];
  readonly contradicted?: readonly string[];
  /** YYYY-MM-DD. */
  readonly date: string;
}

export interface SavedLessons {
  /** Lessons new to the project, and those it knew. */
  readonly added: number;
  readonly merged: number;
  /** Files that were written. */
  readonly files: readonly string[];
  readonly problems: readonly LessonProblem[];
}

export interface ListedLessons extends RecalledLessons {
  /** Files that were read, whether or not they hold a lesson. */
  readonly files: readonly string[];
}

/** Of some lessons alone: what is left out takes no room from the rest. */
export interface RecallOnly {
  readonly categories?: readonly string[] | undefined;
  readonly scope?: LessonScope | undefined;
}

export interface Memory {
  /** Everything there is, as it stands in the files. */
  list(): Promise<ListedLessons>;
  /** Without the project's lessons that nobody on this machine agreed to, which are named as a problem. */
  usable(): Promise<RecalledLessons>;
  recall(query: string, limit: number, only?: RecallOnly): Promise<RecalledLessons>;
  save(request: SaveRequest): Promise<SavedLessons>;
}

/** What a prompt can spare for lessons. */
const recallChars = 4000;

export function openMemory(places: MemoryPlaces): Memory {
  const project: Place = { directory: places.project, scope: 'project' };
  const user: Place | undefined = places.user === undefined ? undefined : { directory: places.user, scope: 'user' };
  const all = user === undefined ? [project] : [project, user];
  const usable = async (of: readonly Place[]): Promise<RecalledLessons> =>
    withoutUnknown(await listPlaces(of), project.directory, places.consent);
  return {
    list: async () => listPlaces(all),
    usable: async () => usable(all),
    async recall(query, limit, { categories, scope } = {}) {
      const { lessons, problems } = await usable(all.filter((place) => scope === undefined || place.scope === scope));
      const wanted = categories?.map(sameCategory);
      const fitting = lessons.filter((lesson) => wanted?.includes(sameCategory(lesson.category)) ?? true);
      return { lessons: recallLessons(fitting, query, { limit, chars: recallChars }), problems };
    },
    async save(request) {
      const own = await saveInto(project, request);
      await places.consent?.agree(request.lessons.flatMap((lesson) => tidyLesson(lesson) ?? []));
      // What a project learns stays there; a lesson that a person promoted is weighed by every project that uses it.
      const others = user === undefined ? nothing : await saveInto(user, { ...request, lessons: [] });
      return {
        added: own.added,
        merged: own.merged,
        files: [...own.files, ...others.files],
        problems: [...own.problems, ...others.problems],
      };
    },
  };
}

/** `$XDG_DATA_HOME/forge/memory`, where a relative value counts as none, as the specification says. */
export function userMemory(env: Readonly<Record<string, string | undefined>>, home: string): string {
  const data = env['XDG_DATA_HOME'] ?? '';
  return join(isAbsolute(data) ? data : join(home, '.local/share'), 'forge/memory');
}

function withoutUnknown(
  { lessons, problems }: RecalledLessons,
  directory: string,
  consent: LessonConsent | undefined,
): RecalledLessons {
  if (consent === undefined) return { lessons, problems };
  const known = consent.known();
  const used = lessons.filter((lesson) => lesson.scope === 'user' || known(lesson));
  const count = lessons.length - used.length;
  if (count === 0) return { lessons, problems };
  const which = count === 1 ? '1 lesson was' : `${count} lessons were`;
  const problem = `${which} not learnt on this machine and not used. Read them with forge memory, then run forge trust.`;
  return { lessons: used, problems: [...problems, { source: directory, line: 0, problem }] };
}

interface Place {
  readonly directory: string;
  readonly scope: LessonScope;
}

const nothing: SavedLessons = { added: 0, merged: 0, files: [], problems: [] };

async function listPlaces(places: readonly Place[]): Promise<ListedLessons> {
  const read = await Promise.all(places.map(readPlace));
  return {
    lessons: read.flatMap(({ files }) => files.flatMap((file) => file.lessons)),
    files: read.flatMap(({ files }, at) => files.map(({ name }) => join(places[at]?.directory ?? '', name))),
    problems: read.flatMap(({ problems }) => problems),
  };
}

async function readPlace(place: Place): ReturnType<typeof readMemory> {
  const refused = await refuseLinkedMemory(place);
  return refused === undefined
    ? readMemory(place.directory, place.scope)
    : { files: [], taken: [], problems: [refused] };
}

/** A repository can bring `.forge` or `.forge/memory` as a link to anywhere; a user may link their own as they like. */
export async function refuseLinkedMemory({ directory, scope }: Place): Promise<LessonProblem | undefined> {
  if (scope === 'user') return undefined;
  for (const path of [dirname(directory), directory]) {
    const found = await lstat(path).catch(() => undefined);
    if (found !== undefined && !found.isDirectory()) {
      return { source: path, line: 0, problem: 'It is not a directory of its own, so no lessons are kept there.' };
    }
  }
  return undefined;
}

export async function saveInto(place: Place, request: SaveRequest): Promise<SavedLessons> {
  const lessons = request.lessons.flatMap((lesson) => tidyLesson(lesson) ?? []);
  const { applied, helped = [], contradicted = [] } = request;
  if ([lessons, applied, helped, contradicted].every((list) => list.length === 0)) return nothing;
  const refused = await refuseLinkedMemory(place);
  if (refused !== undefined) return { ...nothing, problems: [refused] };
  const { directory, scope } = place;
  try {
    if (lessons.length > 0) await mkdir(directory, { recursive: true, mode: scope === 'user' ? 0o700 : 0o777 });
    else if ((await lstat(directory).catch(() => undefined)) === undefined) return nothing;
    return await whileLocked(directory, () => rewrite(place, { ...request, lessons }));
  } catch (error) {
    return {
      ...nothing,
      problems: [{ source: directory, line: 0, problem: `It cannot be written: ${messageOf(error)}` }],
    };
  }
}

async function rewrite({ directory, scope }: Place, request: SaveRequest): Promise<SavedLessons> {
  const { lessons, applied, helped = [], contradicted = [], date } = request;
  const { files, taken, problems } = await readMemory(directory, scope);
  const weighed = (known: readonly Lesson[]) => weighLessons(applyLessons(known, applied), { helped, contradicted });
  const states = files.map((file) => ({ file, lessons: weighed(file.lessons), added: 0, merged: 0 }));
  for (const lesson of lessons) {
    let state = states[chooseFile(states, lesson)];
    if (state === undefined) {
      const name = freeName(lesson.category, [...taken, ...states.map(({ file }) => file.name)]);
      state = { file: { name, text: '', lessons: [], mode: undefined }, lessons: [], added: 0, merged: 0 };
      states.push(state);
    }
    const result = mergeLessons(state.lessons, [lesson], { date, scope });
    state.lessons = [...result.lessons];
    state.added += result.added.length;
    state.merged += result.merged.length;
  }
  const saved = { added: 0, merged: 0, files: [] as string[], problems: [...problems] };
  for (const state of states) {
    const failure = await writeIfChanged(directory, state, saved.files);
    if (failure !== undefined) saved.problems.push(failure);
    else {
      saved.added += state.added;
      saved.merged += state.merged;
    }
  }
  return saved;
}

interface FileState {
  readonly file: MemoryFile;
  lessons: readonly Lesson[];
}

/** The file that knows the lesson, or else one that has its category, or else the one of that name. */
function chooseFile(states: readonly FileState[], lesson: NewLesson): number {
  const text = sameText(lesson.text);
  const key = sameCategory(lesson.category);
  const name = `${fileName(lesson.category)}.md`;
  const places = [
    states.findIndex(({ lessons }) => lessons.some((each) => sameText(each.text) === text)),
    states.findIndex(({ lessons }) => lessons.some((each) => sameCategory(each.category) === key)),
    states.findIndex(({ file }) => file.name === name),
  ];
  return places.find((place) => place !== -1) ?? -1;
}

/** `testing.md`, or `testing-2.md` where something that is not a file of lessons has that name. */
function freeName(category: string, taken: readonly string[]): string {
  const base = fileName(category);
  const isTaken = (name: string) => taken.some((other) => other.toLowerCase() === name);
  let name = `${base}.md`;
  for (let count = 2; isTaken(name); count++) name = `${base}-${count}.md`;
  return name;
}

function fileName(category: string): string {
  const plain = sameCategory(category).normalize('NFKD').replace(/\p{M}/gu, '');
  const words = plain.match(/[a-z0-9]+/g);
  return words?.join('-') ?? `category-${createHash('sha256').update(plain).digest('hex').slice(0, 8)}`;
}

async function writeIfChanged(
  directory: string,
  { file, lessons }: FileState,
  written: string[],
): Promise<LessonProblem | undefined> {
  const text = reviseLessons(file.text, lessons);
  if (text === file.text) return undefined;
  const path = join(directory, file.name);
  try {
    await writeMemory(path, text, file.mode);
    written.push(path);
    return undefined;
  } catch (error) {
    return { source: path, line: 0, problem: `It cannot be written: ${messageOf(error)}` };
  }
}
