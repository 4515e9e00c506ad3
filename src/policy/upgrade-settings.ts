/**
 * Settings carry a version, and older ones are brought to today's step by step: each step knows one version and the next.
 * Comments and the order of lines stay. A file without a version is version 0. Pure: text in, text out.
 */
import { type Document, isMap } from 'yaml';
import { ForgeError } from '../errors.ts';
import { readYaml, yamlProblem } from '../plan/read-yaml.ts';

/** What this Forge writes and reads. */
export const settingsVersion = 1;

export interface SettingsStep {
  readonly from: number;
  /** Changes the document and says what it changed, a sentence each. */
  readonly change: (document: Document) => readonly string[];
}

export interface SettingsUpgrade {
  readonly from: number;
  readonly to: number;
  readonly text: string;
  readonly changes: readonly string[];
}

const settingsSteps: readonly SettingsStep[] = [
  // The first settings had none.
  { from: 0, change: () => ['the file says which version of settings it holds'] },
];

export function upgradeSettings(
  text: string,
  steps: readonly SettingsStep[] = settingsSteps,
  to: number = settingsVersion,
): SettingsUpgrade {
  const document = readYaml(text);
  refuseUnreadableSettings(document);
  const from = versionOf(text);
  refuseNewerSettings(from, to);
  const changes: string[] = [];
  for (let version = from; version < to; version += 1) {
    const step = steps.find((one) => one.from === version);
    if (step === undefined) throw new Error(`no step leads from version ${version} of the settings`);
    changes.push(...step.change(document).map((change) => `version ${version} → ${version + 1}: ${change}`));
  }
  if (changes.length === 0) return { from, to, text, changes };
  return { from, to, text: withVersion(document.toString(), to), changes };
}

/** In place of the old line, else above the first setting: what a person wrote stays as they wrote it. */
function withVersion(text: string, version: number): string {
  if (/^version:.*$/m.test(text)) return text.replace(/^version:.*$/m, `version: ${version}`);
  const lines = text.split('\n');
  const at = lines.findIndex((line) => line.trim() !== '' && !line.startsWith('#'));
  const place = at === -1 ? lines.length : at;
  return [...lines.slice(0, place), `version: ${version}`, ...lines.slice(place)].join('\n');
}

/** 0 where it says nothing, or nothing that can be read. */
export function versionOf(text: string): number {
  const document = readYaml(text);
  const value = document.errors.length > 0 ? undefined : document.get('version');
  return typeof value === 'number' && Number.isInteger(value) && value > 0 ? value : 0;
}

function refuseUnreadableSettings({ errors: [error], contents }: Document): void {
  if (error === undefined && (contents === null || isMap(contents))) return;
  const problem = error === undefined ? 'it holds no list of settings' : yamlProblem(error);
  throw new ForgeError('bad-config', `.forge/config.yaml cannot be read: ${problem}`, {
    hint: 'Correct the file, or move it away and write a new one: forge init',
  });
}

export function refuseNewerSettings(version: number, known: number = settingsVersion): void {
  if (version <= known) return;
  throw new ForgeError(
    'bad-config',
    `.forge/config.yaml has version ${version}; this Forge knows versions up to ${known}`,
    {
      hint: 'Update Forge. Nothing was changed.',
    },
  );
}
