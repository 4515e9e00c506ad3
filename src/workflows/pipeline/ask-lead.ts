/** A question to one of the roles that look at a sprint as a whole: read-only, with the whole prompt of its own. */
import { z } from 'zod';
import type { Bench } from '../../engine/bench.ts';
import type { StepEndInput } from '../../engine/facts.ts';
import { resultContract } from '../../policy/result-contract.ts';
import { renderSections, type Section } from '../../policy/sections.ts';
import { type AgentAnswer, askAgent } from '../moves/ask-agent.ts';
import { type OwnRole, roleBlock } from '../../pipelines/personas.ts';
import type { PipelineInput } from './pipeline-input.ts';

export interface LeadQuestion<T> {
  readonly input: PipelineInput;
  readonly role: 'architect' | 'product-manager' | 'librarian';
  readonly ownRoles?: Readonly<Record<string, OwnRole>>;
  readonly result: z.ZodType<T>;
  readonly sections: readonly Section[];
  readonly task: string;
  readonly commit: string;
  readonly describe: (result: T) => StepEndInput;
}

export function askLead<T>(bench: Bench, key: string, question: LeadQuestion<T>): Promise<AgentAnswer<T>> {
  const { input, role, result, sections, task, commit, describe, ownRoles = {} } = question;
  const schema = z.toJSONSchema(result, { io: 'input', unrepresentable: 'any' });
  const prompt = (why?: string): string =>
    renderSections([
      { title: 'Your role', text: roleBlock(role, input.options.inline, ownRoles[role]), budget: 6_000 },
      { title: "The project's own guidance for agents", text: input.guidance, budget: 12_000 },
      ...sections,
      {
        title: 'What to do',
        text: why === undefined ? task : `${task}\n\nAn earlier answer could not be used: ${why}`,
        budget: 8_000,
      },
      { title: 'How to end', text: resultContract(schema), budget: 20_000 },
    ]);
  return askAgent<T>(bench, key, {
    agent: input.agents[role] ?? '',
    role,
    workspace: `lead-${role}`,
    commit,
    access: 'read',
    isWhole: true,
    tools: ['records'],
    result,
    prompt: prompt(),
    recoveryPrompt: prompt,
    describe,
    ...(input.limits === undefined ? {} : { limits: input.limits }),
  });
}

export function dropLead(bench: Bench, role: LeadQuestion<unknown>['role'], commit: string) {
  return bench.perform('workspace.drop', `lead-${role}/drop`, {
    workspace: `lead-${role}`,
    captured: commit,
    readOnly: true,
  });
}
