/**
 * What a run is started with, from the request, the settings and the repository: which agent plays which role, the
 * options as they were understood, and what the workflow itself adds. A run never reads settings again.
 */
import { join } from 'node:path';
import type { Forge } from '../compose.ts';
import { ForgeError } from '../errors.ts';
import { openConfinedTree } from '../files/confined-tree.ts';
import { readConfined } from '../files/confined.ts';
import { listFiles } from '../git/changes.ts';
import { readCommitDocuments } from '../git/commit-documents.ts';
import { listMergedTags } from '../git/tag.ts';
import { nearestWord } from '../plan/task-id.ts';
import { knownIds } from '../store/record-files.ts';
import { agentOfRole, type Settings } from '../policy/settings.ts';
import { preferredOptions } from '../trust/preferences.ts';
import type { RequestedRepository, WorkflowDefinition, WorkflowProgram } from '../workflows/definition.ts';
import { builtinDefinitions } from '../workflows/registry.ts';
import { readOptions } from '../workflows/workflow-options.ts';
import { directoryIn } from './project-tree.ts';

export interface RunWishes {
  /** The main argument. */
  readonly requirement: string;
  /** One agent for every role, instead of what the settings say. */
  readonly agent: string | undefined;
  readonly options: Readonly<Record<string, unknown>>;
  readonly fresh: boolean;
  /** Where the person stands: paths they typed are relative to it. */
  readonly cwd: string;
}

export async function inputFor(
  { repo, settings, preferences }: Pick<Forge, 'repo' | 'settings' | 'preferences'>,
  definition: WorkflowDefinition,
  wishes: RunWishes,
): Promise<Readonly<Record<string, unknown>>> {
  const preferred = preferredOptions(preferences, definition.name);
  const options = readOptionsOf(definition, { ...preferred, ...wishes.options });
  const { program } = await definition.load();
  await requireRoles(settings, { root: repo.root, own: program.roles });
  const { requirement: argument, fresh, cwd } = wishes;
  const request = {
    argument,
    options,
    settings,
    fresh,
    repository: requestedRepository(repo, { cwd, store: settings.store }),
  };
  const prepared = await program.prepare?.(request);
  return {
    agents: agentsFor(settings, Object.keys(program.roles), wishes.agent),
    ...(Object.keys(definition.options).length === 0 ? {} : { options: withoutMissing(options) }),
    ...prepared,
  };
}

/** The repository as a workflow may look at it before its run starts. */
function requestedRepository(
  repo: Forge['repo'],
  { cwd, store = '.' }: { readonly cwd: string; readonly store: string | undefined },
): RequestedRepository {
  const { root, head } = repo;
  return {
    dirty: repo.notices.filter((notice) => notice.code === 'dirty').flatMap((notice) => [...notice.paths]),
    head,
    directory: (typed) => directoryIn({ root, tree: openConfinedTree(root) }, cwd, typed, 'The directory'),
    documents: (revision = head) => readCommitDocuments(root, revision),
    records: () => Object.values(knownIds(join(root, store))).flat(),
    files: async () => (await listFiles(repo, head)).map(({ path }) => path),
    tags: () => listMergedTags(root),
  };
}

function withoutMissing(options: Readonly<Record<string, unknown>>): Readonly<Record<string, unknown>> {
  return Object.fromEntries(Object.entries(options).filter(([, value]) => value !== undefined));
}

/** An option of another workflow is a misunderstanding, and better cleared up before anything is paid for. */
function readOptionsOf({ name, options }: WorkflowDefinition, given: RunWishes['options']) {
  const unknown = Object.keys(given).find((option) => !Object.hasOwn(options, option));
  const other = builtinDefinitions.find((one) => unknown !== undefined && Object.hasOwn(one.options, unknown));
  if (other === undefined) return readOptions(options, given);
  throw new ForgeError('bad-input', `--${unknown} cannot be used with the workflow ${name}`, {
    hint: `Leave it out, or add --workflow ${other.name}.`,
  });
}

/** A slip in a role's name would give the work to another agent, or leave it without its limit. */
async function requireRoles(
  { roles, budget }: Settings,
  { root, own }: { readonly root: string; readonly own: WorkflowProgram['roles'] },
): Promise<void> {
  const named = [
    ...Object.keys(roles).map((role) => ({ role, where: `roles.${role}` })),
    ...Object.keys(budget.roles).map((role) => ({ role, where: `budget.roles.${role}` })),
  ].filter(({ role }) => !Object.hasOwn(own, role));
  if (named.length === 0) return;
  const known = [...Object.keys(own), ...(await builtinRoles())];
  for (const { role, where } of named) {
    const meant = known.includes(role) ? undefined : nearestWord(role, known);
    if (meant === undefined || readConfined(root, `.forge/roles/${role}.md`).status === 'read') continue;
    throw new ForgeError('bad-config', `${where}: there is no role ${JSON.stringify(role)}`, {
      hint: `Did you mean ${meant}? A role of your own has a file .forge/roles/${role}.md.`,
    });
  }
}

/** Every role of the workflows that come with Forge, once. */
export async function builtinRoles(): Promise<readonly string[]> {
  const programs = await Promise.all(builtinDefinitions.map(({ load }) => load()));
  return [...new Set(programs.flatMap(({ program }) => Object.keys(program.roles)))];
}

function agentsFor(
  settings: Settings,
  roles: readonly string[],
  wanted: string | undefined,
): Readonly<Record<string, string>> {
  const known = Object.keys(settings.agents);
  const [first] = known;
  if (first === undefined) {
    throw new ForgeError('bad-config', 'No agent is configured', {
      hint: 'Install one (forge doctor shows how), then run forge init: it adds the agents it finds to .forge/config.yaml.',
    });
  }
  const choose = (role: string): string => {
    const name = wanted ?? agentOfRole(settings, role) ?? first;
    if (known.includes(name)) return name;
    const meant = nearestWord(name, known);
    const hint = meant === undefined ? `Configured: ${known.join(', ')}.` : `Did you mean ${meant}?`;
    const code = wanted === undefined ? 'bad-config' : 'bad-input';
    throw new ForgeError(code, `There is no agent ${JSON.stringify(name)}`, { hint });
  };
  return Object.fromEntries(roles.map((role) => [role, choose(role)]));
}
