/** A plan directory and the source it leads to, checked: structure, traceability, delivery discipline. Changes nothing. */
import { createHash } from 'node:crypto';
import { realpathSync } from 'node:fs';
import { posix, relative, resolve, sep } from 'node:path';
import { z } from 'zod';
import { checkPlan, type PlanAnswer, type PlanGate, planGates } from '../delivery/check-plan.ts';
import { planInput } from '../delivery/plan-inputs.ts';
import { issueSeverities, worstSeverity } from '../delivery/plan-issue.ts';
import type { Design } from '../design/design.ts';
import { readDesign } from '../design/read-design.ts';
import { resolveLink } from '../design/source-tree.ts';
import { ForgeError } from '../errors.ts';
import { openConfinedTree } from '../files/confined-tree.ts';
import { readDeliveryState } from '../git/delivery-state.ts';
import { forgeVersion } from '../version.ts';
import { sarifLog } from '../views/report/sarif-log.ts';
import type { JsonOf, Operation } from './operation.ts';
import { openProjectTree, type ProjectTree } from './project-tree.ts';

const input = z.strictObject({
  planDir: z.string().min(1).optional(),
  sourceRoot: z.string().min(1).optional(),
  gate: z.string().optional(),
});

const output = z.strictObject({
  gate: z.enum(planGates).optional(),
  ok: z.boolean(),
  worst: z.enum(issueSeverities).optional(),
  issues: z.array(
    z.strictObject({
      criterion_id: z.string(),
      /** `path` or `path:line`. */
      file: z.string(),
      severity: z.enum(issueSeverities),
      description: z.string(),
      suggested_fix: z.string(),
      scope: z.string(),
    }),
  ),
  unread: z.array(z.strictObject({ file: z.string(), why: z.string() })),
  sarif: z.string(),
});
export type PlanChecked = JsonOf<typeof output>;

export const checkPlanDirectory: Operation<typeof input, typeof output> = {
  name: 'check-plan',
  kind: 'query',
  description: 'Checks a plan directory and the discipline of the source it leads to.',
  input,
  output,
  async run({ cwd }, { planDir, sourceRoot, gate }) {
    const wanted = planGates.find((each) => each === gate);
    if (gate !== undefined && wanted === undefined) {
      throw new ForgeError('bad-input', `There is no gate ${JSON.stringify(gate.slice(0, 60))}`, {
        hint: `The gates are: ${planGates.join(', ')}.`,
      });
    }
    if (planDir === undefined && sourceRoot === undefined) {
      throw new ForgeError('bad-input', 'check-plan needs a plan directory or --source-root', {
        hint: 'See forge check-plan --help.',
      });
    }
    const plan = planDir === undefined ? undefined : realDirectory(cwd, planDir, 'The plan directory');
    const source = sourceRoot === undefined ? undefined : realDirectory(cwd, sourceRoot, 'The source root');
    const project = openProjectTree(plan ?? source ?? cwd);
    const planTree = plan === undefined ? undefined : openConfinedTree(plan);
    const answer = checkPlan({
      gate: wanted,
      plan: planTree,
      planDir: plan === undefined ? '' : slashed(relative(project.root, plan)),
      source: source === undefined ? undefined : openConfinedTree(source),
      planInSource: plan === undefined || source === undefined ? undefined : slashed(relative(source, plan)),
      design: plan === undefined ? undefined : designOf(project, plan),
      git: plan === undefined ? undefined : await readDeliveryState(project.root),
      now: Date.now(),
    });
    return checkedFrom(answer, wanted);
  },
};

function realDirectory(cwd: string, typed: string, what: string): string {
  let cause: unknown;
  try {
    const real = realpathSync(resolve(cwd, typed));
    if (openConfinedTree(real).list('.').status === 'read') return real;
  } catch (error) {
    cause = error;
  }
  throw new ForgeError('bad-input', `${what} ${JSON.stringify(typed.slice(0, 200))} is not a directory`, {
    hint: 'Name a directory that exists and that you can read.',
    cause,
  });
}

/** The design that the plan's README names, where it can be read. */
function designOf({ root, tree }: ProjectTree, plan: string): Design | undefined {
  const found = openConfinedTree(plan).read('README.md');
  const cell = found.status === 'read' ? planInput(found.bytes.toString('utf8'), 'Source Design') : undefined;
  if (cell === undefined) return undefined;
  const readme = posix.join(slashed(relative(root, plan)), 'README.md');
  const candidates = [
    ...cell.links.map((url) => resolveLink(readme, url)),
    ...cell.links.map((url) => resolveLink('README.md', url)),
    resolveLink('README.md', cell.text.replace(/^`|`$/g, '').trim()),
  ];
  for (const link of candidates) {
    if (link.status !== 'inside') continue;
    const dir = link.path.replace(/\/?README\.md$/i, '');
    if (tree.read(`${dir}/README.md`).status === 'read') return readDesign(tree, dir).design;
  }
  return undefined;
}

function slashed(path: string): string {
  return path.split(sep).join('/');
}

const levels = { info: 'note', warning: 'warning', error: 'error', critical: 'error' } as const;

function checkedFrom({ issues, ok, unread }: PlanAnswer, gate: PlanGate | undefined): PlanChecked {
  return {
    gate,
    ok,
    worst: worstSeverity(issues),
    issues: issues.map(({ rule, file, line, severity, description, fix, scope }) => ({
      criterion_id: rule,
      file: line === 0 ? file : `${file}:${line}`,
      severity,
      description,
      suggested_fix: fix,
      scope,
    })),
    unread,
    sarif: sarifLog({
      version: forgeVersion,
      automation: 'forge/check-plan',
      isComplete: true,
      findings: issues.map(({ rule, file, line, severity, description, fix, scope }) => ({
        rule,
        level: levels[severity],
        texts: [description, fix],
        file,
        line,
        fingerprint: createHash('sha256')
          .update(JSON.stringify([rule, file, description]))
          .digest('hex')
          .slice(0, 32),
        properties: { severity, scope },
      })),
    }),
  };
}
