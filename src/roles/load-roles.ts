/**
 * Finds a role: the one that comes with Forge, replaced by the project's own file of that name if there is one. A
 * project may also bring roles of its own. The project's directory is a repository's and so untrusted: only
 * regular files of bounded size are read, and no link is followed.
 */
import { constants } from 'node:fs';
import { open, readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { ForgeError, messageOf } from '../errors.ts';
import { quoteUntrusted } from '../plan/refusal.ts';
import { nearestWord } from '../plan/task-id.ts';
import { parseRole } from './parse-role.ts';
import { type Role, roleName } from './role.ts';

export interface RolePlaces {
  readonly bundled: string;
  /** The project's own: a directory, or texts that were read before, by name. */
  readonly overrides: string | ReadonlyMap<string, { readonly path: string; readonly text: string }> | undefined;
}

/** The Markdown files lie beside this one, in the sources and in the package alike. */
export const bundledRoles = fileURLToPath(new URL('.', import.meta.url));

const maxBytes = 256 * 1024;

export async function loadRole(name: string, places: RolePlaces): Promise<Role> {
  if (!roleName.test(name)) {
    throw new ForgeError('bad-config', `${quoteUntrusted(name)} cannot name a role`, {
      hint: 'Use lower-case letters, digits and dashes, such as "developer".',
    });
  }
  const bundled = await readRole(places.bundled, name);
  const override = await readOverride(places.overrides, name);
  if (override !== undefined) return named(parseRole(override.text, override.source, bundled && parse(bundled)), name);
  if (bundled !== undefined) return named(parse(bundled), name);
  throw await unknownRole(name, places);
}

async function readOverride(overrides: RolePlaces['overrides'], name: string): Promise<RoleFile | undefined> {
  if (overrides === undefined) return undefined;
  if (typeof overrides === 'string') return readRole(overrides, name);
  const found = overrides.get(name);
  return found === undefined ? undefined : { text: found.text, source: found.path };
}

interface RoleFile {
  readonly text: string;
  readonly source: string;
}

function parse(file: RoleFile): Role {
  return parseRole(file.text, file.source);
}

async function readRole(directory: string, name: string): Promise<RoleFile | undefined> {
  const source = join(directory, `${name}.md`);
  const flags = constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK;
  try {
    const file = await open(source, flags);
    try {
      const stat = await file.stat();
      if (!stat.isFile()) throw unreadable(source, 'it is not a regular file');
      if (stat.size > maxBytes) throw unreadable(source, `it is larger than ${maxBytes} bytes`);
      return { text: await file.readFile('utf8'), source };
    } finally {
      await file.close();
    }
  } catch (error) {
    const code = (error as NodeJS.ErrnoException).code;
    if (code === 'ENOENT' || code === 'ENOTDIR') return undefined;
    if (error instanceof ForgeError) throw error;
    throw unreadable(source, code === 'ELOOP' ? 'it is a symbolic link' : messageOf(error));
  }
}

function unreadable(source: string, why: string): ForgeError {
  return new ForgeError('bad-config', `${source} cannot be read as a role: ${why}`, {
    hint: 'Put the role there as a plain Markdown file, or remove it.',
  });
}

function named(role: Role, name: string): Role {
  if (role.name === name) return role;
  throw new ForgeError('bad-config', `${role.source}, name: ${quoteUntrusted(role.name)} is not the name of the file`, {
    hint: `Write "name: ${name}", or name the file ${role.name}.md.`,
  });
}

async function unknownRole(name: string, places: RolePlaces): Promise<ForgeError> {
  const { bundled, overrides } = places;
  const directories = [bundled, ...(typeof overrides === 'string' ? [overrides] : [])];
  const own = typeof overrides === 'object' ? [...overrides.keys()].map((role) => `${role}.md`) : [];
  const listed = [...(await Promise.all(directories.map((directory) => readdir(directory).catch(() => [])))), own];
  const known = listed
    .flat()
    .filter((file) => file.endsWith('.md'))
    .map((file) => file.slice(0, -3))
    .sort();
  const meant = nearestWord(name, known);
  return new ForgeError('bad-config', `there is no role ${quoteUntrusted(name)}`, {
    hint: meant === undefined ? `Known roles: ${[...new Set(known)].join(', ')}.` : `Did you mean "${meant}"?`,
  });
}
