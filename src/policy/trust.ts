/**
 * What of a repository's own files a person must have agreed to before Forge acts on it: programs that would be
 * started, money that would be spent, paths and networks that would be opened, rules that would be loosened, texts that
 * would brief agents, code that would run in Forge itself. Decided by content: the same content is asked about once.
 * Settings are asked about by `trust-fields.ts`, which knows every one of them. Pure.
 */
import { createHash } from 'node:crypto';
import type { Settings } from './settings.ts';
import { settingPoints } from './trust-fields.ts';

/** A file that Forge would act on, by the digest of its bytes. */
export interface OwnFile {
  readonly path: string;
  readonly use: 'role' | 'workflow' | 'import' | 'gates' | 'script' | 'preferences';
  readonly digest: string;
  /** Why it cannot be used, which is said and is no reason to stop what does not need it. */
  readonly problem?: string;
}

export interface TrustMatter {
  readonly settings: Settings;
  readonly files: readonly OwnFile[];
}

export interface TrustQuestion {
  /** Changes with anything that matters. */
  readonly digest: string;
  /** One sentence each. */
  readonly points: readonly string[];
}

/** Undefined: there is nothing to agree to. */
export function trustQuestion({ settings, files }: TrustMatter): TrustQuestion | undefined {
  const points = [...settingPoints(settings), ...files.map(filePoint)];
  if (points.length === 0) return undefined;
  const content = JSON.stringify([points, files.map(({ path, digest }) => [path, digest])]);
  return { digest: createHash('sha256').update(content).digest('hex'), points };
}

const uses: Readonly<Record<OwnFile['use'], string>> = {
  role: 'tells agents what to do',
  workflow: 'runs in Forge itself, outside any jail',
  import: 'is imported by a workflow and runs in Forge itself, outside any jail',
  gates: 'says when a phase of a pipeline may start',
  preferences: 'chooses options of workflows, such as which gates run',
  script: 'says what a scripted agent does',
};

function filePoint({ path, use, problem }: OwnFile): string {
  return problem === undefined ? `${path} ${uses[use]}` : `${path} cannot be run: ${problem}`;
}
