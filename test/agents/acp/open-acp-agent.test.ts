/** What an agent needs before it is opened: nothing is sent to a provider that could only refuse it. */
import { expect, it } from 'vitest';
import { openAcpAgent } from '../../../src/agents/acp/open-acp-agent.ts';
import { agentSettingsSchema } from '../../../src/policy/agent-settings.ts';
import { createRedactor } from '../../../src/process/redact.ts';

function open(detail: object, env: Readonly<Record<string, string>> = {}) {
  const settings = agentSettingsSchema.parse({ driver: 'builtin', provider: 'anthropic', model: 'm', ...detail });
  if (settings.driver !== 'builtin') throw new Error('another driver');
  return openAcpAgent('own', settings, { redactor: createRedactor({}), env });
}

it.each([
  [{}, 'ANTHROPIC_API_KEY'],
  [{ provider: 'openai' }, 'OPENAI_API_KEY'],
  [{ key: 'MINE' }, 'MINE'],
  [{ key: 'MINE', baseUrl: 'http://127.0.0.1:1' }, 'MINE'],
])('names the variable that %j lacks', (detail, variable) => {
  expect(() => open(detail)).toThrowError(
    expect.objectContaining({
      code: 'agent-unavailable',
      message: `agent own: the variable ${variable} is not set`,
      hint: expect.stringContaining(`set ${variable}`) as string,
    }),
  );
});

it('opens with a key, and without one where none may be asked for', () => {
  expect(open({}, { ANTHROPIC_API_KEY: 'k' }).metered).toMatchObject({ key: 'k' });
  expect(open({ baseUrl: 'http://127.0.0.1:1' }).metered).toMatchObject({ key: undefined });
  expect(open({ provider: 'openai-compatible', baseUrl: 'http://127.0.0.1:1/v1' }).metered).toBeDefined();
});
