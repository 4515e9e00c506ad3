/**
 * Requests with which an agent could spend more than it was given: each was forwarded once, or would have been, at
 * less than it costs. `refused`: it must not reach the provider, and `naming` is in the sentence that says why.
 * `bounded`: it may, with its worst case set aside.
 */
import type { WireProtocol } from '../../../src/agents/meter/wire.ts';
import { wires } from './provider.ts';

export interface Attack {
  readonly group: 'counts' | 'text' | 'tools' | 'references' | 'models and prices' | 'addresses';
  readonly name: string;
  readonly wire: WireProtocol;
  readonly body: string | Buffer;
  readonly outcome: 'refused' | 'bounded';
  readonly naming?: string;
  readonly path?: string;
  readonly method?: string;
  readonly headers?: Readonly<Record<string, string>>;
}

type Detail = Partial<Pick<Attack, 'path' | 'method' | 'headers' | 'naming'>>;

/** The usual request of a wire with something in it that is not usual. */
function twisted(
  [group, name, wire]: readonly [Attack['group'], string, WireProtocol],
  more: object | string | Buffer,
  detail: Detail & { outcome?: 'bounded' } = {},
): Attack {
  const body =
    typeof more === 'object' && !Buffer.isBuffer(more) ? JSON.stringify({ ...wires[wire].body, ...more }) : more;
  return { group, name, wire, body, outcome: 'refused', ...detail };
}

const plain = (wire: WireProtocol): string => JSON.stringify(wires[wire].body);
const [a, c, r, g] = ['anthropic', 'openai-chat', 'openai-responses', 'gemini'] as const;
const limitless = { max_tokens: undefined, max_completion_tokens: undefined };
const config = (more: object) => ({ generationConfig: more });
const hosted = (type: string, more: object = {}) => ({ tools: [{ type, name: 'x', ...more }] });
const said = (part: object) => ({ messages: [{ role: 'user', content: [part] }] });

const counts: readonly Attack[] = [
  twisted(['counts', 'a limit in quotes', a], { max_tokens: '60000' }, { naming: 'max_tokens' }),
  twisted(['counts', 'a limit below nothing', a], { max_tokens: -1 }, { naming: 'max_tokens' }),
  twisted(['counts', 'a part of a token', a], { max_tokens: 1000.5 }, { naming: 'max_tokens' }),
  twisted(['counts', 'a limit that no double holds', a], plain(a).replace(':1000', ':1e400'), { naming: 'max_tokens' }),
  twisted(['counts', 'a limit as a power', a], plain(a).replace(':1000', ':6e4'), { naming: 'max_tokens' }),
  twisted(['counts', 'another API’s limit', a], { max_completion_tokens: 60_000 }, { naming: 'max_completion_tokens' }),
  twisted(['counts', 'both limits', c], { max_tokens: 100_000, max_completion_tokens: 10 }, { naming: 'twice' }),
  twisted(['counts', 'a limit in quotes', c], { max_completion_tokens: '60000' }, { naming: 'max_completion_tokens' }),
  twisted(
    ['counts', 'a limit of the other API', c],
    { ...limitless, max_output_tokens: 5 },
    { naming: 'max_output_tokens' },
  ),
  twisted(['counts', 'a limit in quotes', r], { max_output_tokens: '90000' }, { naming: 'max_output_tokens' }),
  twisted(['counts', 'no limit at all', r], { max_output_tokens: undefined }, { outcome: 'bounded' }),
  twisted(['counts', 'no limit by null', c], { max_completion_tokens: null }, { outcome: 'bounded' }),
  twisted(['counts', 'many answers', c], { n: 16 }, { outcome: 'bounded' }),
  twisted(['counts', 'many answers in quotes', c], { n: '100' }, { naming: '"n"' }),
  twisted(['counts', 'more answers than anyone reads', c], { n: 128 }, { naming: '"n"' }),
  twisted(['counts', 'the best of many', c], { best_of: 20 }, { naming: 'best_of' }),
  twisted(['counts', 'a limit in quotes', g], config({ maxOutputTokens: '60000' }), { naming: 'maxOutputTokens' }),
  twisted(
    ['counts', 'the other spelling', g],
    { generationConfig: undefined, generation_config: { max_output_tokens: 2000 } },
    { outcome: 'bounded' },
  ),
  twisted(['counts', 'both spellings', g], config({ maxOutputTokens: 10, max_output_tokens: 60_000 }), {
    naming: 'twice',
  }),
  twisted(
    ['counts', 'both spellings of what holds it', g],
    { generation_config: { max_output_tokens: 60_000 } },
    { naming: 'twice' },
  ),
  twisted(['counts', 'candidates in the other spelling', g], config({ maxOutputTokens: 1000, candidate_count: 8 }), {
    outcome: 'bounded',
  }),
  twisted(['counts', 'candidates in quotes', g], config({ maxOutputTokens: 1000, candidateCount: '8' }), {
    naming: 'candidateCount',
  }),
  twisted(
    ['counts', 'thinking beyond the limit', a],
    { max_tokens: 1100, thinking: { type: 'enabled', budget_tokens: 50_000 } },
    { outcome: 'bounded' },
  ),
  twisted(['counts', 'a limit of nothing, which means none', g], config({ maxOutputTokens: 0 }), {
    naming: 'maxOutputTokens',
  }),
  twisted(
    ['counts', 'a limit of nothing, which means none', c],
    { max_completion_tokens: 0 },
    { naming: 'max_completion_tokens' },
  ),
  twisted(['counts', 'thinking beside the limit', c], { thinking_budget: 9000 }, { outcome: 'bounded' }),
];

