/** Attempts at a module, for somebody who coordinates modules on their own: read, added to, or started over. */
import { z } from 'zod';
import { ForgeError } from '../errors.ts';
import { addAttempt, readIterations, resetAttempts } from '../toolbox/attempts.ts';
import { stateId } from '../toolbox/stored-state.ts';
import { noteEvent } from '../toolbox/tool-events.ts';
import type { Operation } from './operation.ts';

const statuses = ['running', 'passed', 'failed', 'stagnant', 'escalated', 'blocked'] as const;

const input = z.strictObject({
  moduleId: stateId,
  runId: stateId.optional(),
  action: z.enum(['get', 'update', 'reset']),
  update: z
    .strictObject({
      status: z.enum(statuses).optional(),
      score: z.number().min(0).max(1).optional(),
      issues: z.array(z.string().max(2000)).max(200).optional(),
      rootCause: z.string().max(4000).optional(),
    })
    .optional(),
});

const attempt = z.strictObject({
  timestamp: z.string(),
  status: z.string(),
  score: z.number(),
  issues: z.array(z.string()),
  stagnant: z.boolean(),
  rootCause: z.string().optional(),
});

const output = z.discriminatedUnion('action', [
  z.strictObject({
    action: z.literal('get'),
    state: z.strictObject({
      attempts: z.array(attempt),
      scores: z.array(z.number()),
      stagnant: z.boolean(),
      lastStatus: z.string().optional(),
      lastRootCause: z.string().optional(),
    }),
  }),
  z.strictObject({ action: z.literal('update'), attempt: z.number().int(), stagnant: z.boolean() }),
  z.strictObject({ action: z.literal('reset'), moduleId: z.string(), runId: z.string().optional() }),
]);

export const iterationState: Operation<typeof input, typeof output> = {
  name: 'iteration-state',
  kind: 'command',
  description:
    'Keeps count of the attempts at a module, with scores, issues and root causes: get them, add one (update), or start over (reset). For a run of Forge the journal tells.',
  input,
  output,
  tool: { name: 'iteration_state', title: 'Count attempts at a module' },
  async run(context, { moduleId, runId, action, update }) {
    const forge = await context.forge();
    const module = { moduleId, runId };
    if (action === 'get') return { action, state: await readIterations(forge, module) };
    if (action === 'update' && update === undefined) {
      throw new ForgeError('bad-input', 'There is nothing to update', {
        hint: 'Give update: {status, score, issues}.',
      });
    }
    const event = { phase: 'retry', moduleId, event: `iteration_${action}`, severity: 'info', data: {} } as const;
    await noteEvent(forge.repo.stateFolder, runId, event);
    if (action === 'update') return { action, ...(await addAttempt(forge, module, update ?? {})) };
    await resetAttempts(forge, module);
    return { action, moduleId, runId };
  },
};
