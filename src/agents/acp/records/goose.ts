/**
 * goose, from what was measured with 1.34 (@aaif/goose); not among the agents that the tests run. Its figures are of
 * the last call only, and a cancelled turn can leave a shell, which ends with its jail.
 */
import type { AcpRecord } from '../record.ts';

export const goose: AcpRecord = {
  name: 'goose',
  title: 'goose',
  command: ['goose', 'acp', '--with-builtin', 'developer'],
  packages: ['@aaif/goose@1.34.0'],
  wire: 'openai-chat',
  upstream: 'https://api.openai.com',
  keys: ['OPENAI_API_KEY'],
  login: {
    directory: '.config/goose',
    variable: undefined,
    credentials: [],
    copies: ['config.yaml', 'secrets.yaml'],
  },
  configure: ({ url, key, model }) => ({
    env: {
      GOOSE_MODE: 'auto',
      GOOSE_DISABLE_KEYRING: '1',
      GOOSE_TELEMETRY_ENABLED: 'false',
      GOOSE_TELEMETRY_OFF: '1',
      ...(model === undefined ? {} : { GOOSE_MODEL: model }),
      ...(url === undefined ? {} : { GOOSE_PROVIDER: 'openai', OPENAI_HOST: url }),
      ...(key === undefined ? {} : { OPENAI_API_KEY: key }),
    },
    files: {},
  }),
  systemPrompt: 'prompt',
  model: 'configuration',
  mode: undefined,
  authenticate: undefined,
  usage: 'last-call',
  resume: ['load'],
};
