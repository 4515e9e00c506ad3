/**
 * The repository that `forge demo` works on: a copy of a bundled example with settings that name the scripted agent,
 * left in a temporary directory for the person to explore. The example's `demo.yaml` says what is played on it. Where
 * no jail can be had, the settings say so.
 */
import { cpSync, existsSync, mkdtempSync, readFileSync, realpathSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parse } from 'yaml';
import { z } from 'zod';
import { ForgeError } from '../errors.ts';
import { writeConfined } from '../files/confined.ts';
import { commitEverything, initRepository } from '../git/init-repository.ts';
import { openRepository } from '../git/repository.ts';
import { parseSettings } from '../policy/settings.ts';
import { openJail } from '../process/open-jail.ts';
import { agreeTo } from '../trust/consent.ts';
import { defaultWorkflow, demoFolders } from '../workflows/registry.ts';
import { addAccount, useAccount } from './accounts.ts';
import { type ApiContext, openContext } from './context.ts';
import { type Operation, performOperation } from './operation.ts';
import { suggestWord } from './suggest.ts';

const act = z.strictObject({
  /** A sentence to read before it. */
  say: z.string().optional(),
  /** A folder of the example that is laid over the repository and committed. */
  change: z
    .string()
    .regex(/^[\w-]+$/)
    .optional(),
  /** The words of a command line; `{example}` stands for the example's folder. */
  forge: z.array(z.string()).optional(),
  /** Exit codes with which the demo goes on; others end it. */
  expect: z.array(z.int()).default([0]),
});

const demoFile = z.strictObject({
  about: z.string(),
  directory: z.string().regex(/^[\w-]+$/),
  commit: z.string(),
  acts: z.array(act).min(1),
  /** Made up for the demo, the first one in use. Yours are not touched. */
  accounts: z.strictObject({ key: z.string(), names: z.array(z.string()).min(1) }).optional(),
  /** Commands to try afterwards. */
  look: z.array(z.string()),
});

const input = z.strictObject({ workflow: z.string().optional() });

const output = z.strictObject({
  root: z.string(),
  /** The example's folder. */
  example: z.string(),
  about: z.string(),
  acts: z.array(act),
  look: z.array(z.string()),
  /** Where the demo's own accounts are, if it has some: instead of your configuration. */
  config: z.string().optional(),
  /** Why agents run without a jail, if they do. */
  notice: z.string().optional(),
});

export const makeDemo: Operation<typeof input, typeof output> = {
  name: 'make-demo',
  kind: 'command',
  description: 'Makes a small repository to try Forge on.',
  input,
  output,
  async run(context, { workflow = defaultWorkflow }) {
    const example = exampleOf(workflow);
    const { directory, commit, accounts, ...demo } = demoFile.parse(
      parse(readFileSync(join(example, 'demo.yaml'), 'utf8')),
    );
    const root = join(realpathSync(mkdtempSync(join(tmpdir(), 'forge-demo-'))), directory);
    cpSync(join(example, 'repository'), root, { recursive: true });
    const notice = await missingJail();
    const settings = settingsText(example, notice);
    writeConfined(root, '.forge/script.yaml', readFileSync(join(example, 'script.yaml')));
    writeConfined(root, '.forge/config.yaml', settings);
    writeConfined(root, '.gitignore', ignored);
    await initRepository(root, commit);
    const parsed = parseSettings(settings, '.forge/config.yaml');
    const repo = await openRepository(root);
    agreeTo({ repo, settings: parsed }, context.env);
    if (accounts === undefined) return { root, example, ...demo, notice };
    const config = join(dirname(root), 'config');
    const env = { ...context.env, XDG_CONFIG_HOME: config };
    agreeTo({ repo, settings: parsed }, env);
    await addAccounts(openContext({ cwd: root, env }), accounts);
    return { root, example, ...demo, notice, config };
  },
};

async function addAccounts(
  context: ApiContext,
  { key, names }: { readonly key: string; readonly names: readonly string[] },
): Promise<void> {
  for (const name of names)
    await performOperation(addAccount, context, { name, key, token: `token-of-${name}`, store: 'file' });
  await performOperation(useAccount, context, { name: names[0] ?? '' });
}

const changeInput = z.strictObject({ root: z.string(), folder: z.string(), message: z.string() });

export const changeDemo: Operation<typeof changeInput, z.ZodNull> = {
  name: 'change-demo',
  kind: 'command',
  description: 'Lays a folder over a demo repository and commits it.',
  input: changeInput,
  output: z.null(),
  async run(_, { root, folder, message }) {
    cpSync(folder, root, { recursive: true });
    await commitEverything(root, message);
    return null;
  },
};

/** Records, lessons and settings are a project's own; everything else under `.forge` is Forge's. */
const ignored =
  'node_modules/\n.forge/*\n!.forge/config.yaml\n!.forge/script.yaml\n!.forge/memory/\n!.forge/roles/\n!.forge/store/\n';

function exampleOf(workflow: string): string {
  const folder = Object.hasOwn(demoFolders, workflow) ? demoFolders[workflow] : undefined;
  if (folder === undefined) {
    const known = Object.keys(demoFolders);
    throw new ForgeError('bad-input', `There is no demo of ${JSON.stringify(workflow)}`, {
      hint: suggestWord(workflow, known, `Demos: ${known.join(', ')}.`),
    });
  }
  return fileURLToPath(new URL(`../../examples/${folder}`, import.meta.url));
}

async function missingJail(): Promise<string | undefined> {
  try {
    await openJail({ mode: 'auto' });
    return undefined;
  } catch (error) {
    if (error instanceof ForgeError && error.code === 'jail-unavailable') return error.message;
    throw error;
  }
}

/** `settings.yaml` of the example comes last. */
function settingsText(example: string, notice: string | undefined): string {
  const jail =
    notice === undefined
      ? ''
      : '# No jail could be had on this machine; the scripted agent does no harm.\njail: { mode: none }\n';
  const own = join(example, 'settings.yaml');
  const more = existsSync(own) ? readFileSync(own, 'utf8') : '';
  const usual = 'agents:\n  rehearsal: { driver: scripted, script: .forge/script.yaml }\n';
  const agents = /^agents:/m.test(more) ? '' : usual;
  return `# The demo's agents follow a script: .forge/script.yaml\n${agents}# What the demo learns stays in the demo.\nmemory: project\n${jail}${more}`;
}
