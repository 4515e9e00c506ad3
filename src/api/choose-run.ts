/**
 * Which run a person means: its name, the beginning of its name, or nothing at all where only one comes into question.
 * Pure.
 */
import type { RunListing } from '../engine/engine.ts';
import { ForgeError } from '../errors.ts';
import { nearestWord } from '../plan/task-id.ts';

export interface Wanted {
  /** A name or the beginning of one; undefined: the only candidate. */
  readonly run: string | undefined;
  /** Which runs come into question when none is named, in words and as a test. */
  readonly what: string;
  readonly fits: (listing: RunListing) => boolean;
}

export function chooseRun(listings: readonly RunListing[], wanted: Wanted): RunListing {
  return wanted.run === undefined ? onlyOne(listings, wanted) : named(listings, wanted.run);
}

/** Nobody is at work on it, and it is not over. */
export function isResumable({ status }: RunListing): boolean {
  return ['interrupted', 'paused', 'waiting', 'limited', 'stopped'].includes(status);
}

/** Something happened in it within a day: a person may still have it in mind. What is older is named, not asked about. */
export function isRecent({ state }: RunListing, now: number): boolean {
  return state !== undefined && now - Date.parse(state.updatedAt) < 86_400_000;
}

/** A process is at work on it. */
export function isHeld({ status }: RunListing): boolean {
  return status === 'running' || status === 'created';
}

export function isFinished({ status }: RunListing): boolean {
  return status === 'done' || status === 'failed' || status === 'cancelled';
}

/** Everything that completes a run of `waves` is a fact, and only its last line is missing: nothing is left to ask or do. */
export function lacksOnlyItsEnd({ status, state }: RunListing): boolean {
  if (status !== 'interrupted' || state?.created?.workflow !== 'waves') return false;
  const { created, effects } = state;
  if ([...effects.values()].some(({ result }) => result === undefined)) return false;
  const final = effects.get('final')?.result?.output as { commit?: unknown } | undefined;
  return effects.get('publish')?.result !== undefined || final?.commit === created.base;
}

export function openQuestions({ state }: RunListing): readonly string[] {
  if (state === undefined || ['done', 'failed', 'cancelled'].includes(state.status)) return [];
  return [...state.questions].filter(([, record]) => record.answer === undefined).map(([key]) => key);
}

function named(listings: readonly RunListing[], run: string): RunListing {
  const exact = listings.find((listing) => listing.run === run);
  if (exact !== undefined) return exact;
  const [first, ...more] = run === '' ? [] : listings.filter((listing) => listing.run.startsWith(run));
  if (first !== undefined && more.length === 0) return first;
  if (first !== undefined) {
    throw new ForgeError('bad-input', `${JSON.stringify(run)} is the beginning of ${more.length + 1} runs`, {
      hint: `Say more of it: ${[first, ...more].map((listing) => listing.run).join(', ')}`,
    });
  }
  const names = listings.map((listing) => listing.run);
  const meant = nearestWord(run, names);
  throw new ForgeError('unknown-run', `There is no run ${JSON.stringify(run)}`, {
    hint: meant === undefined ? known(names) : `Did you mean ${meant}?`,
  });
}

function onlyOne(listings: readonly RunListing[], { what, fits }: Wanted): RunListing {
  const [first, ...more] = listings.filter(fits);
  if (first !== undefined && more.length === 0) return first;
  if (first === undefined) {
    throw new ForgeError('unknown-run', `There is no run ${what}`, { hint: known(listings.map(({ run }) => run)) });
  }
  throw new ForgeError('bad-input', `There are ${more.length + 1} runs ${several(what)}`, {
    hint: `Name one: ${[first, ...more].map((listing) => listing.run).join(', ')}`,
  });
}

/** The same of more than one. */
function several(what: string): string {
  return what.replace(/^that is\b/, 'that are').replace(/^that asks\b/, 'that ask');
}

function known(names: readonly string[]): string {
  return names.length === 0 ? 'Start one with forge run "<requirement>".' : `Known runs: ${names.join(', ')}.`;
}
