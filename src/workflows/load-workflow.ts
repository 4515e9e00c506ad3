/**
 * Loads a project's own workflow. It is a program and runs in Forge's own process, outside any jail: whoever calls this
 * has made sure that a person agreed to exactly these bytes. They are written to a directory of their own in the user's
 * state directory, named by their digest, and loaded from there: what changes in the repository meanwhile is not run.
 */
import { mkdirSync } from 'node:fs';
import { register } from 'node:module';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { z } from 'zod';
import type { WorkflowResult } from '../engine/bench.ts';
import { ForgeError, messageOf } from '../errors.ts';
import { readConfined, writeConfined } from '../files/confined.ts';
import { tierNames } from '../policy/agent-settings.ts';
import { effortNames } from '../policy/effort.ts';
import { thinkingNames } from '../policy/thinking.ts';
import { allowedBuiltins, bundleDigest, type providedModules, type WorkflowBundle } from '../trust/workflow-bundle.ts';
import { type OwnWorkflow, requirementArgument, type WorkflowDefinition, type WorkflowProgram } from './definition.ts';
import { explainOwnFailure } from './own-workflow-failure.ts';
import { inputWithOptions } from './run-input.ts';
import type { OptionSpecs } from './workflow-options.ts';

/** Below the state directory; the loader hook knows modules from there by this name. */
const copies = 'agreed-workflows';

const aFunction = z.custom<never>((value) => typeof value === 'function', 'a function is needed');
const aSchema = z.custom<z.ZodType>((value) => Object(value)['safeParse'] !== undefined, 'a zod schema is needed');
const summary = z.string().max(200);
const optionName = z.string().regex(/^[a-z][a-z0-9-]{0,63}$/, 'lower-case letters, digits and dashes are needed');
const optionShape: z.ZodType<OptionSpecs> = z.record(
  optionName,
  z.discriminatedUnion('type', [
    z.strictObject({ type: z.literal('boolean'), summary, default: z.boolean().optional() }),
    z.strictObject({
      type: z.literal('number'),
      summary,
      placeholder: z.string().optional(),
      fraction: z.boolean().optional(),
      min: z.number().optional(),
      max: z.number().optional(),
      default: z.number().optional(),
    }),
    z.strictObject({
      type: z.literal('text'),
      summary,
      placeholder: z.string().optional(),
      default: z.string().optional(),
    }),
    z.strictObject({
      type: z.literal('choice'),
      summary,
      choices: z.array(z.string()).min(1),
      default: z.string().optional(),
    }),
  ]),
) as never;

const shape = z.strictObject({
  name: z.string(),
  version: z.number().int(),
  summary: summary.default(''),
  argument: z
    .strictObject({ name: z.string(), kind: z.enum(['text', 'directory']), summary, orOption: z.string().optional() })
    .default(requirementArgument),
  options: optionShape.default({}),
  repositoriesOption: z.string().optional(),
  examples: z.array(z.tuple([z.string(), z.string()])).default([]),
  input: aSchema.optional(),
  roles: z
    .record(
      z.string(),
      z.strictObject({
        result: aSchema,
        access: z.enum(['read', 'write']),
        tier: z.enum(tierNames).optional(),
        effort: z.enum(effortNames).optional(),
        thinking: z.enum(thinkingNames).optional(),
        describe: aFunction.optional(),
      }),
    )
    .default({}),
  prepare: aFunction.optional(),
  run: aFunction,
  presentation: z.custom<WorkflowProgram['presentation']>((value) => typeof value === 'object').optional(),
});

const resultShape = z.looseObject({ status: z.enum(['done', 'failed']), reason: z.string().optional() });

