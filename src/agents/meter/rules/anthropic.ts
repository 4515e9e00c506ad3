/** Anthropic Messages, with the beta fields that its own clients send. */
import {
  anything,
  byType,
  choice,
  count,
  type CostFacts,
  either,
  type Fields,
  fieldsOf,
  flag,
  list,
  noting,
  number,
  opaqueText,
  refuseField,
  type Rule,
  shape,
  text,
} from './rule.ts';
import { hosted, hostedWithoutBound } from './hosted.ts';

const cacheControl: Rule = noting(
  (facts, value) => {
    facts.cacheWrite = fieldsOf(value)['ttl'] === '1h' || facts.cacheWrite === 'long' ? 'long' : 'short';
  },
  shape({ type: choice('ephemeral'), ttl: choice('5m', '1h'), scope: text }),
);

const outside = (facts: CostFacts): void => {
  facts.byReference = true;
};

/** A block: its own fields, and those that every block may have. */
function block(fields: Fields): Rule {
  return shape({ type: text, cache_control: cacheControl, ...fields });
}

/** What a tool at the provider once found, which only the provider can read. */
const result = noting(outside, block({ tool_use_id: text, content: anything, is_error: flag, caller: anything }));

const image = noting(
  (facts) => {
    facts.images += 1;
  },
  block({ source: anything }),
);

const blocks: Readonly<Record<string, Rule>> = {
  text: block({ text, citations: anything }),
  image,
  document: noting(outside, block({ source: anything, title: text, context: text, citations: anything })),
  search_result: noting(outside, block({ source: text, title: text, content: anything, citations: anything })),
  thinking: block({ thinking: text, signature: opaqueText }),
  redacted_thinking: block({ data: opaqueText }),
  tool_use: block({ id: text, name: text, input: anything, caller: anything }),
  tool_result: block({
    tool_use_id: text,
    is_error: flag,
    content: either({ text: anything, list: list((value, at, reading) => content(value, at, reading)) }),
  }),
  tool_reference: block({ tool_name: text }),
  tool_addition: block({ tool: byType({ tool_reference: anything }) }),
  tool_removal: block({ tool: byType({ tool_reference: anything }) }),
  server_tool_use: block({ id: text, name: text, input: anything, caller: anything }),
  web_search_tool_result: result,
  web_fetch_tool_result: result,
  tool_search_tool_result: result,
  code_execution_tool_result: result,
  bash_code_execution_tool_result: result,
  text_editor_code_execution_tool_result: result,
  compaction: noting(outside, block({ content: text, encrypted_content: text, signature: text })),
  container_upload: refuseField('uses a container at the provider, which is charged by the hour.', 'container_upload'),
};

const content: Rule = byType(blocks);

const ownTool: Rule = shape({
  type: text,
  name: text,
  description: text,
  input_schema: anything,
  input_examples: anything,
  cache_control: cacheControl,
  strict: flag,
  defer_loading: flag,
  eager_input_streaming: flag,
  allowed_callers: anything,
  max_characters: number,
  display_width_px: number,
  display_height_px: number,
  display_number: number,
  enable_zoom: flag,
});

/** `web_search_20250305` → `web_search`: what a tool is called without its version. */
function toolName(type: string): string {
  return type.replace(/_\d{8}$/, '');
}

const runByTheAgent = /^(?:custom|bash|text_editor|computer|memory)$/;
const boundedBySetting = /^(?:web_search|web_fetch)$/;

const tool: Rule = (value, at, reading) => {
  const { type = null } = fieldsOf(value);
  const name = typeof type === 'string' ? toolName(type) : '';
  if (type === null || runByTheAgent.test(name)) return ownTool(value, at, reading);
  if (!boundedBySetting.test(name)) return hostedWithoutBound(name)(value, `${at}.type`, reading);
  return shape({
    type: hosted(name, fieldsOf(value)['max_uses']),
    name: text,
    max_uses: number,
    allowed_domains: anything,
    blocked_domains: anything,
    user_location: anything,
    max_content_tokens: number,
    citations: anything,
    cache_control: cacheControl,
    strict: flag,
    defer_loading: flag,
    allowed_callers: anything,
    use_cache: flag,
  })(value, at, reading);
};

const edit = shape({
  type: text,
  trigger: anything,
  keep: anything,
  clear_at_least: anything,
  exclude_tools: anything,
  clear_tool_inputs: anything,
});

const summarizing = noting((facts) => {
  facts.compacts = true;
});

export const anthropicRule: Rule = shape({
  model: text,
  max_tokens: count((facts, value) => {
    facts.maxOutput = value;
  }),
  messages: list(shape({ role: text, content: either({ text: anything, list: list(content) }) })),
  system: either({ text: anything, list: list(content) }),
  tools: list(tool),
  tool_choice: shape({ type: text, name: text, disable_parallel_tool_use: flag }),
  thinking: shape({
    type: choice('enabled', 'disabled', 'adaptive'),
    budget_tokens: count((facts, value) => {
      facts.thinking = value;
    }),
    display: text,
    block_binding: anything,
  }),
  context_management: shape({
    edits: list(
      byType({
        clear_tool_uses_20250919: edit,
        clear_thinking_20251015: edit,
        compact_20260112: summarizing,
      }),
    ),
  }),
  compaction: summarizing,
  output_config: shape({ effort: text, format: anything, task_budget: anything }),
  output_format: anything,
  cache_control: cacheControl,
  speed: noting(
    (facts, value) => {
      facts.rush ||= value === 'fast';
    },
    choice('standard', 'fast'),
  ),
  service_tier: choice('auto', 'standard_only'),
  inference_geo: text,
  metadata: shape({ user_id: text }),
  diagnostics: anything,
  user_profile_id: text,
  anthropic_version: text,
  stop_sequences: list(text),
  stream: flag,
  temperature: number,
  top_k: number,
  top_p: number,
  container: refuseField('uses a container at the provider, which is charged by the hour.'),
  mcp_servers: refuseField('has the provider call other servers, as often as it likes.'),
  fallbacks: refuseField('lets the provider answer with another model, at the price of that model.'),
  fallback_credit_token: refuseField('continues a request of another model.'),
  thread: refuseField('continues a conversation that only the provider holds.'),
});
