/** A design directory, read and checked: what it holds, in which order it would be built, what is wrong. Changes nothing. */
import { z } from 'zod';
import type { Design } from '../design/design.ts';
import type { DesignProblem } from '../design/design-problems.ts';
import { readDesign } from '../design/read-design.ts';
import { dependencyClosure, planningRounds, planStages } from '../plan/graph.ts';
import type { JsonOf, Operation } from './operation.ts';
import { directoryIn, openProjectTree } from './project-tree.ts';

const input = z.strictObject({ directory: z.string().min(1) });

const strings = z.array(z.string());
const place = { file: z.string(), line: z.number().int() };
const codingRule = z.strictObject({
  ...place,
  origin: z.enum(['project', 'design', 'prd']),
  topic: z.string(),
  name: z.string(),
  text: z.string(),
});
const designSummary = z.strictObject({
  name: z.string(),
  status: z.string(),
  prd: z.string().optional(),
  modules: z.array(
    z.strictObject({
      id: z.string(),
      name: z.string(),
      depends: strings,
      /** Everything it needs, directly or not. */
      closure: strings,
      features: strings,
    }),
  ),
  /** Ids per phase, and per round of planning; empty while the dependencies form a circle. */
  phases: z.array(strings),
  planningRounds: z.array(strings),
  features: z.array(z.strictObject({ id: z.string(), name: z.string(), criteria: strings })),
  journeys: z.array(z.strictObject({ id: z.string(), name: z.string(), touchpoints: z.number().int() })),
  standards: z.strictObject({
    rules: z.array(codingRule),
    overridden: z.array(codingRule.extend({ by: z.strictObject(place) })),
  }),
  extra: z.array(z.strictObject({ ...place, title: z.string() })),
});
const output = z.strictObject({
  directory: z.string(),
  ok: z.boolean(),
  problems: z.array(
    z.strictObject({ ...place, severity: z.enum(['error', 'warning']), problem: z.string(), fix: z.string() }),
  ),
  design: designSummary.optional(),
});
export type DesignChecked = JsonOf<typeof output>;
export type DesignSummary = JsonOf<typeof designSummary>;

export const checkDesign: Operation<typeof input, typeof output> = {
  name: 'check-design',
  kind: 'query',
  description: 'Reads a design and its PRD, and reports what is missing or malformed.',
  input,
  output,
  run({ cwd }, { directory }) {
    const project = openProjectTree(cwd);
    const dir = directoryIn(project, cwd, directory, 'The design');
    const { design, problems } = readDesign(project.tree, dir);
    const ok = problems.every(({ severity }) => severity !== 'error');
    return Promise.resolve({
      directory: dir,
      ok,
      problems,
      design: design === undefined ? undefined : summaryOf(design, problems),
    });
  },
};

function summaryOf(design: Design, problems: readonly DesignProblem[]): DesignSummary {
  const { modules, prd } = design;
  const ordered = problems.some(({ problem }) => problem.includes('in a circle') || problem.includes('on itself'))
    ? []
    : modules;
  return {
    name: design.name,
    status: design.status,
    prd: prd?.dir,
    modules: modules.map(({ id, name, depends, features }) => ({
      id,
      name,
      depends,
      closure: dependencyClosure(ordered, id),
      features,
    })),
    phases: planStages(ordered),
    planningRounds: planningRounds(ordered),
    features: (prd?.features ?? []).map(({ id, name, criteria }) => ({
      id,
      name,
      criteria: criteria.map((each) => each.id),
    })),
    journeys: (prd?.journeys ?? []).map(({ id, name, touchpoints }) => ({ id, name, touchpoints: touchpoints.length })),
    standards: design.standards,
    extra: [design, ...modules, ...(prd === undefined ? [] : [prd])].flatMap((each) =>
      each.extra.map(({ file, line, title }) => ({ file, line, title })),
    ),
  };
}
