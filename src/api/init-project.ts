/**
 * Writes the first settings of a project, from what is found in it and on this machine, with a JSON Schema for editors.
 * A file that exists is never written over.
 */
import { lstatSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { z } from 'zod';
import { ForgeError, messageOf } from '../errors.ts';
import { listFiles } from '../git/changes.ts';
import type { Repository } from '../git/git.ts';
import { openRepository } from '../git/repository.ts';
import { parseSettings, settingsSchema } from '../policy/settings.ts';
import { configText } from './config-text.ts';
import { type DetectedProject, detectProject } from './detect-project.ts';
import { findAgents } from './known-agents.ts';
import type { Operation } from './operation.ts';
import { agreeTo } from './trust.ts';

const input = z.strictObject({});

export interface Initialised extends DetectedProject {
  readonly root: string;
  /** Those that were found and, if the settings are new, configured. */
  readonly agents: readonly {
    readonly name: string;
    readonly program: string;
    readonly driver: string;
    /** It has a key or a login; the first that has is the one that plays every role. */
    readonly authenticated: boolean;
  }[];
  /** Paths relative to the root. */
  readonly written: readonly string[];
  readonly kept: readonly string[];
}

export const initProject: Operation<typeof input, Initialised> = {
  name: 'init-project',
  summary: 'write the first settings of a project',
  input,
  async run(context) {
    const repo = await openRepository(context.cwd);
    const project = detectProject(await projectFiles(repo));
    const agents = findAgents(context.env);
    const text = configText(project, agents);
    // What is written must be what will be read.
    const settings = parseSettings(text, '.forge/config.yaml');
    const files = { '.forge/config.yaml': text, '.forge/config.schema.json': schemaText() };
    const written = Object.entries(files).filter(([path, content]) => writeNew(repo.root, path, content));
    if (written.some(([path]) => path === '.forge/config.yaml')) agreeTo({ repo, settings }, context.env);
    return {
      ...project,
      root: repo.root,
      agents: agents.map(({ name, program, authenticated, settings: { driver } }) => ({
        name,
        program,
        driver,
        authenticated,
      })),
      written: written.map(([path]) => path),
      kept: Object.keys(files).filter((path) => !written.some(([name]) => name === path)),
    };
  },
};

/** As committed, with the checkout's own text: what is not committed yet may still be changed by the person. */
async function projectFiles(repo: Repository) {
  const paths = (await listFiles(repo, repo.head)).map((entry) => entry.path);
  return {
    paths,
    read: (path: string) => {
      try {
        return readFileSync(join(repo.root, path), 'utf8');
      } catch {
        return undefined;
      }
    },
  };
}

function schemaText(): string {
  return `${JSON.stringify(z.toJSONSchema(settingsSchema, { io: 'input' }), null, 2)}\n`;
}

function writeNew(root: string, path: string, content: string): boolean {
  const file = join(root, path);
  try {
    const directory = join(root, '.forge');
    mkdirSync(directory, { recursive: true });
    if (!lstatSync(directory).isDirectory()) throw new Error('.forge is not a directory');
    writeFileSync(file, content, { flag: 'wx' });
    return true;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'EEXIST') return false;
    throw new ForgeError('bad-input', `${path} can not be written: ${messageOf(error)}`, {
      hint: 'Check the permissions of the checkout.',
      cause: error,
    });
  }
}
