/** A design directory, read and checked: what it holds, in which order it would be built, what is wrong. Changes nothing. */
import { z } from 'zod';
import type { DesignProblem } from '../design/design-problems.ts';
import type { Design } from '../design/design.ts';
import { readDesign } from '../design/read-design.ts';
import { closure, planningRounds, stages } from '../plan/graph.ts';
import { jsonShaped } from './json-shaped.ts';
import type { Operation } from './operation.ts';
import { directoryIn, openProjectTree } from './project-tree.ts';

const input = z.strictObject({ directory: z.string().min(1) });

export interface DesignChecked {
  readonly directory: string;
  readonly ok: boolean;
  readonly problems: readonly DesignProblem[];
  readonly design: DesignSummary | undefined;
}

export interface DesignSummary {
  readonly name: string;
  readonly status: string;
  readonly prd: string | undefined;
  readonly modules: readonly {
    readonly id: string;
    readonly name: string;
    readonly depends: readonly string[];
    /** Everything it needs, directly or not. */
    readonly closure: readonly string[];
    readonly features: readonly string[];
  }[];
  /** Ids per phase, and per round of planning; empty while the dependencies form a circle. */
  readonly phases: readonly (readonly string[])[];
  readonly planningRounds: readonly (readonly string[])[];
  readonly features: readonly { readonly id: string; readonly name: string; readonly criteria: readonly string[] }[];
  readonly journeys: readonly { readonly id: string; readonly name: string; readonly touchpoints: number }[];
  readonly standards: Design['standards'];
  readonly extra: readonly { readonly file: string; readonly line: number; readonly title: string }[];
}

const output = jsonShaped<DesignChecked>();

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
      closure: closure(ordered, id),
      features,
    })),
    phases: stages(ordered),
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