const text: readonly Attack[] = [
  twisted(['text', 'a limit twice, the low one last', a], plain(a).replace('{', '{"max_tokens":60000,'), {
    naming: 'twice',
  }),
  twisted(['text', 'a limit twice, once in disguise', a], plain(a).replace('{', '{"max\\u005ftokens":60000,'), {
    naming: 'twice',
  }),
  twisted(
    ['text', 'a limit twice, deep inside', g],
    plain(g).replace('"maxOutputTokens"', '"maxOutputTokens":60000,"maxOutputTokens"'),
    { naming: 'twice' },
  ),
  twisted(['text', 'a limit in other letters', a], { Max_Tokens: 60_000 }, { naming: 'Max_Tokens' }),
  twisted(['text', 'something after the end', a], `${plain(a)}{"max_tokens":60000}`, { naming: 'end' }),
  twisted(
    ['text', 'bytes that are no text', a],
    Buffer.concat([Buffer.from(plain(a).slice(0, -2)), Buffer.from([0xff, 0x7d, 0x7d])]),
    { naming: 'UTF-8' },
  ),
  twisted(
    ['text', 'nesting without end', a],
    `{"model":"claude-haiku-4-5","messages":${'['.repeat(5000)}${']'.repeat(5000)}}`,
    { naming: 'deep' },
  ),
  twisted(['text', 'letters that become words', a], { system: 'ﷺ'.repeat(3000) }, { outcome: 'bounded' }),
  twisted(['text', 'an encoding nobody reads', a], plain(a), {
    headers: { 'content-encoding': 'zstd' },
    naming: 'encoded',
  }),
  twisted(['text', 'two encodings', a], plain(a), { headers: { 'content-encoding': 'gzip, gzip' }, naming: 'encoded' }),
  twisted(['text', 'a list instead of a request', a], `[${plain(a)}]`, { naming: 'object' }),
];

