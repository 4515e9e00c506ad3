/**
 * Whether the person has agreed to what a repository's own files would have Forge do (policy/trust.ts says what that
 * is). Agreement is kept in the person's own configuration, per repository and by content: another content is asked
 * about again. What is used is what was read for the question (see own-files.ts).
 */
import { mkdirSync } from 'node:fs';
import { homedir } from 'node:os';
import { isAbsolute, join } from 'node:path';
import { z } from 'zod';
import { ForgeError } from '../errors.ts';
import { readConfinedText, writeConfined } from '../files/confined.ts';
import type { Settings } from '../policy/settings.ts';
import { type TrustQuestion, trustQuestion } from '../policy/trust.ts';
import { type OwnFiles, readOwnFiles } from './own-files.ts';

type Environment = Readonly<Record<string, string | undefined>>;

export interface TrustMatter {
  readonly repo: { readonly id: string; readonly root: string };
  readonly settings: Settings;
  /** As the repository's own file has them, where the person's wishes were added to `settings`. */
  readonly projectSettings?: Settings;
  /** Read before, to be used after. */
  readonly own?: OwnFiles;
}

const storeSchema = z.object({ projects: z.record(z.string(), z.array(z.string())).default({}) });

/** Undefined: there is nothing to agree to. */
export function questionOf({
  repo,
  settings,
  projectSettings = settings,
  own,
}: TrustMatter): TrustQuestion | undefined {
  const { files } = own ?? readOwnFiles(repo.root, projectSettings);
  return trustQuestion({ settings: projectSettings, files });
}

/** Throws unless there is nothing to agree to, or it was agreed to. */
export function requireTrust(matter: TrustMatter, env: Environment): void {
  const question = questionOf(matter);
  if (question === undefined || isTrusted(env, matter.repo.id, question)) return;
  const points = question.points.map((point) => `  - ${point}`).join('\n');
  throw new ForgeError('not-trusted', `This repository's own files need your consent:\n${points}`, {
    hint: 'Read them, then agree once: forge trust',
  });
}

/** There is nothing to agree to, or it was agreed to. */
export function isAgreed(matter: TrustMatter, env: Environment): boolean {
  const question = questionOf(matter);
  return question === undefined || isTrusted(env, matter.repo.id, question);
}

/** For settings that Forge itself has just written at the person's request. */
export function agreeTo(matter: TrustMatter, env: Environment): void {
  const question = questionOf(matter);
  if (question !== undefined) rememberConsent(env, matter.repo.id, question);
}

export function isTrusted(env: Environment, project: string, { digest }: TrustQuestion): boolean {
  return readStore(env).projects[project]?.includes(digest) === true;
}

export function rememberConsent(env: Environment, project: string, { digest }: TrustQuestion): void {
  const { projects } = readStore(env);
  const kept = [...new Set([...(projects[project] ?? []), digest])].slice(-20);
  const directory = consentDirectory(env);
  mkdirSync(directory, { recursive: true, mode: 0o700 });
  const text = `${JSON.stringify({ projects: { ...projects, [project]: kept } }, null, 2)}\n`;
  writeConfined(directory, storeFile, text, { mode: 0o600 });
}

const storeFile = 'trusted.json';

function readStore(env: Environment): z.infer<typeof storeSchema> {
  const directory = consentDirectory(env);
  try {
    const text = readConfinedText(directory, storeFile);
    return text === undefined ? { projects: {} } : storeSchema.parse(JSON.parse(text));
  } catch (cause) {
    if ((cause as NodeJS.ErrnoException).code === 'ENOENT') return { projects: {} };
    throw new ForgeError('bad-config', `${join(directory, storeFile)} cannot be read`, {
      hint: 'Remove it; you will be asked again.',
      cause,
    });
  }
}

/** The person's own configuration of Forge. */
export function consentDirectory(env: Environment): string {
  const config = env['XDG_CONFIG_HOME'] ?? '';
  return join(isAbsolute(config) ? config : join(env['HOME'] || homedir(), '.config'), 'forge');
}
