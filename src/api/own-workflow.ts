/**
 * The head of a repository's own workflow, for whoever has to know its options before a run is prepared. It is loaded
 * only when a person has agreed to it. Without a repository, or without such a workflow, there is nothing to describe.
 */
import { ForgeError } from '../errors.ts';
import { openRepository } from '../git/repository.ts';
import { ownWorkflows } from '../trust/own-files.ts';
import { requirementArgument, type WorkflowHead } from '../workflows/definition.ts';
import { openContext } from './context.ts';

export interface OwnWorkflowHead {
  readonly head: WorkflowHead;
  /** False: nobody has agreed to it yet, so only its name is known. */
  readonly isTrusted: boolean;
}

export async function describeOwnWorkflow(cwd: string, name: string): Promise<OwnWorkflowHead | undefined> {
  const root = await repositoryRoot(cwd);
  if (root === undefined || !ownWorkflows(root).includes(name)) return undefined;
  try {
    return { head: await (await openContext({ cwd }).forge()).definition(name), isTrusted: true };
  } catch (error) {
    if (!(error instanceof ForgeError) || error.code !== 'not-trusted') throw error;
    // The run asks for consent itself.
    return {
      head: {
        name,
        version: 0,
        summary: 'A workflow of this repository. To see its options, agree to it with forge trust',
        argument: requirementArgument,
        options: {},
      },
      isTrusted: false,
    };
  }
}

async function repositoryRoot(cwd: string): Promise<string | undefined> {
  try {
    return (await openRepository(cwd)).root;
  } catch {
    return undefined;
  }
}
