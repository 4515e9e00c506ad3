/**
 * Writes the first settings of a project, from what is found in it and on this machine, with JSON Schemas for editors: of
 * the settings, and of the options of every workflow (preferences).
 * Settings that exist keep every byte the person wrote: agents that are new on this machine are added, nothing else is
 * touched. Files are replaced as a whole and links are never written through.
 */
import { basename } from 'node:path';
import { z } from 'zod';
import { readSettings } from '../compose.ts';
import { ForgeError } from '../errors.ts';
import { readConfined, readConfinedText, unusableFile, writeConfined } from '../files/confined.ts';
import { listFiles } from '../git/changes.ts';
import type { Repository } from '../git/git.ts';
import { openRepository } from '../git/repository.ts';
import { parseSettings, type Settings, settingsSchema } from '../policy/settings.ts';
import { agreeTo, isAgreed } from '../trust/consent.ts';
import { ownWorkflows } from '../trust/own-files.ts';
import type { WorkflowHead } from '../workflows/definition.ts';
import { builtinDefinitions } from '../workflows/registry.ts';
import { optionsJsonSchema } from '../workflows/workflow-options.ts';
import { addAgents } from './add-agents.ts';
import { configText } from './config-text.ts';
import { detectProject } from './detect-project.ts';
import { type FoundAgent, findAgents } from './known-agents.ts';
import type { JsonOf, Operation } from './operation.ts';
import { describeOwnWorkflow } from './own-workflow.ts';

const input = z.strictObject({});

const output = z.strictObject({
  stack: z.array(z.string()),
  checks: z.array(z.strictObject({ run: z.array(z.string()), from: z.string() })),
  setup: z
    .strictObject({ run: z.array(z.string()), inputs: z.array(z.string()), outputs: z.array(z.string()) })
    .optional(),
  root: z.string(),
  /** Those that were found on this machine. */
  agents: z.array(
    z.strictObject({
      name: z.string(),
      program: z.string(),
      driver: z.string(),
      /** It has a key or a login; the first that has is the one that plays every role. */
      authenticated: z.boolean(),
    }),
  ),
  /** There were no settings before. */
  isNew: z.boolean(),
  /** Names of agents that the settings have now and did not have before. */
  added: z.array(z.string()),
  /** Names of all agents in the settings, in their order. */
  configured: z.array(z.string()),
  /** Paths relative to the root. */
  written: z.array(z.string()),
  kept: z.array(z.string()),
});
export type Initialised = JsonOf<typeof output>;

const config = '.forge/config.yaml';
const schema = '.forge/config.schema.json';
const preferencesSchema = '.forge/preferences.schema.json';

export const initProject: Operation<typeof input, typeof output> = {
  name: 'init-project',
  kind: 'command',
  description: 'Writes the first settings of a project, or adds new agents to them.',
  input,
  output,
  async run(context) {
    const repo = await openRepository(context.cwd);
    const project = detectProject(await projectFiles(repo));
    const found = findAgents(context.env);
    const before = readConfinedText(repo.root, config);
    const text = before === undefined ? configText(project, found) : withNewAgents(repo.root, before, found);
    // What is written must be what will be read.
    const settings = parseSettings(text, config);
    const old = before === undefined ? undefined : readSettings(repo.root);
    // Consent to settings that nobody has looked at yet is not given along the way.
    const agrees = old === undefined || isAgreed({ repo, settings: old }, context.env);
    const files = {
      [config]: text,
      [schema]: jsonText(z.toJSONSchema(settingsSchema, { io: 'input' })),
      [preferencesSchema]: jsonText(preferencesJsonSchema([...builtinDefinitions, ...(await ownHeads(repo.root))])),
    };
    const written = Object.entries(files).filter(([path, content]) => writeFile(repo.root, path, content));
    if (agrees && written.some(([path]) => path === config)) agreeTo({ repo, settings }, context.env);
    const configured = Object.keys(settings.agents);
    return {
      ...project,
      root: repo.root,
      agents: found.map(({ name, program, authenticated, settings: { driver } }) => ({
        name,
        program,
        driver,
        authenticated,
      })),
      isNew: before === undefined,
      added: configured.filter((name) => !Object.hasOwn(old?.agents ?? {}, name)),
      configured,
      written: written.map(([path]) => path),
      kept: Object.keys(files).filter((path) => !written.some(([name]) => name === path)),
    };
  },
};

function withNewAgents(root: string, text: string, found: readonly FoundAgent[]): string {
  const fresh = newAgents(readSettings(root), found);
  const changed = addAgents(text, fresh);
  if (changed !== undefined) return changed;
  const names = fresh.map(({ name }) => name).join(', ');
  throw new ForgeError('bad-config', `${config} is written in a way that forge init cannot add to (found: ${names})`, {
    hint: `Add below "agents": ${fresh.map(({ name, settings }) => `${name}: ${JSON.stringify(settings)}`).join('  ')}`,
  });
}

/** Those that the settings do not use already, under whatever name. */
function newAgents({ agents }: Settings, found: readonly FoundAgent[]): readonly FoundAgent[] {
  const used = new Set(
    Object.entries(agents).flatMap(([name, agent]) => {
      if (agent.driver === 'acp') return [name, agent.agent ?? name, ...programOf(agent.run)];
      return agent.driver === 'command' ? [name, ...programOf(agent.run)] : [name];
    }),
  );
  return found.filter(({ name, program }) => !used.has(name) && !used.has(program));
}

function programOf(run: readonly string[] | undefined): readonly string[] {
  const [program] = run ?? [];
  return program === undefined ? [] : [basename(program)];
}

/** As committed, with the checkout's own text: what is not committed yet may still be changed by the person. */
async function projectFiles(repo: Repository) {
  const paths = (await listFiles(repo, repo.head)).map((entry) => entry.path);
  return {
    paths,
    read: (path: string) => {
      const found = readConfined(repo.root, path);
      return found.status === 'read' ? found.bytes.toString('utf8') : undefined;
    },
  };
}

function jsonText(value: object): string {
  return `${JSON.stringify(value, null, 2)}\n`;
}

/** Options by workflow. A workflow that is not known here may still be one of a person's own. */
function preferencesJsonSchema(workflows: readonly WorkflowHead[]): object {
  const properties = workflows.map(({ name, summary, options }) => {
    return [name, { description: summary, ...optionsJsonSchema(options) }];
  });
  return {
    $schema: 'https://json-schema.org/draft/2020-12/schema',
    type: 'object',
    properties: Object.fromEntries(properties),
    additionalProperties: { type: 'object' },
  };
}

/** Of the repository's own workflows, those that a person has agreed to and that can be loaded. */
async function ownHeads(root: string): Promise<readonly WorkflowHead[]> {
  const found = ownWorkflows(root).map(async (name) => {
    try {
      const own = await describeOwnWorkflow(root, name);
      return own?.isTrusted === true ? [own.head] : [];
    } catch (error) {
      if (error instanceof ForgeError) return [];
      throw error;
    }
  });
  return (await Promise.all(found)).flat();
}

/** False when it has this content already. */
function writeFile(root: string, path: string, content: string): boolean {
  const before = readConfined(root, path);
  if (before.status === 'refused') throw unusableFile(path, before.why);
  if (before.status === 'read' && before.bytes.toString('utf8') === content) return false;
  return writeConfined(root, path, content, before.status === 'read' ? { mode: before.mode } : {});
}
