/**
 * A recording: a run's agent work as a script for the scripted agent, with what is needed to have the run again: where it
 * began, what it was asked, what people answered, the settings in force and the tree it came to. One file of YAML that
 * stands for itself; whatever is in one that comes from elsewhere is untrusted and checked here.
 */
import { existsSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { isDeepStrictEqual } from 'node:util';
import { stringify } from 'yaml';
import { asJson } from '../engine/json-value.ts';
import { readYaml, yamlProblem } from '../plan/read-yaml.ts';
import { z } from 'zod';
import { explainSchema } from '../plan/explain-schema.ts';
import { ForgeError, messageOf } from '../errors.ts';

const id = z.string().regex(/^[0-9a-f]{40}([0-9a-f]{24})?$/, 'a full id');

/** A tree as it should be: by its id, and by what sets it apart from the base, for those who have not got the tree. */
export const expectedSchema = z.strictObject({
  tree: id,
  changed: z.array(z.strictObject({ path: z.string(), mode: z.string(), id })),
  /** Paths whose content was not recorded as it was, because it held secrets. */
  redacted: z.array(z.string()).default([]),
});
export type Expected = z.infer<typeof expectedSchema>;

const recordingSchema = z.strictObject({
  recording: z.literal(1),
  forge: z.string(),
  run: z.string(),
  workflow: z.string(),
  workflowVersion: z.number().int(),
  base: id,
  input: z.looseObject({ requirement: z.string() }),
  settings: z.record(z.string(), z.json()),
  answers: z.array(z.strictObject({ key: z.string(), option: z.string().optional(), text: z.string().optional() })),
  result: expectedSchema.extend({ status: z.string(), reason: z.string().default('') }),
  /** The script; what an entry may be is the scripted agent's business. */
  entries: z.array(z.record(z.string(), z.unknown())),
});
export type Recording = z.infer<typeof recordingSchema>;

const mostBytes = 512 * 1024 * 1024;

export function readRecording(file: string): Recording {
  const data = parse(file, readText(file));
  const parsed = recordingSchema.safeParse(data);
  if (parsed.success) return parsed.data;
  const [first] = explainSchema(parsed.error.issues, data);
  const newer = (data as { recording?: unknown } | null)?.recording;
  if (typeof newer === 'number' && newer > 1)
    throw recordingError(file, `it was made by a newer Forge (recording ${newer})`, 'Use that version of Forge.');
  throw recordingError(file, `${first?.where ?? 'it'}: ${first?.problem ?? 'it does not fit'}`);
}

/** Where a file is already, it is written over only if it is a recording. */
export function writeRecording(file: string, recording: Recording): void {
  if (existsSync(file) && !isRecording(file)) {
    throw new ForgeError('bad-input', `${file} already exists and is not a recording`, { hint: 'Name another file.' });
  }
  try {
    writeFileSync(file, recordingText(recording));
  } catch (error) {
    throw new ForgeError('bad-input', `The recording cannot be written: ${messageOf(error)}`);
  }
}

/** YAML that reads back as what it was; JSON, which is YAML too, where a text would not survive. */
export function recordingText(recording: Recording): string {
  const head = `# What agents did in the run ${recording.run}. Play it again: forge rehearse <this file>\n`;
  const text = `${head}${stringify(recording, { lineWidth: 0, aliasDuplicateObjects: false })}`;
  return isDeepStrictEqual(parse('', text), asJson(recording)) ? text : `${JSON.stringify(recording, null, 1)}\n`;
}

function isRecording(file: string): boolean {
  try {
    readRecording(file);
    return true;
  } catch {
    return false;
  }
}

function readText(file: string): string {
  try {
    if (statSync(file).size > mostBytes) throw new Error('it is too large');
    return readFileSync(file, 'utf8');
  } catch (error) {
    throw recordingError(file, messageOf(error));
  }
}

function parse(file: string, text: string): unknown {
  if (text.startsWith('{')) {
    try {
      return JSON.parse(text) as unknown;
    } catch {
      // It may still be YAML.
    }
  }
  try {
    const document = readYaml(text, { logLevel: 'error', prettyErrors: true });
    const [fault] = document.errors;
    if (fault !== undefined) throw fault;
    return document.toJS({ maxAliasCount: 100 }) as unknown;
  } catch (error) {
    throw recordingError(file, `it is not YAML: ${yamlProblem(error)}`);
  }
}

function recordingError(
  file: string,
  problem: string,
  hint = 'forge run --record <file> and forge record make one.',
): ForgeError {
  return new ForgeError('bad-input', `${file} cannot be rehearsed: ${problem}`, { hint });
}
