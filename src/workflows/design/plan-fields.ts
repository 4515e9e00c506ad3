/** What preparing a run reads of designs, tags and plan directories. Only reads what it is given. */

import { planInput } from '../../delivery/plan-inputs.ts';
import type { Design } from '../../design/design.ts';
import { ForgeError } from '../../errors.ts';
import { isBlankCell } from '../../markdown/section-lookup.ts';
import { patternProblem } from '../../plan/path-rules.ts';
import type { CommitDocuments, WorkflowRequest } from '../definition.ts';
import type { designOptions } from './definition.ts';
import type { DesignInput } from './design-input.ts';
import { explainProblem, type PlacedProblem } from './plan/read-plan-directory.ts';

export type DesignRequest = WorkflowRequest<typeof designOptions>;
/** Tags of designs: `delivery-2-cancel-flow`, with or without the name of the tool that made them. */
export const deliveryTag = /^(?:system-design-)?delivery-(\d+)(?:-(.+))?$/;

export function describeDesign({ dir, name, prd }: Design): DesignInput['design'] {
  return { dir, name, prd: prd?.dir ?? '' };
}

export function readmeOf(tree: CommitDocuments, dir: string): string | undefined {
  const found = tree.read(`${dir}/README.md`);
  return found.status === 'read' ? found.bytes.toString('utf8') : undefined;
}

/** A value of the table `Design Input`; a dash is not a value. */
export function designInputField(readme: string, name: string): string {
  const text = planInput(readme, name)?.text.replaceAll('`', '').trim() ?? '';
  return isBlankCell(text) ? '' : text;
}

/** What a plan directory says about itself, for the run that goes on with it. */
export function plannedFields(
  readme: string,
  dir: string,
): Pick<DesignInput['plan'], 'dir' | 'family' | 'date'> & { threshold?: number } {
  const percent = Number.parseInt(designInputField(readme, 'Acceptance Threshold'), 10);
  return {
    dir,
    family:
      designInputField(readme, 'Feature Branch Family') || designInputField(readme, 'Feature Branch') || familyOf(dir),
    date: designInputField(readme, 'Date'),
    ...(percent >= 0 && percent <= 100 ? { threshold: percent } : {}),
  };
}

/** A plan directory is somebody's text: what is wrong with it is named before a run starts. */
export function refuseProblems(dir: string, problems: readonly PlacedProblem[]): void {
  if (problems.length === 0) return;
  const shown = problems.slice(0, 10).map((problem) => `  ${explainProblem(problem)}`);
  const more = problems.length > 10 ? [`  and ${problems.length - 10} more`] : [];
  throw new ForgeError('bad-input', `The plans in ${dir} cannot be used:\n${[...shown, ...more].join('\n')}`, {
    hint: `Fix and commit them. forge check-plan ${dir} checks every rule.`,
  });
}

export function familyOf(planDir: string): string {
  return `autoforge/${planDir.split('/').at(-1) ?? planDir}`;
}

export function plansRoot(option: string): string {
  const root = option.replace(/\/+$/, '');
  if (root !== '' && !root.startsWith('/') && !root.split('/').includes('..') && patternProblem(root) === undefined)
    return root;
  throw new ForgeError(
    'bad-input',
    `--plans ${JSON.stringify(option.slice(0, 100))} is not a directory of the repository`,
    {
      hint: 'Use a path relative to the repository, such as docs/raw/plans.',
    },
  );
}
