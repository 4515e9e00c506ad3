/** Anthropic Messages, with the beta fields that its own clients send. */

import { hostedToolRule, hostedWithoutBound } from './hosted.ts';
import {
  anyValue,
  booleanRule,
  type CostFacts,
  choiceRule,
  countRule,
  type FieldRule,
  type FieldRules,
  fieldsOf,
  listRule,
  notingRule,
  numberRule,
  objectRule,
  opaqueText,
  refuseField,
  ruleByKind,
  ruleByType,
  textRule,
} from './rule.ts';

const cacheControl: FieldRule = notingRule(
  (facts, value) => {
    facts.cacheWrite = fieldsOf(value)['ttl'] === '1h' || facts.cacheWrite === 'long' ? 'long' : 'short';
  },
  objectRule({ type: choiceRule('ephemeral'), ttl: choiceRule('5m', '1h'), scope: textRule }),
);

const outside = (facts: CostFacts): void => {
  facts.byReference = true;
};

/** A block: its own fields, and those that every block may have. */
function block(fields: FieldRules): FieldRule {
  return objectRule({ type: textRule, cache_control: cacheControl, ...fields });
}

/** What a tool at the provider once found, which only the provider can read. */
const result = notingRule(
  outside,
  block({ tool_use_id: textRule, content: anyValue, is_error: booleanRule, caller: anyValue }),
);

const image = notingRule(
  (facts) => {
    facts.images += 1;
  },
  block({ source: anyValue }),
);

const blocks: Readonly<Record<string, FieldRule>> = {
  text: block({ text: textRule, citations: anyValue }),
  image,
  document: notingRule(outside, block({ source: anyValue, title: textRule, context: textRule, citations: anyValue })),
  search_result: notingRule(
    outside,
    block({ source: textRule, title: textRule, content: anyValue, citations: anyValue }),
  ),
  thinking: block({ thinking: textRule, signature: opaqueText }),
  redacted_thinking: block({ data: opaqueText }),
  tool_use: block({ id: textRule, name: textRule, input: anyValue, caller: anyValue }),
  tool_result: block({
    tool_use_id: textRule,
    is_error: booleanRule,
    content: ruleByKind({ text: anyValue, list: listRule((value, at, reading) => content(value, at, reading)) }),
  }),
  tool_reference: block({ tool_name: textRule }),
  tool_addition: block({ tool: ruleByType({ tool_reference: anyValue }) }),
  tool_removal: block({ tool: ruleByType({ tool_reference: anyValue }) }),
  server_tool_use: block({ id: textRule, name: textRule, input: anyValue, caller: anyValue }),
  web_search_tool_result: result,
  web_fetch_tool_result: result,
  tool_search_tool_result: result,
  code_execution_tool_result: result,
  bash_code_execution_tool_result: result,
  text_editor_code_execution_tool_result: result,
  compaction: notingRule(outside, block({ content: textRule, encrypted_content: textRule, signature: textRule })),
  container_upload: refuseField('uses a container at the provider, which is charged by the hour.', 'container_upload'),
};

const content: FieldRule = ruleByType(blocks);

const ownTool: FieldRule = objectRule({
  type: textRule,
  name: textRule,
  description: textRule,
  input_schema: anyValue,
  input_examples: anyValue,
  cache_control: cacheControl,
  strict: booleanRule,
  defer_loading: booleanRule,
  eager_input_streaming: booleanRule,
  allowed_callers: anyValue,
  max_characters: numberRule,
  display_width_px: numberRule,
  display_height_px: numberRule,
  display_number: numberRule,
  enable_zoom: booleanRule,
});

/** `web_search_20250305` → `web_search`: what a tool is called without its version. */
function toolName(type: string): string {
  return type.replace(/_\d{8}$/, '');
}

const runByTheAgent = /^(?:custom|bash|text_editor|computer|memory)$/;
const boundedBySetting = /^(?:web_search|web_fetch)$/;

const tool: FieldRule = (value, at, reading) => {
  const { type = null } = fieldsOf(value);
  const name = typeof type === 'string' ? toolName(type) : '';
  if (type === null || runByTheAgent.test(name)) return ownTool(value, at, reading);
  if (!boundedBySetting.test(name)) return hostedWithoutBound(name)(value, `${at}.type`, reading);
  return objectRule({
    type: hostedToolRule(name, fieldsOf(value)['max_uses']),
    name: textRule,
    max_uses: numberRule,
    allowed_domains: anyValue,
    blocked_domains: anyValue,
    user_location: anyValue,
    max_content_tokens: numberRule,
    citations: anyValue,
    cache_control: cacheControl,
    strict: booleanRule,
    defer_loading: booleanRule,
    allowed_callers: anyValue,
    use_cache: booleanRule,
  })(value, at, reading);
};

const edit = objectRule({
  type: textRule,
  trigger: anyValue,
  keep: anyValue,
  clear_at_least: anyValue,
  exclude_tools: anyValue,
  clear_tool_inputs: anyValue,
});

const summarizing = notingRule((facts) => {
  facts.compacts = true;
});

export const anthropicRule: FieldRule = objectRule({
  model: textRule,
  max_tokens: countRule((facts, value) => {
    facts.maxOutput = value;
  }),
  messages: listRule(objectRule({ role: textRule, content: ruleByKind({ text: anyValue, list: listRule(content) }) })),
  system: ruleByKind({ text: anyValue, list: listRule(content) }),
  tools: listRule(tool),
  tool_choice: objectRule({ type: textRule, name: textRule, disable_parallel_tool_use: booleanRule }),
  thinking: objectRule({
    type: choiceRule('enabled', 'disabled', 'adaptive'),
    budget_tokens: countRule((facts, value) => {
      facts.thinking = value;
    }),
    display: textRule,
    block_binding: anyValue,
  }),
  context_management: objectRule({
    edits: listRule(
      ruleByType({
        clear_tool_uses_20250919: edit,
        clear_thinking_20251015: edit,
        compact_20260112: summarizing,
      }),
    ),
  }),
  compaction: summarizing,
  output_config: objectRule({ effort: textRule, format: anyValue, task_budget: anyValue }),
  output_format: anyValue,
  cache_control: cacheControl,
  speed: notingRule(
    (facts, value) => {
      facts.rush ||= value === 'fast';
    },
    choiceRule('standard', 'fast'),
  ),
  service_tier: choiceRule('auto', 'standard_only'),
  inference_geo: textRule,
  metadata: objectRule({ user_id: textRule }),
  diagnostics: anyValue,
  user_profile_id: textRule,
  anthropic_version: textRule,
  stop_sequences: listRule(textRule),
  stream: booleanRule,
  temperature: numberRule,
  top_k: numberRule,
  top_p: numberRule,
  container: refuseField('uses a container at the provider, which is charged by the hour.'),
  mcp_servers: refuseField('has the provider call other servers, as often as it likes.'),
  fallbacks: refuseField('lets the provider answer with another model, at the price of that model.'),
  fallback_credit_token: refuseField('continues a request of another model.'),
  thread: refuseField('continues a conversation that only the provider holds.'),
});
