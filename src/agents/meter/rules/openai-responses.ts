/** OpenAI Responses, as Codex and the AI SDK send it, and its `/responses/compact`. */
import {
  anything,
  byType,
  choice,
  type CostFacts,
  count,
  either,
  type Fields,
  fieldsOf,
  flag,
  list,
  noting,
  number,
  only,
  opaqueText,
  refuseField,
  type Rule,
  shape,
  text,
} from './rule.ts';
import { hosted, hostedWithoutBound, mostUses } from './hosted.ts';
import { imagePart, serviceTier } from './openai.ts';

const outside = (facts: CostFacts): void => {
  facts.byReference = true;
};

const part = (fields: Fields): Rule => shape({ type: text, prompt_cache_breakpoint: anything, ...fields });
const plainPart = part({ text, annotations: anything, logprobs: anything, refusal: text });
const filePart = noting(
  outside,
  part({ file_data: text, file_id: text, file_url: text, filename: text, detail: text }),
);

const contentPart = byType({
  input_text: plainPart,
  output_text: plainPart,
  text: plainPart,
  summary_text: plainPart,
  reasoning_text: plainPart,
  refusal: plainPart,
  input_image: imagePart(part({ image_url: text, file_id: text, detail: text })),
  computer_screenshot: imagePart(part({ image_url: text, file_id: text, detail: text })),
  input_file: filePart,
  encrypted_content: part({ encrypted_content: opaqueText }),
  input_audio: refuseField('is sound, which has a price of its own.', 'input_audio'),
});
const content = either({ text: anything, list: list(contentPart), object: contentPart });

const toolFields: Fields = {
  type: text,
  name: text,
  description: text,
  parameters: anything,
  strict: flag,
  format: anything,
  defer_loading: flag,
  allowed_callers: anything,
  execution: choice('client'),
  display_width: number,
  display_height: number,
  environment: byType({ local: anything }),
  tools: list((value, at, reading) => tool(value, at, reading)),
};

const ownTool = shape(toolFields);
const runByTheAgent =
  /^(?:function|custom|namespace|local_shell|shell|apply_patch|tool_search|computer|computer_use_preview)$/;
const boundedBySetting = /^(?:web_search|file_search)$/;

const tool: Rule = (value, at, reading) => {
  const { type = null } = fieldsOf(value);
  const name = typeof type === 'string' ? type.replace(/_preview(?:_\d{4}_\d\d_\d\d)?$|_\d{4}_\d\d_\d\d$/, '') : '';
  if (typeof type === 'string' && runByTheAgent.test(type)) return ownTool(value, at, reading);
  if (!boundedBySetting.test(name)) return hostedWithoutBound(name)(value, `${at}.type`, reading);
  return shape({
    type: hosted(name),
    filters: anything,
    user_location: anything,
    search_context_size: text,
    external_web_access: flag,
    vector_store_ids: anything,
    max_num_results: number,
    ranking_options: anything,
  })(value, at, reading);
};

/** Every item of the input: what it is decides, the rest is the same for all. */
const itemFields: Fields = {
  type: text,
  id: text,
  role: text,
  status: text,
  phase: text,
  content,
  call_id: text,
  name: text,
  namespace: text,
  arguments: anything,
  input: text,
  output: content,
  action: anything,
  operation: anything,
  summary: content,
  encrypted_content: opaqueText,
  execution: text,
  tools: list(tool),
  max_output_length: number,
  environment: byType({ local: anything }),
  pending_safety_checks: anything,
  acknowledged_safety_checks: anything,
  caller: anything,
  created_by: anything,
  internal_chat_message_metadata_passthrough: anything,
};
const plainItem = shape(itemFields);
/** It stands for something that the provider keeps, or that only the provider can read. */
const storedItem = noting(
  outside,
  shape({ ...itemFields, encrypted_content: text, queries: anything, results: anything }),
);

/** What has neither a type nor a role is the name of a stored item. */
const untyped: Rule = (value, at, reading) =>
  (typeof fieldsOf(value)['role'] === 'string' ? plainItem : storedItem)(value, at, reading);

const item = byType(
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
    shell_call_output: shape({ ...itemFields, output: anything }),
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
    compaction_trigger: noting((facts) => {
      facts.compacts = true;
    }, plainItem),
    web_search_call: storedItem,
    file_search_call: storedItem,
  },
  untyped,
);

export const openaiResponsesRule: Rule = shape({
  model: text,
  input: either({ text: anything, list: list(item) }),
  instructions: text,
  max_output_tokens: count(
    (facts, value) => {
      facts.maxOutput = value;
    },
    { least: 1 },
  ),
  max_tool_calls: count(
    (facts, value) => {
      facts.mostHostedUses = value;
    },
    { most: mostUses },
  ),
  tools: list(tool),
  tool_choice: anything,
  parallel_tool_calls: flag,
  reasoning: shape({
    effort: text,
    summary: text,
    generate_summary: text,
    context: text,
    mode: only('standard', 'has several models think at once.'),
  }),
  text: shape({ format: anything, verbosity: text }),
  include: list(text),
  store: flag,
  stream: flag,
  stream_options: anything,
  temperature: number,
  top_p: number,
  top_logprobs: number,
  truncation: choice('auto', 'disabled'),
  service_tier: serviceTier,
  prompt_cache_key: text,
  prompt_cache_retention: text,
  prompt_cache_options: shape({ mode: text, ttl: text }),
  safety_identifier: text,
  user: text,
  metadata: anything,
  client_metadata: anything,
  previous_response_id: noting(outside, text),
  conversation: noting(outside),
  context_management: noting(
    (facts) => {
      facts.compacts = true;
    },
    list(shape({ type: choice('compaction'), compact_threshold: number })),
  ),
  background: only(false, 'has the provider go on after the connection has ended.'),
  prompt: refuseField('names a stored prompt, which may bring tools of its own.'),
});
