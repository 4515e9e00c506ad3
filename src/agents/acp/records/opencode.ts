/**
 * opencode, proven with 1.18.33. Configuration goes in by the environment and wins over the repository's, whose own
 * configuration, plugins and instructions are not read. Its requests go through a provider of ours that speaks chat
 * completions, so that they can be metered whatever model is behind.
 */
import type { AcpPlace, AcpRecord } from '../record.ts';

export const opencode: AcpRecord = {
  name: 'opencode',
  title: 'opencode',
  command: ['opencode', 'acp'],
  packages: ['opencode-ai@1.18.33'],
  wire: 'openai-chat',
  upstream: 'https://api.openai.com',
  keys: ['OPENAI_API_KEY'],
  login: { directory: '.local/share/opencode', variable: undefined, credentials: ['auth.json'] },
  configure: (place) => ({
    env: {
      OPENCODE_CONFIG_CONTENT: JSON.stringify({ ...config, ...providerOf(place) }),
      OPENCODE_DISABLE_PROJECT_CONFIG: '1',
      OPENCODE_PURE: '1',
      OPENCODE_DISABLE_CLAUDE_CODE: '1',
      OPENCODE_DISABLE_DEFAULT_PLUGINS: '1',
      OPENCODE_DISABLE_EXTERNAL_SKILLS: '1',
      OPENCODE_DISABLE_AUTOUPDATE: '1',
      OPENCODE_DISABLE_MODELS_FETCH: '1',
      OPENCODE_DISABLE_LSP_DOWNLOAD: '1',
      ...(place.key === undefined ? {} : { [keyVariable]: place.key }),
    },
    files: {},
  }),
  systemPrompt: 'prompt',
  model: 'configuration',
  mode: undefined,
  authenticate: undefined,
  usage: 'last-call',
  resume: ['resume', 'load'],
  // Its plugins are loaded whatever the settings say.
  hides: ['.opencode'],
};

const provider = 'forge';
const keyVariable = 'FORGE_MODEL_KEY';

const config = {
  $schema: 'https://opencode.ai/config.json',
  autoupdate: false,
  share: 'disabled',
  permission: 'allow',
};

function providerOf({ url, model }: AcpPlace) {
  if (url === undefined || model === undefined) return model === undefined ? {} : { model };
  const forge = {
    npm: '@ai-sdk/openai-compatible',
    name: 'Forge',
    options: { baseURL: `${url}/v1`, apiKey: `{env:${keyVariable}}` },
    models: { [model]: { name: model, limit: { context: 200_000, output: 32_000 } } },
  };
  const chosen = `${provider}/${model}`;
  return { model: chosen, small_model: chosen, provider: { [provider]: forge } };
}