const tools: readonly Attack[] = [
  twisted(['tools', 'a search', a], hosted('web_search_20250305', { max_uses: 8 }), { naming: 'web_search' }),
  twisted(['tools', 'a program', a], hosted('code_execution_20250825'), { naming: 'code_execution' }),
  twisted(['tools', 'an adviser', a], hosted('advisor_20260301'), { naming: 'advisor' }),
  twisted(
    ['tools', 'other servers', a],
    { mcp_servers: [{ type: 'url', url: 'https://x', name: 'x' }] },
    { naming: 'mcp_servers' },
  ),
  twisted(['tools', 'a container', a], { container: 'container_1' }, { naming: 'container' }),
  twisted(['tools', 'pictures', r], hosted('image_generation'), { naming: 'image_generation' }),
  twisted(['tools', 'a search', r], hosted('web_search'), { naming: 'web_search' }),
  twisted(['tools', 'a search by its older name', r], hosted('web_search_preview_2025_03_11'), {
    naming: 'web_search',
  }),
  twisted(['tools', 'a program', r], hosted('code_interpreter', { container: { type: 'auto' } }), {
    naming: 'code_interpreter',
  }),
  twisted(['tools', 'files', r], hosted('file_search', { vector_store_ids: ['v'] }), { naming: 'file_search' }),
  twisted(['tools', 'another server', r], hosted('mcp', { server_url: 'https://x' }), { naming: 'mcp' }),
  twisted(
    ['tools', 'a shell at the provider', r],
    { tools: [{ type: 'shell', environment: { type: 'container_auto' } }] },
    { naming: 'container_auto' },
  ),
  twisted(
    ['tools', 'tools among the messages', r],
    { input: [{ type: 'additional_tools', role: 'developer', tools: [{ type: 'image_generation' }] }] },
    { naming: 'image_generation' },
  ),
  twisted(
    ['tools', 'tools within tools', r],
    { tools: [{ type: 'namespace', name: 'n', tools: [{ type: 'web_search' }] }] },
    { naming: 'web_search' },
  ),
  twisted(['tools', 'a search beside the tools', c], { web_search_options: {} }, { naming: 'web_search_options' }),
  twisted(
    ['tools', 'a search of another server', c],
    { search_parameters: { mode: 'on' } },
    { naming: 'search_parameters' },
  ),
  twisted(['tools', 'plugins', c], { plugins: [{ id: 'web' }] }, { naming: 'plugins' }),
  twisted(['tools', 'a tool of the server', c], { tools: [{ type: 'web_search' }] }, { naming: 'web_search' }),
  twisted(['tools', 'a search', g], { tools: [{ googleSearch: {} }] }, { naming: 'googleSearch' }),
  twisted(
    ['tools', 'a search in the other spelling', g],
    { tools: [{ google_search: {} }] },
    { naming: 'googleSearch' },
  ),
  twisted(
    ['tools', 'a program beside functions', g],
    { tools: [{ functionDeclarations: [], codeExecution: {} }] },
    { naming: 'codeExecution' },
  ),
];

const references: readonly Attack[] = [
  twisted(['references', 'an earlier answer', r], { previous_response_id: 'resp_1' }, { outcome: 'bounded' }),
  twisted(['references', 'a conversation', r], { conversation: 'conv_1' }, { outcome: 'bounded' }),
  twisted(
    ['references', 'stored items', r],
    { input: [{ type: 'item_reference', id: 'msg_1' }] },
    { outcome: 'bounded' },
  ),
  twisted(['references', 'stored items by name alone', r], { input: [{ id: 'msg_1' }] }, { outcome: 'bounded' }),
  twisted(['references', 'a stored prompt', r], { prompt: { id: 'pmpt_1' } }, { naming: 'prompt' }),
  twisted(['references', 'work that goes on', r], { background: true }, { naming: 'background' }),
  twisted(
    ['references', 'a file', r],
    { input: [{ role: 'user', content: [{ type: 'input_file', file_id: 'file_1' }] }] },
    { outcome: 'bounded' },
  ),
  twisted(
    ['references', 'a thread', a],
    { thread: { type: 'continue', previous_message_id: 'msg_1' } },
    { naming: 'thread' },
  ),
  twisted(['references', 'a stored document', a], said({ type: 'document', source: { type: 'file', file_id: 'f' } }), {
    outcome: 'bounded',
  }),
  twisted(['references', 'a block nobody knows', a], said({ type: 'hologram', file_id: 'f' }), { naming: 'hologram' }),
  twisted(['references', 'stored content', g], { cachedContent: 'cachedContents/1' }, { naming: 'cachedContent' }),
  twisted(
    ['references', 'a film', g],
    { contents: [{ parts: [{ file_data: { file_uri: 'https://x/v' } }] }] },
    { naming: 'fileData' },
  ),
  twisted(['references', 'images', c], said({ type: 'image_url', image_url: { url: 'https://x/i.png' } }), {
    outcome: 'bounded',
  }),
];