/** A repository's workflow is one object; its head and its program are the same parts that Forge's own workflows have. */
export async function loadWorkflow(
  bundle: WorkflowBundle,
  name: string,
  stateDir: string,
): Promise<WorkflowDefinition> {
  const { entry, refused } = bundle;
  if (refused !== undefined) {
    throw new ForgeError('bad-config', `${entry} cannot be run: ${refused}`, {
      hint: 'A workflow may import files of this repository, forge/workflow and zod; see docs/workflows.md.',
    });
  }
  const module = await importFile(writeCopy(bundle, stateDir), entry);
  const exported = module['workflow'] ?? module['default'];
  const found = shape.safeParse(exported);
  if (!found.success || found.data.name !== name) throw unusable(entry, name, found.error);
  const { version, summary: about, argument, options, repositoriesOption, examples } = found.data;
  const { input, roles, prepare, presentation } = found.data;
  const explainFailure = (error: unknown): unknown => explainOwnFailure(error, { entry, copies });
  const naming = <T>(work: () => T): T => {
    try {
      return work();
    } catch (error) {
      throw explainFailure(error);
    }
  };
  // The functions are called on the object they were written in.
  const own = exported as OwnWorkflow;
  const program = {
    input: input ?? inputWithOptions(options),
    roles: roles as unknown as WorkflowProgram['roles'],
    ...(prepare === undefined ? {} : { prepare: (request) => naming(() => own.prepare?.(request) ?? {}) }),
    run: async (bench, given) => {
      const result = resultShape.safeParse(await own.run(bench, given));
      if (result.success) return result.data as WorkflowResult;
      throw new Error("run() must return { status: 'done' } or { status: 'failed', reason }");
    },
    ...(presentation === undefined ? {} : { presentation }),
  } satisfies WorkflowProgram;
  const head = {
    name,
    version,
    summary: about,
    argument,
    options,
    examples,
    ...(repositoriesOption === undefined ? {} : { repositoriesOption }),
  };
  return { ...head, load: async () => ({ program }), explainFailure };
}

function unusable(entry: string, name: string, error: z.ZodError | undefined): ForgeError {
  const [issue] = error?.issues ?? [];
  if (issue !== undefined && issue.path.length > 0) {
    return new ForgeError('bad-config', `${entry}, ${issue.path.join('.')}: ${issue.message}`, {
      hint: 'See docs/workflows.md for what a workflow is made of.',
    });
  }
  return new ForgeError('bad-config', `${entry} does not export a workflow named ${JSON.stringify(name)}`, {
    hint: 'Export `workflow = { name, version, async run(bench, input) { … } }`; see docs/workflows.md.',
  });
}

/** The path of the entry in the copy. A file that is there already is compared, and replaced if it differs. */
function writeCopy(bundle: WorkflowBundle, stateDir: string): string {
  const directory = `${copies}/${bundleDigest(bundle)}`;
  mkdirSync(stateDir, { recursive: true, mode: 0o700 });
  // Every file is an ES module, whatever the repository's own package.json says.
  const files = new Map([...bundle.files, ['package.json', Buffer.from('{ "type": "module" }\n')]]);
  for (const [path, bytes] of files) {
    const found = readConfined(stateDir, `${directory}/${path}`);
    if (found.status === 'read' && found.bytes.equals(bytes)) continue;
    writeConfined(stateDir, `${directory}/${path}`, bytes, { mode: 0o600, directoryMode: 0o700 });
  }
  return join(stateDir, directory, bundle.entry);
}

async function importFile(path: string, entry: string): Promise<Readonly<Record<string, unknown>>> {
  registerResolver();
  try {
    return (await import(pathToFileURL(path).href)) as Readonly<Record<string, unknown>>;
  } catch (cause) {
    throw new ForgeError('bad-config', `${entry} cannot be loaded: ${messageOf(cause)}`, {
      hint:
        (cause as NodeJS.ErrnoException).code === 'ERR_UNKNOWN_FILE_EXTENSION'
          ? `Node ${process.versions.node} does not read TypeScript, 22.18 and later do; or write it as .mjs.`
          : 'Fix the file and try again.',
      cause,
    });
  }
}

let registered = false;

/** Once per process, and only when a project's own workflow is loaded. */
function registerResolver(): void {
  if (registered) return;
  registered = true;
  const built = import.meta.url.endsWith('.ts')
    ? new URL('../../dist/', import.meta.url)
    : new URL('../', import.meta.url);
  const provided: Readonly<Record<(typeof providedModules)[number], string>> = {
    forge: new URL('index.js', built).href,
    'forge/workflow': new URL('workflow.js', built).href,
    zod: import.meta.resolve('zod'),
  };
  register(new URL('workflows/workflow-resolver.js', built), {
    data: { provided, builtins: [...allowedBuiltins], copies },
  });
}
