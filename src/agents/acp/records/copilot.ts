/**
 * GitHub Copilot CLI, from what was measured with 1.0.102 against a provider of one's own; not among the agents that
 * the tests run. With the subscription's login its requests cannot be metered.
 */
import { join } from 'node:path';
import type { AcpRecord } from '../record.ts';

export const copilot: AcpRecord = {
  name: 'copilot',
  title: 'GitHub Copilot CLI',
  command: ['copilot', '--acp', '--no-auto-update', '--disable-builtin-mcps', '--allow-all-tools'],
  packages: ['@github/copilot@1.0.102'],
  wire: 'openai-chat',
  upstream: 'https://api.openai.com',
  keys: ['COPILOT_PROVIDER_API_KEY', 'OPENAI_API_KEY'],
  login: {
    directory: '.copilot',
    variable: 'COPILOT_HOME',
    credentials: [],
    copies: ['config.json'],
  },
  configure: ({ home, url, key, model }) => ({
    env: {
      COPILOT_HOME: join(home, '.copilot'),
      COPILOT_AUTO_UPDATE: 'false',
      ...(model === undefined ? {} : { COPILOT_MODEL: model }),
      ...(url === undefined
        ? {}
        : {
            COPILOT_OFFLINE: 'true',
            COPILOT_PROVIDER_TYPE: 'openai',
            COPILOT_PROVIDER_BASE_URL: `${url}/v1`,
            COPILOT_PROVIDER_API_KEY: key ?? '',
          }),
    },
    files: {},
  }),
  systemPrompt: 'prompt',
  model: 'configuration',
  mode: undefined,
  authenticate: undefined,
  usage: 'turn',
  resume: ['load'],
};
