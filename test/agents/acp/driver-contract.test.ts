/** The driver for ACP agents under the contract of every driver, with the small agent of the tests. */
import { acpDriver } from '../../../src/agents/acp/driver.ts';
import { type Behaviour, describeDriver } from '../../contract/agent-driver.contract.ts';
import type { Play, PlayStep } from '../acp-agent/play.ts';
import { playing } from '../acp-agent/record.ts';

describeDriver(
  'ACP',
  (behaviour, { redactor, clock }) =>
    acpDriver({
      name: 'acp-agent',
      record: playing(playOf(behaviour)),
      redactor,
      clock,
      patience: { afterResultMs: 10_000, afterCancelMs: 500 },
    }),
  { sessions: 'always', usage: true, judged: true },
);

function playOf({ shell, usage, badReply, reply, end }: Behaviour): Play {
  const submissions = [badReply, reply].filter((result) => result !== undefined);
  const steps: PlayStep[] = [
    ...(shell === undefined ? [] : [{ shell }]),
    ...(usage === undefined ? [] : [costUpdate(usage.costUsd)]),
    ...submissions.map((args) => ({ call: { tool: 'submit_result', args } })),
    ...(end === 'hang' ? [{ hang: true } as const] : []),
    ...(end === 'flood' ? [{ flood: true } as const] : []),
    ...(typeof end === 'number' ? [{ exit: end }] : []),
  ];
  return { steps, ...(usage === undefined ? {} : { answer: { usage } }) };
}

function costUpdate(amount: number): PlayStep {
  return { update: { sessionUpdate: 'usage_update', used: 1, size: 2, cost: { amount, currency: 'USD' } } };
}
