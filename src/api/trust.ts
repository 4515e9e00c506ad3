/**
 * Whether the person has agreed to what a repository's own files would have Forge do (policy/trust.ts says what that
 * is). Agreement is kept outside the repository, per project and by content: another content is asked about again.
 */
import { existsSync, lstatSync, mkdirSync, readdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { homedir } from 'node:os';
import { dirname, isAbsolute, join } from 'node:path';
import { z } from 'zod';
import type { Forge } from '../compose.ts';
import { ForgeError } from '../errors.ts';
import { type TrustQuestion, trustQuestion } from '../policy/trust.ts';
import type { ApiContext, Operation } from './operation.ts';

type Environment = ApiContext['env'];
const storeSchema = z.object({ projects: z.record(z.string(), z.array(z.string())).default({}) });

/** Throws unless there is nothing to agree to, or it was agreed to. */
export function requireTrust({ repo, settings }: Pick<Forge, 'repo' | 'settings'>, env: Environment): void {
  const question = trustQuestion({ settings, files: ownFiles(repo.root) });
  if (question === undefined || isTrusted(env, repo.id, question)) return;
  throw new ForgeError('not-trusted', `This repository's own files need your consent:\n${list(question)}`, {
    hint: 'Look at them, then say so once: forge trust',
  });
}

/** There is nothing to agree to, or it was agreed to. */
export function isAgreed({ repo, settings }: Pick<Forge, 'repo' | 'settings'>, env: Environment): boolean {
  const question = trustQuestion({ settings, files: ownFiles(repo.root) });
  return question === undefined || isTrusted(env, repo.id, question);
}

/** For settings that Forge itself has just written at the person's request. */
export function agreeTo({ repo, settings }: Pick<Forge, 'repo' | 'settings'>, env: Environment): void {
  const question = trustQuestion({ settings, files: ownFiles(repo.root) });
  if (question !== undefined) remember(env, repo.id, question);
}

const input = z.strictObject({ agree: z.boolean().default(false) });

export interface TrustState {
  readonly trusted: boolean;
  readonly points: readonly string[];
}

/** What there is to agree to; with `agree`, it is agreed to. */
export const trustProject: Operation<typeof input, TrustState> = {
  name: 'trust-project',
  summary: "agree to what this repository's own files have Forge do",
  input,
  async run(context, { agree }) {
    const { repo, settings } = await context.forge();
    const question = trustQuestion({ settings, files: ownFiles(repo.root) });
    if (question === undefined) return { trusted: true, points: [] };
    if (agree) remember(context.env, repo.id, question);
    return { trusted: isTrusted(context.env, repo.id, question), points: question.points };
  },
};

/** Role overrides and workflows; links are not followed, huge files are cut, for only a change must show. */
function ownFiles(root: string): { path: string; text: string }[] {
  return ['roles', 'workflows'].flatMap((kind) => {
    const directory = join(root, '.forge', kind);
    if (lstatSync(directory, { throwIfNoEntry: false })?.isDirectory() !== true) return [];
    return readdirSync(directory, { withFileTypes: true })
      .filter((entry) => entry.isFile())
      .map((entry) => ({
        path: `.forge/${kind}/${entry.name}`,
        text: readFileSync(join(directory, entry.name), 'utf8'),
      }))
      .sort((a, b) => (a.path < b.path ? -1 : 1));
  });
}

function isTrusted(env: Environment, project: string, { digest }: TrustQuestion): boolean {
  return readStore(env).projects[project]?.includes(digest) === true;
}

function remember(env: Environment, project: string, { digest }: TrustQuestion): void {
  const { projects } = readStore(env);
  const kept = [...new Set([...(projects[project] ?? []), digest])].slice(-20);
  const file = storeFile(env);
  mkdirSync(dirname(file), { recursive: true, mode: 0o700 });
  writeFileSync(`${file}.tmp`, `${JSON.stringify({ projects: { ...projects, [project]: kept } }, null, 2)}\n`, {
    mode: 0o600,
  });
  renameSync(`${file}.tmp`, file);
}

function readStore(env: Environment): z.infer<typeof storeSchema> {
  const file = storeFile(env);
  if (!existsSync(file)) return { projects: {} };
  try {
    return storeSchema.parse(JSON.parse(readFileSync(file, 'utf8')));
  } catch (cause) {
    throw new ForgeError('bad-config', `${file} can not be read`, {
      hint: 'Remove it; you will be asked again.',
      cause,
    });
  }
}

function storeFile(env: Environment): string {
  const config = env['XDG_CONFIG_HOME'] ?? '';
  return join(isAbsolute(config) ? config : join(homedir(), '.config'), 'forge', 'trusted.json');
}

function list({ points }: TrustQuestion): string {
  return points.map((point) => `  - ${point}`).join('\n');
}
