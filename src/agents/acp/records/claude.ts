/**
 * Claude Code through `claude-agent-acp`, proven with 0.99.1. The repository's own settings, hooks, servers and CLAUDE.md
 * stay out by the options of its session; retries are short because Forge sees why a request failed and waits better.
 */
import type { AcpRecord } from '../record.ts';

const oauthVariable = 'CLAUDE_CODE_OAUTH_TOKEN';

export const claude: AcpRecord = {
  name: 'claude',
  title: 'Claude Code',
  command: ['claude-agent-acp'],
  packages: ['@agentclientprotocol/claude-agent-acp@0.99.1'],
  wire: 'anthropic',
  upstream: 'https://api.anthropic.com',
  // The second holds a token of a subscription, as `claude setup-token` makes it.
  keys: ['ANTHROPIC_API_KEY', oauthVariable],
  login: {
    directory: '.claude',
    variable: 'CLAUDE_CONFIG_DIR',
    credentials: ['.credentials.json'],
  },
  configure: ({ home, url, key, keyVariable, model }) => ({
    env: {
      CLAUDE_CONFIG_DIR: `${home}/.claude`,
      CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC: '1',
      CLAUDE_CODE_MAX_RETRIES: '2',
      DISABLE_TELEMETRY: '1',
      DISABLE_AUTOUPDATER: '1',
      // As root it asks for permissions otherwise; the jail is that sandbox.
      IS_SANDBOX: '1',
      ...(url === undefined ? {} : { ANTHROPIC_BASE_URL: url }),
      ...(key === undefined ? {} : { [keyVariable === oauthVariable ? oauthVariable : 'ANTHROPIC_API_KEY']: key }),
      ...(model === undefined ? {} : { ANTHROPIC_MODEL: model }),
    },
    files: {},
  }),
  systemPrompt: 'session',
  model: 'configuration',
  mode: 'bypassPermissions',
  authenticate: undefined,
  usage: 'turn',
  resume: ['resume', 'load'],
  sessionMeta: ({ model, effort, thinking }) => ({
    claudeCode: {
      options: {
        settingSources: [],
        strictMcpConfig: true,
        promptSuggestions: false,
        // Without one it asks a model for a title, which would be under way still when the job is over.
        title: 'Forge',
        ...(model === undefined ? {} : { model }),
        ...(effort === undefined ? {} : { effort }),
        ...(thinking === undefined ? {} : { thinking: { type: thinking } }),
      },
    },
  }),
};
