/** The pipelines that every project has, with the gates that hold where a project has none of its own. Pure data. */
import { pipelinePhaseSchema, type PipelinePhase } from '../policy/pipeline-settings.ts';

const phase = (role: string): PipelinePhase => pipelinePhaseSchema.parse({ command: role, role });

export const builtinPipelines: Readonly<
  Record<
    'task' | 'bug',
    { readonly description: string; readonly phases: readonly PipelinePhase[]; readonly gates: string }
  >
> = {
  task: {
    description: 'Plan, review, build, review, validate, approve and commit a task',
    phases: ['plan', 'review-plan', 'implement', 'review-code', 'validate', 'approve', 'writeback', 'commit'].map(
      phase,
    ),
    gates: `
\`\`\`gates phase=plan
forbid task.status == committed
forbid task.status == abandoned
forbid task.status == blocked
forbid task.status == escalated
\`\`\`

\`\`\`gates phase=review-plan
artifact {engineering}/sprints/{sprint}/{task}/PLAN.md min=200
forbid task.status == blocked
forbid task.status == escalated
\`\`\`

\`\`\`gates phase=implement
artifact {engineering}/sprints/{sprint}/{task}/PLAN.md min=200
after review-plan = approved
forbid task.status == committed
forbid task.status == blocked
forbid task.status == escalated
\`\`\`

\`\`\`gates phase=review-code
after review-plan = approved
forbid task.status == blocked
forbid task.status == escalated
\`\`\`

\`\`\`gates phase=validate
after review-code = approved
forbid task.status == blocked
forbid task.status == escalated
\`\`\`

\`\`\`gates phase=approve
after review-code = approved
forbid task.status == blocked
forbid task.status == escalated
\`\`\`

\`\`\`gates phase=commit
after approve = approved
forbid task.status == blocked
forbid task.status == escalated
\`\`\`

\`\`\`outputs phase=plan
artifact {engineering}/sprints/{sprint}/{task}/PLAN.md min=200
\`\`\`
`,
  },
  bug: {
    description: 'Triage a bug, fix it directly or by a plan, review, approve and commit',
    phases: ['triage', 'plan-fix', 'review-plan', 'implement', 'review-code', 'approve', 'commit'].map(phase),
    gates: `
\`\`\`gates phase=triage
forbid bug.status == fixed
forbid bug.status == abandoned
\`\`\`

\`\`\`gates phase=plan-fix
forbid bug.status == fixed
forbid bug.status == abandoned
\`\`\`

\`\`\`gates phase=review-plan
forbid bug.status == fixed
forbid bug.status == abandoned
\`\`\`

\`\`\`gates phase=implement
forbid bug.status == fixed
forbid bug.status == abandoned
\`\`\`

\`\`\`gates phase=review-code
forbid bug.status == fixed
forbid bug.status == abandoned
\`\`\`

\`\`\`gates phase=approve
after review-code = approved
forbid bug.status == abandoned
\`\`\`

\`\`\`gates phase=commit
after approve = approved
forbid bug.status == abandoned
\`\`\`
`,
  },
};

/**
 * The built-in gates for the phases that a pipeline has. A project's own pipeline may have fewer phases: a gate does not wait
 * for the verdict of a phase that is not there, nor for the plan that nobody writes.
 */
export function builtinGates(kind: 'task' | 'bug', phases: readonly PipelinePhase[]): string {
  const names = new Set(phases.flatMap(({ command, role }) => [command, role]));
  const { gates } = builtinPipelines[kind];
  return gates
    .split('\n')
    .filter((line) => {
      const awaited = /^after (\S+) =/.exec(line)?.[1];
      if (awaited !== undefined) return names.has(awaited);
      return names.has('plan') || !/^artifact .*\/PLAN\.md/.test(line);
    })
    .join('\n');
}
