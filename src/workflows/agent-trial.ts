/**
 * The smallest work there is, to see whether an agent does any: one file with one line, in a repository made for it. It
 * goes the way all work goes, so what fails here would fail in a run.
 */
import { z } from 'zod';
import type { Workflow } from '../engine/bench.ts';
import { explainMismatch } from '../policy/reply.ts';

export const trialFile = 'hello.txt';
export const trialKey = 'trial';

const inputSchema = z.object({ agent: z.string(), limits: z.object({ wallMs: z.number(), idleMs: z.number() }) });
const resultSchema = z.strictObject({ status: z.enum(['success', 'failed']), summary: z.string() });

const prompt = `Make one file named ${trialFile} in the current directory. Its content is the single line "hello". Change nothing else, then give your result: status "success" and one sentence as summary.`;

export const agentTrial: Workflow = {
  name: 'agent-trial',
  version: 1,
  async run(bench) {
    const { agent, limits } = inputSchema.parse(bench.run.input);
    const { outcome, changes } = await bench.perform('agent.run', trialKey, {
      agent,
      role: 'developer',
      attempt: 1,
      workspace: trialKey,
      commit: bench.run.base,
      prompt,
      resultSchema: z.toJSONSchema(resultSchema, { io: 'input' }) as Record<string, null>,
      ...limits,
    });
    if (outcome.status === 'trouble') return failed(`${outcome.trouble.code}: ${outcome.trouble.message}`);
    if (outcome.status !== 'replied') return failed(`it gave no result (${outcome.status})`);
    const result = resultSchema.safeParse(outcome.reply);
    if (!result.success) return failed(`its result does not fit: ${explainMismatch(result.error, outcome.reply)[0]}`);
    if (result.data.status === 'failed') return failed(`it says it failed: ${result.data.summary}`);
    if (!changes.some(({ path }) => path === trialFile)) return failed(`it did not make ${trialFile}`);
    return { status: 'done', output: { changes } };
  },
};

function failed(reason: string) {
  return { status: 'failed' as const, reason };
}
