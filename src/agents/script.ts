/**
 * The scripted agent's script: YAML or JSON text in, checked entries out. Pure. Whatever the text is,
 * the answer is a script or a `bad-script` error that names the file, the entry, the step and the fix.
 */
import { createHash } from 'node:crypto';
import picomatch from 'picomatch';
import { readYaml } from '../plan/read-yaml.ts';
import { z } from 'zod';
import { ForgeError } from '../errors.ts';
import { type Step, type StepName, stepForms } from './script-step.ts';

export interface Script {
  /** The file it came from, for messages. */
  readonly source: string;
  readonly entries: readonly ScriptEntry[];
}

export interface ScriptEntry {
  /** 1-based, as people count. */
  readonly number: number;
  readonly when: When;
  readonly steps: readonly Step[];
  /** It answers every job that fits, not only the first. */
  readonly repeat: boolean;
  /** Names the entry by its content, so that a claim survives an edit elsewhere in the script. */
  readonly digest: string;
}

type When = Readonly<Partial<Record<WhenField, string>>>;
export const whenFields = ['run', 'role', 'task', 'key', 'attempt'] as const;
export type WhenField = (typeof whenFields)[number];

const shownProblems = 10;

export function parseScript(text: string, source: string): Script {
  const problems: string[] = [];
  const entries = asList(readData(text, source), source).map((entry, index) => readEntry(entry, index + 1, problems));
  if (problems.length > 0) throw badScript(source, problems);
  return { source, entries };
}

function readData(text: string, source: string): unknown {
  try {
    // JSON is YAML too, and long scripts are written by programs.
    const plain = text.startsWith('[') || text.startsWith('{') ? parseJson(text) : undefined;
    if (plain !== undefined) return plain;
    const document = readYaml(text, { logLevel: 'error', prettyErrors: true });
    const first = document.errors[0];
    if (first !== undefined) throw first;
    // Through JSON: an alias can make a cycle, and whatever is not JSON could not reach the child anyway.
    const json = JSON.stringify(document.toJS({ maxAliasCount: 100 }));
    return json === undefined ? undefined : JSON.parse(json);
  } catch (error) {
    const reason = error instanceof Error ? error.message.trim() : String(error);
    throw badScript(source, [`it is neither YAML nor JSON: ${reason}`], error);
  }
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

function asList(data: unknown, source: string): readonly unknown[] {
  if (Array.isArray(data)) return data;
  // A recording has its script below what else it says.
  if (typeof data === 'object' && data !== null && 'entries' in data && Array.isArray(data.entries))
    return data.entries;
  throw badScript(source, ['it must be a list of entries; begin each with "- when: { role: developer }"']);
}

const entryForm = z.strictObject({
  when: z.record(z.string(), z.unknown()).default({}),
  repeat: z.boolean().default(false),
  /** How long the work took when it was recorded: told, not waited for. */
  took: z.string().optional(),
  do: z.array(z.unknown()),
});

function readEntry(data: unknown, number: number, problems: string[]): ScriptEntry {
  const place = `entry ${number}`;
  const read = entryForm.safeParse(data);
  if (!read.success) {
    problems.push(...describe(read.error, place, 'an entry is `when: { role: developer }` and `do: [steps]`'));
    return { number, when: {}, steps: [], repeat: false, digest: '' };
  }
  const when = readWhen(read.data.when, place, problems);
  const steps = read.data.do.flatMap((step, index) => readStep(step, `${place}, step ${index + 1}`, problems));
  const end = steps.findIndex((step) => stepForms[step.step].last);
  if (end !== -1 && end < steps.length - 1) {
    problems.push(`${place}, step ${end + 2}: never reached, \`${steps[end]?.step}\` ends the script; move it before`);
  }
  return { number, when, steps, repeat: read.data.repeat, digest: digestOf(when, steps) };
}

function readWhen(data: Readonly<Record<string, unknown>>, place: string, problems: string[]): When {
  const when: Partial<Record<WhenField, string>> = {};
  for (const [name, value] of Object.entries(data)) {
    const field = whenFields.find((known) => known === name);
    if (field === undefined) {
      problems.push(`${place}: when knows no "${name}"; use ${whenFields.join(', ')}`);
    } else if ((typeof value !== 'string' && typeof value !== 'number') || String(value) === '') {
      problems.push(`${place}: when.${name} must be text, a number or a glob, such as "T*"`);
    } else if (!isGlob(String(value))) {
      problems.push(`${place}: when.${name} is not a usable glob; write the plain name or something like "T*"`);
    } else {
      when[field] = String(value);
    }
  }
  return when;
}

function isGlob(pattern: string): boolean {
  try {
    picomatch(pattern);
    return true;
  } catch {
    return false;
  }
}

function readStep(data: unknown, place: string, problems: string[]): readonly Step[] {
  const names = typeof data === 'object' && data !== null ? Object.keys(data) : [];
  const known = names.filter(isStepName);
  const name = known[0];
  if (name === undefined || names.length !== 1) {
    const found = names.length === 0 ? 'nothing usable' : names.map((text) => `"${text}"`).join(' and ');
    problems.push(`${place}: it must be exactly one of ${Object.keys(stepForms).join(', ')}; found ${found}`);
    return [];
  }
  const read = stepForms[name].schema.safeParse((data as Record<string, unknown>)[name]);
  if (read.success) return [read.data];
  problems.push(...describe(read.error, `${place} (${name})`, `write it like \`${stepForms[name].example}\``));
  return [];
}

function isStepName(name: string): name is StepName {
  return Object.hasOwn(stepForms, name);
}

function describe(error: z.ZodError, place: string, fix: string): readonly string[] {
  return error.issues.map((issue) => {
    const where = issue.path.length === 0 ? '' : `${issue.path.map(String).join('.')}: `;
    return `${place}: ${where}${issue.message}; ${fix}`;
  });
}

function digestOf(when: When, steps: readonly Step[]): string {
  const fields = whenFields.map((field) => when[field] ?? null);
  return createHash('sha256')
    .update(JSON.stringify([fields, steps]))
    .digest('hex')
    .slice(0, 16);
}

function badScript(source: string, problems: readonly string[], cause?: unknown): ForgeError {
  const shown = problems.slice(0, shownProblems).map((problem) => `${source}: ${problem}`);
  const more = problems.length - shown.length;
  return new ForgeError('bad-script', [...shown, ...(more > 0 ? [`and ${more} more`] : [])].join('\n'), {
    hint: 'docs/scripted-agent.md describes every step with an example.',
    cause,
  });
}
