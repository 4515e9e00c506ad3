/** A definition as the engine runs it: the program is loaded, and the input is read by its schema. */
import type { Workflow } from '../engine/bench.ts';
import type { WorkflowDefinition } from './definition.ts';

export async function runnableWorkflow({ name, version, load, explainFailure }: WorkflowDefinition): Promise<Workflow> {
  const { program } = await load();
  return {
    name,
    version,
    run: async (bench) => program.run(bench, program.input.parse(bench.run.input)),
    ...(explainFailure === undefined ? {} : { explainFailure }),
  };
}
