/**
 * Codex through `codex-acp`, proven with 2.6.0. Its configuration travels in CODEX_CONFIG, which goes over whatever a
 * mounted login's own config.toml says. Its sandbox is off because ours is around it, and inside ours it could not
 * start one. Retries are left to Forge, which sees why a request failed.
 */
import type { AcpPlace, AcpRecord } from '../record.ts';

export const codex: AcpRecord = {
  name: 'codex',
  title: 'Codex',
  command: ['codex-acp'],
  packages: ['@agentclientprotocol/codex-acp@2.6.0', '@openai/codex@0.166.0'],
  wire: 'openai-responses',
  upstream: 'https://api.openai.com',
  keys: ['CODEX_API_KEY', 'OPENAI_API_KEY'],
  login: {
    directory: '.codex',
    variable: 'CODEX_HOME',
    credentials: ['auth.json'],
    copies: ['config.toml'],
  },
  configure: (place) => ({
    env: {
      CODEX_CONFIG: JSON.stringify({ ...config, ...modelOf(place), ...providerOf(place) }),
      INITIAL_AGENT_MODE: 'agent-full-access',
      NO_BROWSER: '1',
      ...(place.url === undefined ? {} : { MODEL_PROVIDER: provider }),
      ...(place.key === undefined ? {} : { [keyVariable]: place.key }),
    },
    files: {},
  }),
  systemPrompt: 'session',
  model: 'configuration',
  mode: 'agent-full-access',
  authenticate: undefined,
  usage: 'turn',
  resume: ['resume', 'load'],
  // That request would still be under way when the job is over, and cost all that it could.
  asksForTitle: true,
  // It trusts the working directory by itself and would start the servers named there.
  hides: ['.codex'],
};

const provider = 'forge';
const keyVariable = 'FORGE_MODEL_KEY';

const config = {
  approval_policy: 'never',
  sandbox_mode: 'danger-full-access',
  // The repository's guidance is in the prompt; its hooks and skills are not ours to run.
  project_doc_max_bytes: 0,
  features: { hooks: false, plugins: false, apps: false, memories: false },
  check_for_update_on_startup: false,
  analytics: { enabled: false },
  feedback: { enabled: false },
};

function modelOf({ model, effort }: AcpPlace) {
  return {
    ...(model === undefined ? {} : { model }),
    ...(effort === undefined ? {} : { model_reasoning_effort: effort }),
  };
}

function providerOf({ url, key }: AcpPlace) {
  if (url === undefined) return {};
  const forge = {
    name: 'Forge',
    base_url: `${url}/v1`,
    // Without a key of Forge's it is the login's that goes there.
    ...(key === undefined ? { requires_openai_auth: true } : { env_key: keyVariable }),
    wire_api: 'responses',
    request_max_retries: 0,
    stream_max_retries: 0,
  };
  // Searches and pictures run at OpenAI for fees of their own, which the meter refuses; a login may use them.
  const features = { ...config.features, image_generation: false };
  return { model_provider: provider, model_providers: { [provider]: forge }, web_search: 'disabled', features };
}
