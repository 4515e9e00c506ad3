/**
 * A plan that a person edited: text becomes a plan, or faults, each with its place in the text so that the person
 * finds it. What the text does not name stays as it was. Pure.
 */
import { type Document, isNode, LineCounter } from 'yaml';
import { readYaml, yamlProblem } from '../../plan/read-yaml.ts';
import type { Plan } from '../../plan/plan.ts';
import type { Issue } from '../../plan/refusal.ts';
import { validatePlan } from '../../plan/validate-plan.ts';

export type EditedPlan =
  | {
      readonly status: 'usable';
      readonly plan: Plan;
      /** What a person may want to know about the plan. */
      readonly warnings: readonly string[];
      /** Everything the text holds, for what a workflow adds to a plan. */
      readonly fields: Readonly<Record<string, unknown>>;
      /** An issue in words, with the line it is about. */
      readonly describe: (issue: Issue) => string;
    }
  /** Each e.g. `line 4, tasks[0].title: It is missing. Add "title": a string.` */
  | { readonly status: 'faulty'; readonly problems: readonly string[] };

export function readEditedPlan(text: string, before: Plan): EditedPlan {
  const counter = new LineCounter();
  const document = readYaml(text, { lineCounter: counter, prettyErrors: false });
  const [error] = document.errors;
  if (error !== undefined) return faulty([`line ${counter.linePos(error.pos[0]).line}: ${yamlProblem(error)}`]);
  let value: unknown;
  try {
    value = document.toJS({ maxAliasCount: 50 });
  } catch (cause) {
    return faulty([yamlProblem(cause)]);
  }
  const describe = (issue: Issue): string => {
    const offset = offsetOf(document, issue.where);
    const line = offset === undefined ? '' : `line ${counter.linePos(offset).line}, `;
    return `${line}${issue.where}: ${issue.problem} ${issue.fix}`.trim();
  };
  const fields = typeof value === 'object' && value !== null ? (value as Readonly<Record<string, unknown>>) : {};
  const valid = validatePlan({ ...before, tasks: fields['tasks'] });
  if (valid.status === 'invalid') return faulty(valid.issues.map(describe));
  const warnings = valid.warnings.map((warning) => `${warning.where}: ${warning.problem}`);
  return { status: 'usable', plan: valid.plan, warnings, fields, describe };
}

function faulty(problems: readonly string[]): EditedPlan {
  return { status: 'faulty', problems };
}

/** Where `tasks[0].title` stands in the text; what is missing is looked for one step up. */
function offsetOf(document: Document, where: string): number | undefined {
  const path = [...where.matchAll(/\[(\d+)\]|([^.[\]]+)/g)].map(([, index, name]) => name ?? Number(index));
  for (let length = path.length; length > 0; length -= 1) {
    const node: unknown = document.getIn(path.slice(0, length), true);
    if (isNode(node) && node.range != null) return node.range[0];
  }
  return undefined;
}