const prices: readonly Attack[] = [
  twisted(['models and prices', 'haste', a], { model: 'claude-opus-4-6', speed: 'fast' }, { outcome: 'bounded' }),
  twisted(['models and prices', 'haste', r], { service_tier: 'priority' }, { outcome: 'bounded' }),
  twisted(['models and prices', 'haste nobody knows', r], { service_tier: 'warp' }, { naming: 'service_tier' }),
  twisted(
    ['models and prices', 'haste in the other spelling', g],
    { service_tier: 'PRIORITY' },
    { outcome: 'bounded' },
  ),
  twisted(['models and prices', 'a dearer region', a], { inference_geo: 'us' }, { outcome: 'bounded' }),
  twisted(
    ['models and prices', 'a longer cache', a],
    { system: [{ type: 'text', text: 'x', cache_control: { type: 'ephemeral', ttl: '1h' } }] },
    { outcome: 'bounded' },
  ),
  twisted(
    ['models and prices', 'a cache of any length', a],
    { cache_control: { type: 'ephemeral', ttl: '1y' } },
    { naming: 'ttl' },
  ),
  twisted(
    ['models and prices', 'a summary that is billed elsewhere', a],
    { context_management: { edits: [{ type: 'compact_20260112' }] } },
    { outcome: 'bounded' },
  ),
  twisted(
    ['models and prices', 'a summary on demand', r],
    { context_management: [{ type: 'compaction', compact_threshold: 1 }] },
    { outcome: 'bounded' },
  ),
  twisted(
    ['models and prices', 'a substitute', a],
    { fallbacks: [{ model: 'claude-fable-5' }] },
    { naming: 'fallbacks' },
  ),
  twisted(
    ['models and prices', 'a choice of models', c],
    { models: ['gpt-5-mini', 'gpt-6-astra'] },
    { naming: 'models' },
  ),
  twisted(['models and prices', 'a list as the model', c], { model: ['gpt-5-mini'] }, { naming: 'model' }),
  twisted(['models and prices', 'a choice of providers', c], { provider: { order: ['dear'] } }, { naming: 'provider' }),
  twisted(['models and prices', 'a search in the name', c], { model: 'gpt-5-mini:online' }, { naming: 'online' }),
  twisted(
    ['models and prices', 'several models that think', r],
    { reasoning: { mode: 'pro' } },
    { naming: 'reasoning.mode' },
  ),
  twisted(
    ['models and prices', 'a prediction', c],
    { prediction: { type: 'content', content: 'x'.repeat(5000) } },
    { naming: 'prediction' },
  ),
  twisted(
    ['models and prices', 'sound', c],
    { modalities: ['text', 'audio'], audio: { voice: 'x' } },
    { naming: 'modalities' },
  ),
  twisted(['models and prices', 'sound in the prompt', c], said({ type: 'input_audio', input_audio: { data: 'x' } }), {
    naming: 'input_audio',
  }),
  twisted(['models and prices', 'pictures for an answer', g], config({ responseModalities: ['IMAGE'] }), {
    naming: 'responseModalities',
  }),
  twisted(['models and prices', 'another model within', g], config({ routingConfig: { autoMode: {} } }), {
    naming: 'routingConfig',
  }),
  twisted(['models and prices', 'a field of tomorrow', a], { turbo: true }, { naming: 'turbo' }),
];

const addresses: readonly Attack[] = [
  ...[
    ['a path with two slashes', '/v1//messages'],
    ['a path that goes up', '/v1/x/../messages'],
    ['a path in disguise', '/v1/%6dessages'],
    ['dots in disguise', '/v1/%2e%2e/messages'],
    ['a path in capitals', '/V1/MESSAGES'],
    ['a path with an end', '/v1/messages/'],
    ['a path within another', '/v1/engines/x/messages'],
    ['batches', '/v1/messages/batches'],
    ['files', '/v1/files'],
    ['another API of the same provider', '/v1/chat/completions'],
    ['a part of the answer', '/v1/messages?fields=content'],
    ['a parameter twice', '/v1/messages?beta=true&beta=true'],
  ].map(([name = '', path = '']) => twisted(['addresses', name, a], plain(a), { path, naming: 'does not pass on' })),
  twisted(['addresses', 'another method', a], plain(a), { method: 'PUT', naming: 'does not pass on' }),
  twisted(['addresses', 'older completions', c], plain(c), { path: '/v1/completions', naming: 'does not pass on' }),
  twisted(['addresses', 'pictures', r], plain(r), { path: '/v1/images/generations', naming: 'does not pass on' }),
  twisted(['addresses', 'a batch', g], plain(g), {
    path: '/v1beta/models/gemini-2.5-flash:batchGenerateContent',
    naming: 'does not pass on',
  }),
  twisted(['addresses', 'stored content', g], plain(g), { path: '/v1beta/cachedContents', naming: 'does not pass on' }),
];

export const attacks: readonly Attack[] = [...counts, ...text, ...tools, ...references, ...prices, ...addresses];
