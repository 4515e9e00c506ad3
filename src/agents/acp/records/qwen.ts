/**
 * Qwen Code, from what was measured with 0.24.4; not among the agents that the tests run. It tells its usage with
 * every piece of a message instead of once per turn.
 */
import type { AcpRecord } from '../record.ts';

export const qwen: AcpRecord = {
  name: 'qwen',
  title: 'Qwen Code',
  command: ['qwen', '--acp', '--auth-type', 'openai'],
  packages: ['@qwen-code/qwen-code@0.24.4'],
  wire: 'openai-chat',
  upstream: 'https://dashscope.aliyuncs.com/compatible-mode',
  keys: ['OPENAI_API_KEY', 'DASHSCOPE_API_KEY'],
  login: {
    directory: '.qwen',
    variable: undefined,
    credentials: ['oauth_creds.json'],
    copies: ['settings.json'],
  },
  configure: ({ url, key, model }) => ({
    env: {
      ...(url === undefined ? {} : { OPENAI_BASE_URL: `${url}/v1` }),
      ...(key === undefined ? {} : { OPENAI_API_KEY: key }),
      ...(model === undefined ? {} : { OPENAI_MODEL: model }),
    },
    files: { '.qwen/settings.json': JSON.stringify(settings) },
  }),
  systemPrompt: 'prompt',
  model: 'configuration',
  mode: 'yolo',
  authenticate: 'openai',
  usage: 'meta-chunks',
  resume: ['resume', 'load'],
};

const settings = {
  privacy: { usageStatisticsEnabled: false },
  telemetry: { enabled: false },
  general: { disableAutoUpdate: true },
  security: { auth: { selectedType: 'openai' } },
};
