/** What a person can choose when they start a run here: workflows with their options, agents, limits, branches. For forms. */
import { z } from 'zod';
import { ForgeError } from '../errors.ts';
import { shortName } from '../git/move-branches.ts';
import { listRefs } from '../git/refs.ts';
import { limitsFrom, limitsText } from '../policy/budget-settings.ts';
import { ownWorkflows } from '../trust/own-files.ts';
import type { WorkflowHead } from '../workflows/definition.ts';
import { builtinDefinitions, defaultWorkflow } from '../workflows/registry.ts';
import type { Operation } from './operation.ts';

const input = z.strictObject({});

const optionSchema = z.strictObject({
  name: z.string(),
  type: z.enum(['boolean', 'number', 'text', 'choice']),
  summary: z.string(),
  choices: z.array(z.string()).optional(),
  min: z.number().optional(),
  max: z.number().optional(),
  default: z.union([z.boolean(), z.number(), z.string()]).optional(),
});

const output = z.strictObject({
  root: z.string(),
  workflows: z.array(
    z.strictObject({
      name: z.string(),
      summary: z.string(),
      argument: z.strictObject({
        name: z.string(),
        kind: z.enum(['text', 'directory']),
        summary: z.string(),
        /** An option that can stand in for it. */
        orOption: z.string().optional(),
      }),
      options: z.array(optionSchema),
      /** Why it cannot be started yet. */
      problem: z.string().optional(),
    }),
  ),
  defaultWorkflow: z.string(),
  agents: z.array(z.string()),
  /** What the settings allow a run, in words. */
  limits: z.string(),
  branch: z.string().optional(),
  head: z.string(),
  branches: z.array(z.string()),
  /** What a person should know before agents start. */
  notices: z.array(z.string()),
});

export const describeStart: Operation<typeof input, typeof output> = {
  name: 'describe-start',
  kind: 'query',
  description: 'Lists what can be chosen when a run is started here: workflows and options, agents, limits, branches.',
  input,
  output,
  async run(context) {
    const { repo, settings } = await context.reader();
    const own = await Promise.all(
      ownWorkflows(repo.root).map(async (name) => {
        try {
          return described(await (await context.forge()).definition(name));
        } catch (error) {
          if (!(error instanceof ForgeError)) throw error;
          const argument = { name: 'requirement', kind: 'text' as const, summary: '' };
          return { name, summary: '', argument, options: [], problem: [error.message, error.hint].join(' ').trim() };
        }
      }),
    );
    return {
      root: repo.root,
      workflows: [...builtinDefinitions.map(described), ...own],
      defaultWorkflow,
      agents: Object.keys(settings.agents),
      limits: limitsText(limitsFrom(settings.budget, {}), []),
      branch: repo.branch,
      head: repo.head,
      branches: (await listRefs(repo, 'refs/heads/')).map(({ ref }) => shortName(ref)),
      notices: repo.notices.map(({ message }) => message),
    };
  },
};

function described({ name, summary, argument, options }: WorkflowHead) {
  return {
    name,
    summary,
    argument: { ...argument },
    options: Object.entries(options).map(([option, spec]) => ({
      name: option,
      type: spec.type,
      summary: spec.summary,
      ...(spec.type === 'choice' ? { choices: [...spec.choices] } : {}),
      ...(spec.type === 'number' && spec.min !== undefined ? { min: spec.min } : {}),
      ...(spec.type === 'number' && spec.max !== undefined ? { max: spec.max } : {}),
      ...(spec.default === undefined ? {} : { default: spec.default }),
    })),
  };
}
