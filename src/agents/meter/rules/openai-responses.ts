/** OpenAI Responses, as Codex and the AI SDK send it, and its `/responses/compact`. */

import { hostedToolRule, hostedWithoutBound, mostUses } from './hosted.ts';
import { imagePart, serviceTier } from './openai.ts';
import {
  allowOnly,
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

const outside = (facts: CostFacts): void => {
  facts.byReference = true;
};

const part = (fields: FieldRules): FieldRule =>
  objectRule({ type: textRule, prompt_cache_breakpoint: anyValue, ...fields });
const plainPart = part({ text: textRule, annotations: anyValue, logprobs: anyValue, refusal: textRule });
const filePart = notingRule(
  outside,
  part({ file_data: textRule, file_id: textRule, file_url: textRule, filename: textRule, detail: textRule }),
);

const contentPart = ruleByType({
  input_text: plainPart,
  output_text: plainPart,
  text: plainPart,
  summary_text: plainPart,
  reasoning_text: plainPart,
  refusal: plainPart,
  input_image: imagePart(part({ image_url: textRule, file_id: textRule, detail: textRule })),
  computer_screenshot: imagePart(part({ image_url: textRule, file_id: textRule, detail: textRule })),
  input_file: filePart,
  encrypted_content: part({ encrypted_content: opaqueText }),
  input_audio: refuseField('is sound, which has a price of its own.', 'input_audio'),
});
const content = ruleByKind({ text: anyValue, list: listRule(contentPart), object: contentPart });

const toolFields: FieldRules = {
  type: textRule,
  name: textRule,
  description: textRule,
  parameters: anyValue,
  strict: booleanRule,
  format: anyValue,
  defer_loading: booleanRule,
  allowed_callers: anyValue,
  execution: choiceRule('client'),
  display_width: numberRule,
  display_height: numberRule,
  environment: ruleByType({ local: anyValue }),
  tools: listRule((value, at, reading) => tool(value, at, reading)),
};

const ownTool = objectRule(toolFields);
const runByTheAgent =
  /^(?:function|custom|namespace|local_shell|shell|apply_patch|tool_search|computer|computer_use_preview)$/;
const boundedBySetting = /^(?:web_search|file_search)$/;

const tool: FieldRule = (value, at, reading) => {
  const { type = null } = fieldsOf(value);
  const name = typeof type === 'string' ? type.replace(/_preview(?:_\d{4}_\d\d_\d\d)?$|_\d{4}_\d\d_\d\d$/, '') : '';
  if (typeof type === 'string' && runByTheAgent.test(type)) return ownTool(value, at, reading);
  if (!boundedBySetting.test(name)) return hostedWithoutBound(name)(value, `${at}.type`, reading);
  return objectRule({
    type: hostedToolRule(name),
    filters: anyValue,
    user_location: anyValue,
    search_context_size: textRule,
    external_web_access: booleanRule,
    vector_store_ids: anyValue,
    max_num_results: numberRule,
    ranking_options: anyValue,
  })(value, at, reading);
};

/** Every item of the input: what it is decides, the rest is the same for all. */
const itemFields: FieldRules = {
  type: textRule,
  id: textRule,
  role: textRule,
  status: textRule,
  phase: textRule,
  content,
  call_id: textRule,
  name: textRule,
  namespace: textRule,
  arguments: anyValue,
  input: textRule,
  output: content,
  action: anyValue,
  operation: anyValue,
  summary: content,
  encrypted_content: opaqueText,
  execution: textRule,
  tools: listRule(tool),
  max_output_length: numberRule,
  environment: ruleByType({ local: anyValue }),
  pending_safety_checks: anyValue,
  acknowledged_safety_checks: anyValue,
  caller: anyValue,
  created_by: anyValue,
  internal_chat_message_metadata_passthrough: anyValue,
};
const plainItem = objectRule(itemFields);
/** It stands for something that the provider keeps, or that only the provider can read. */
const storedItem = notingRule(
  outside,
  objectRule({ ...itemFields, encrypted_content: textRule, queries: anyValue, results: anyValue }),
);

/** What has neither a type nor a role is the name of a stored item. */
const untyped: FieldRule = (value, at, reading) =>
  (typeof fieldsOf(value)['role'] === 'string' ? plainItem : storedItem)(value, at, reading);

const item = ruleByType(
  {
    message: plainItem,
    agent_message: plainItem,
    function_call: plainItem,
    function_call_output: plainItem,
    custom_tool_call: plainItem,
    custom_tool_call_output: plainItem,
    local_shell_call: plainItem,
    local_shell_call_output: plainItem,
    shell_call: plainItem,
    shell_call_output: objectRule({ ...itemFields, output: anyValue }),
    apply_patch_call: plainItem,
    apply_patch_call_output: plainItem,
    computer_call: plainItem,
    computer_call_output: plainItem,
    tool_search_call: plainItem,
    tool_search_output: plainItem,
    additional_tools: plainItem,
    reasoning: plainItem,
    item_reference: storedItem,
    compaction: storedItem,
    compaction_summary: storedItem,
    compaction_trigger: notingRule((facts) => {
      facts.compacts = true;
    }, plainItem),
    web_search_call: storedItem,
    file_search_call: storedItem,
  },
  untyped,
);

export const openaiResponsesRule: FieldRule = objectRule({
  model: textRule,
  input: ruleByKind({ text: anyValue, list: listRule(item) }),
  instructions: textRule,
  max_output_tokens: countRule(
    (facts, value) => {
      facts.maxOutput = value;
    },
    { least: 1 },
  ),
  max_tool_calls: countRule(
    (facts, value) => {
      facts.mostHostedUses = value;
    },
    { most: mostUses },
  ),
  tools: listRule(tool),
  tool_choice: anyValue,
  parallel_tool_calls: booleanRule,
  reasoning: objectRule({
    effort: textRule,
    summary: textRule,
    generate_summary: textRule,
    context: textRule,
    mode: allowOnly('standard', 'has several models think at once.'),
  }),
  text: objectRule({ format: anyValue, verbosity: textRule }),
  include: listRule(textRule),
  store: booleanRule,
  stream: booleanRule,
  stream_options: anyValue,
  temperature: numberRule,
  top_p: numberRule,
  top_logprobs: numberRule,
  truncation: choiceRule('auto', 'disabled'),
  service_tier: serviceTier,
  prompt_cache_key: textRule,
  prompt_cache_retention: textRule,
  prompt_cache_options: objectRule({ mode: textRule, ttl: textRule }),
  safety_identifier: textRule,
  user: textRule,
  metadata: anyValue,
  client_metadata: anyValue,
  previous_response_id: notingRule(outside, textRule),
  conversation: notingRule(outside),
  context_management: notingRule(
    (facts) => {
      facts.compacts = true;
    },
    listRule(objectRule({ type: choiceRule('compaction'), compact_threshold: numberRule })),
  ),
  background: allowOnly(false, 'has the provider go on after the connection has ended.'),
  prompt: refuseField('names a stored prompt, which may bring tools of its own.'),
});
