/** What changed in a design since a commit, module by module, and whether it can be built on the delivery before. Changes nothing. */
import { z } from 'zod';
import { plannedModule } from '../delivery/check-plan-readme.ts';
import { unfinishedModules } from '../delivery/plan-status.ts';
import { type DesignImpact, designImpact, impactClasses } from '../design/design-impact.ts';
import { type EvolveRefusal, evolveRefusal, refusalCodes } from '../design/evolve-refusal.ts';
import { readDesign } from '../design/read-design.ts';
import { ForgeError } from '../errors.ts';
import { readCommitDocuments } from '../git/commit-documents.ts';
import { readDeliveryState } from '../git/delivery-state.ts';
import type { JsonOf, Operation } from './operation.ts';
import { directoryIn, openProjectTree, type ProjectTree } from './project-tree.ts';

const input = z.strictObject({
  directory: z.string().min(1),
  since: z.string().min(1),
  /** The plan directory of the delivery before. */
  plan: z.string().min(1).optional(),
});

const strings = z.array(z.string());
const output = z.strictObject({
  directory: z.string(),
  since: z.string(),
  modules: z.array(z.strictObject({ module: z.string(), impact: z.enum(impactClasses), reasons: strings })),
  undecided: z.array(
    z.strictObject({
      module: z.string(),
      part: z.enum(['interfaces', 'data models', 'tech stack']),
      consumers: strings,
    }),
  ),
  conventions: z.strictObject({ added: strings, removed: strings }),
  /** Only where a plan directory was named. */
  refusal: z.strictObject({ code: z.enum(refusalCodes), message: z.string(), fix: z.string() }).optional(),
});
export type DesignImpactFound = JsonOf<typeof output>;

export const findDesignImpact: Operation<typeof input, typeof output> = {
  name: 'design-impact',
  kind: 'query',
  description: 'What a changed design means for its modules.',
  input,
  output,
  async run({ cwd }, { directory, since, plan }) {
    const project = openProjectTree(cwd);
    const dir = directoryIn(project, cwd, directory, 'The design');
    const old = await readCommitDocuments(project.root, since);
    const before = readDesign(old, dir).design;
    const { design: after, problems } = readDesign(project.tree, dir);
    if (before === undefined) {
      throw new ForgeError('bad-input', `${dir} was not a design at ${since.slice(0, 100)}`, {
        hint: 'Name a commit that has the design.',
      });
    }
    if (after === undefined || problems.some(({ severity }) => severity === 'error')) {
      throw new ForgeError('bad-input', `${dir} has errors`, { hint: `See forge design check ${dir}.` });
    }
    const impact = designImpact(before, after);
    const refusal =
      plan === undefined ? undefined : await refusalFor({ project, cwd, plan, since: old.commit, impact });
    return { directory: dir, since: old.commit, ...impact, refusal };
  },
};

interface RefusalQuestion {
  readonly project: ProjectTree;
  readonly cwd: string;
  readonly plan: string;
  readonly since: string;
  readonly impact: DesignImpact;
}

async function refusalFor({ project, cwd, plan, since, impact }: RefusalQuestion): Promise<EvolveRefusal | undefined> {
  const planDir = directoryIn(project, cwd, plan, 'The plan directory');
  const readme = project.tree.read(`${planDir}/README.md`);
  const files = project.tree.list(`${planDir}/plans`);
  const state = await readDeliveryState(project.root);
  const isChanged = impact.modules.some((module) => module.impact !== 'kept');
  return evolveRefusal({
    priorPlan:
      readme.status === 'read'
        ? {
            directory: planDir,
            isUnfinished: unfinishedModules(readme.bytes.toString('utf8')).length > 0,
            modules: files.status === 'read' ? files.entries.flatMap(({ name }) => plannedModule(name) ?? []) : [],
          }
        : undefined,
    hasUncommittedChanges: state?.worktrees.find(({ path }) => path === project.root)?.changed.length !== 0,
    baseline: since,
    target: isChanged ? 'the design as it is' : since,
    added: impact.modules.filter((module) => module.impact === 'added').map(({ module }) => module),
  });
}
