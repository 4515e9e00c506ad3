/**
 * Which entry of a script answers a job, and, when none does, which came near and why. Pure. A value in
 * `when` matches by equality first, so that a key may be written exactly even if it holds glob characters.
 */
import picomatch from 'picomatch';
import type { AgentJob } from './agent.ts';
import { type Script, type ScriptEntry, type WhenField, whenFields } from './script.ts';

/** The part of a job a script can look at. */
export type MatchedJob = Pick<AgentJob, 'run' | 'key' | 'role' | 'task' | 'attempt'>;

/** `used` tells by entry number which job took an entry. */
export function firstUnused(
  script: Script,
  face: MatchedJob,
  used: ReadonlyMap<number, string>,
): ScriptEntry | undefined {
  return script.entries.find(
    (entry) => (entry.repeat || !used.has(entry.number)) && mismatches(entry, face).length === 0,
  );
}

/** For a person who has to repair the script: where, what is missing, what came near, and what to do. */
export function explainExhausted(script: Script, face: MatchedJob, used: ReadonlyMap<number, string>): string {
  const task = face.task === undefined ? 'no task' : `task ${face.task}`;
  const job = `role ${face.role}, ${task}, attempt ${face.attempt} (key ${face.key})`;
  const near = script.entries
    .map((entry) => ({ entry, missed: mismatches(entry, face) }))
    .filter(({ missed }) => missed.length <= 1)
    .sort((a, b) => likeness(b.entry, face) - likeness(a.entry, face))
    .slice(0, nearShown)
    .map(({ entry, missed }) => {
      const field = missed[0];
      if (field !== undefined) return `entry ${entry.number} wants ${field} ${entry.when[field]}`;
      return `entry ${entry.number} was used by ${used.get(entry.number)}`;
    });
  const nearest = near.length === 0 ? '' : ` Near: ${near.join('; ')}.`;
  return `${script.source} has no unused entry for ${job}.${nearest} Add an entry for it, or let one serve again with repeat: true.`;
}

/** How far the key of an entry that names one goes along with the job's: the nearest are the ones to look at. */
function likeness({ when: { key = '' } }: ScriptEntry, face: MatchedJob): number {
  let same = 0;
  while (same < key.length && key[same] === face.key[same]) same += 1;
  return same;
}

const nearShown = 5;
/** Compiling a pattern costs more than everything else here, and most are plain names. */
const globCharacters = /[*?![\]{}()|+@\\]/;

function mismatches(entry: ScriptEntry, face: MatchedJob): readonly WhenField[] {
  return whenFields.filter((field) => {
    const pattern = entry.when[field];
    if (pattern === undefined) return false;
    const value = face[field];
    return value === undefined || !matches(pattern, String(value));
  });
}

function matches(pattern: string, value: string): boolean {
  if (pattern === value) return true;
  return globCharacters.test(pattern) && picomatch(pattern, { dot: true })(value);
}
