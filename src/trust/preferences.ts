/**
 * Options of workflows that somebody prefers to the defaults, in three layers: the person's own
 * (`~/.config/forge/preferences.yaml`), the repository's (`.forge/preferences.yaml`), and the person's for this checkout
 * (`.forge/preferences.local.yaml`). A later layer wins, and a file that is missing is skipped. The two files in a
 * checkout count as the repository's own: they are used after a person has agreed to them, because an option can switch
 * off a gate. What a person types wins over all of them.
 */
import { z } from 'zod';
import { ForgeError } from '../errors.ts';
import { readConfinedText } from '../files/confined.ts';
import { readYaml, yamlProblem } from '../plan/read-yaml.ts';

export const preferenceFiles = {
  repository: '.forge/preferences.yaml',
  local: '.forge/preferences.local.yaml',
} as const;

export type PreferenceOrigin = 'user' | 'repository' | 'local';

export interface PreferenceText {
  readonly origin: PreferenceOrigin;
  /** As a person would look for it. */
  readonly path: string;
  readonly text: string;
}

export interface Preference {
  readonly workflow: string;
  readonly option: string;
  readonly value: boolean | number | string;
  readonly origin: PreferenceOrigin;
  readonly path: string;
}

const layerSchema = z
  .record(z.string(), z.record(z.string(), z.union([z.boolean(), z.number(), z.string()])).nullable())
  .nullable();

/** The person's own, from their configuration directory. */
export function readUserPreferences(directory: string): readonly PreferenceText[] {
  const text = readConfinedText(directory, 'preferences.yaml');
  return text === undefined ? [] : [{ origin: 'user', path: `${directory}/preferences.yaml`, text }];
}

/** In the order of their layers; of two for one option the later one counts. Pure. */
export function mergePreferences(layers: readonly PreferenceText[]): readonly Preference[] {
  const merged = new Map<string, Preference>();
  for (const layer of layers) for (const one of parseLayer(layer)) merged.set(`${one.workflow}.${one.option}`, one);
  return [...merged.values()];
}

/** The options that are preferred for one workflow. */
export function preferredOptions(
  layers: readonly PreferenceText[],
  workflow: string,
): Readonly<Record<string, Preference['value']>> {
  const own = mergePreferences(layers).filter((one) => one.workflow === workflow);
  return Object.fromEntries(own.map(({ option, value }) => [option, value]));
}

function parseLayer({ origin, path, text }: PreferenceText): readonly Preference[] {
  const document = readYaml(text, { prettyErrors: true, uniqueKeys: true });
  const [problem] = document.errors;
  if (problem !== undefined) throw badPreferences(path, `is not YAML: ${yamlProblem(problem)}`);
  const read = layerSchema.safeParse(document.toJS({ maxAliasCount: 50 }));
  if (!read.success) throw badPreferences(path, 'does not have the form "workflow: { option: value }"');
  return Object.entries(read.data ?? {}).flatMap(([workflow, options]) =>
    Object.entries(options ?? {}).map(([option, value]) => ({ workflow, option, value, origin, path })),
  );
}

function badPreferences(path: string, problem: string): ForgeError {
  return new ForgeError('bad-config', `${path} ${problem}`, {
    hint: 'For example:\n  milestone: { plan-check: blocking }\nNothing was changed.',
  });
}
