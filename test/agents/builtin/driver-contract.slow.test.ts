/**
 * The built-in agent under the contract of every driver: in the real jail, with the real ACP driver and bridge, its model
 * scripted. What an agent of the contract does by itself, this one does because its model says so.
 */
import { describe, expect, test } from 'vitest';
import { acpDriver } from '../../../src/agents/acp/driver.ts';
import { type BuiltinOptions, builtinRecord } from '../../../src/agents/acp/records/builtin.ts';
import type { AgentDriver, AgentJob } from '../../../src/agents/agent.ts';
import { createRedactor, type Redactor } from '../../../src/process/redact.ts';
import { type ModelServer, startModelServer } from '../../clients/model-server/server.ts';
import type { Answer, Call } from '../../clients/model-server/script.ts';
import { type Behaviour, describeDriver } from '../../contract/agent-driver.contract.ts';
import { frozenClock, makeWorkshop, recorder } from '../workshop.ts';

describeDriver('built-in', (behaviour, parts) => builtinDriver({ ...parts, answers: answersOf(behaviour) }), {
  sessions: 'always',
  judged: true,
});

interface Making {
  readonly answers: readonly Answer[];
  readonly redactor?: Redactor;
  readonly clock?: Parameters<typeof acpDriver>[0]['clock'];
  readonly provider?: BuiltinOptions['provider'];
  readonly onEnd?: (model: ModelServer) => void;
}

function builtinDriver({ answers, redactor, clock, provider = 'openai-compatible', onEnd }: Making): AgentDriver {
  return {
    name: 'builtin',
    canResume: true,
    async run(job, sink, signal) {
      const model = await startModelServer([{ name: 'all', answers: [...answers] }]);
      try {
        const record = builtinRecord({ provider, model: 'scripted-1', baseUrl: model.url });
        const driver = acpDriver({
          name: 'builtin',
          record,
          program: ['/bin/sh', '-c', wrapper, 'wrapper', ...record.command],
          env: {},
          redactor: redactor ?? createRedactor({}),
          clock: clock ?? frozenClock,
          patience: { afterResultMs: 60_000, afterCancelMs: 500 },
        });
        return await driver.run(onNetwork(job), sink, signal);
      } finally {
        onEnd?.(model);
        await model.close();
      }
    },
  };
}

/** Ends as a command of the model says it shall: no agent of ours ends with 3 by itself. */
const wrapper = '"$@"; code=$?; [ -e "$TMPDIR/exit" ] && exit "$(cat "$TMPDIR/exit")"; exit "$code"';

/** The model is outside the jail, on the loopback of this machine. */
function onNetwork(job: AgentJob): AgentJob {
  const { workspace } = job;
  return { ...job, workspace: { ...workspace, policy: { ...workspace.policy, network: 'on' } } };
}

/** What is counted is another test's business. */
const tokens = { input: 0, output: 0, cached: 0, written: 0, reasoning: 0 };

function answersOf({ shell, badReply, reply, end }: Behaviour): readonly Answer[] {
  if (end === 'flood') return [{ text: 'spew '.repeat(100_000), tokens }];
  const submits: Call[] = [badReply, reply].flatMap((one) =>
    one === undefined ? [] : [{ submit: one as Record<string, unknown> }],
  );
  // Commands end with everything they started, so an agent that hangs does so in its command.
  const command = [shell, ...(end === 'hang' ? ['sleep 86400'] : [])].filter((part) => part !== undefined).join('\n');
  const runs: Call[] = command === '' ? [] : [{ run: command }];
  if (typeof end === 'number')
    return [{ calls: [...submits, { run: `echo ${end} > "$TMPDIR/exit"; kill -9 $PPID` }], tokens }];
  return [
    ...(runs.length === 0 ? [] : [{ text: 'I begin.', calls: runs, tokens }]),
    ...submits.map((submit) => ({ calls: [submit], tokens })),
    { text: 'I am done.', tokens },
  ];
}

describe('the built-in agent through the driver', () => {
  test.each(['anthropic', 'openai', 'openai-compatible'] as const)(
    'what it used is what %s counted',
    async (provider) => {
      const workshop = makeWorkshop();
      try {
        let counted: unknown;
        const driver = builtinDriver({
          provider,
          answers: [{ calls: [{ write: { path: 'a.txt', content: 'a' } }] }, { calls: [{ submit: { ok: true } }] }],
          onEnd: (model) => {
            const { inputTokens, outputTokens } = model.tally();
            counted = { inputTokens, outputTokens, costUsd: 0, turns: 1 };
          },
        });
        const outcome = await driver.run(workshop.job(), recorder(), new AbortController().signal);
        expect(outcome).toEqual({
          status: 'replied',
          reply: { ok: true },
          session: expect.any(String),
          usage: counted,
          durationMs: 0,
        });
      } finally {
        workshop.close();
      }
    },
  );

  test('trouble of the provider is told by its kind', async () => {
    const workshop = makeWorkshop();
    try {
      const driver = builtinDriver({ provider: 'anthropic', answers: [{ refuse: 'rate_limit', retryAfter: 30 }] });
      const outcome = await driver.run(workshop.job(), recorder(), new AbortController().signal);
      expect(outcome).toMatchObject({ status: 'trouble', trouble: { code: 'rate_limit', retryAfterMs: 30_000 } });
    } finally {
      workshop.close();
    }
  });
});
