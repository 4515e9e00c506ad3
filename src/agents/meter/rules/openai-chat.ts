/**
 * OpenAI chat completions, and the fields that compatible servers and their clients add. What chooses another model,
 * another provider or another price by itself is refused.
 */

import { hostedWithoutBound } from './hosted.ts';
import { imagePart, serviceTier } from './openai.ts';
import {
  allowOnly,
  anyValue,
  booleanRule,
  choiceRule,
  countRule,
  type FieldRule,
  listRule,
  NotUnderstood,
  notingRule,
  notSentSentence,
  numberRule,
  objectRule,
  opaqueText,
  refuseField,
  ruleByKind,
  ruleByType,
  textRule,
} from './rule.ts';

/** Some servers pass it on to Anthropic. */
const cacheControl: FieldRule = notingRule(
  (facts) => {
    facts.cacheWrite = 'long';
  },
  objectRule({ type: choiceRule('ephemeral'), ttl: choiceRule('5m', '1h') }),
);

const plain = objectRule({
  type: textRule,
  text: textRule,
  refusal: textRule,
  cache_control: cacheControl,
  prompt_cache_breakpoint: anyValue,
  thinking: anyValue,
  signature: opaqueText,
});

const content = ruleByKind({
  text: anyValue,
  list: listRule(
    ruleByType({
      text: plain,
      refusal: plain,
      thinking: plain,
      image_url: imagePart(
        objectRule({
          type: textRule,
          image_url: ruleByKind({ text: anyValue, object: objectRule({ url: textRule, detail: textRule }) }),
          cache_control: cacheControl,
        }),
      ),
      file: notingRule(
        (facts) => {
          facts.byReference = true;
        },
        objectRule({ type: textRule, file: anyValue, cache_control: cacheControl }),
      ),
      input_audio: refuseField('is sound, which has a price of its own.', 'input_audio'),
      video_url: refuseField('is a film, which has a price of its own.', 'video_url'),
    }),
  ),
});

const toolCall = objectRule({
  id: textRule,
  type: textRule,
  index: numberRule,
  function: objectRule({ name: textRule, arguments: textRule }),
  custom: objectRule({ name: textRule, input: textRule }),
  extra_content: anyValue,
  cache_control: cacheControl,
});

const message = objectRule({
  role: textRule,
  content,
  name: textRule,
  refusal: textRule,
  tool_calls: listRule(toolCall),
  tool_call_id: textRule,
  function_call: anyValue,
  reasoning_content: textRule,
  reasoning: textRule,
  reasoning_text: textRule,
  reasoning_opaque: opaqueText,
  reasoning_details: notingRule((facts, value) => {
    facts.opaque += JSON.stringify(value).length;
  }),
  annotations: anyValue,
  prefix: booleanRule,
  cache_control: cacheControl,
  audio: refuseField('refers to sound that the provider keeps.'),
});

const tool: FieldRule = ruleByType({
  function: objectRule({ type: textRule, function: anyValue, cache_control: cacheControl }),
  custom: objectRule({ type: textRule, custom: anyValue, cache_control: cacheControl }),
});

const anotherModel = 'lets another model or provider answer, at another price.';
const searching = 'searches at the provider, for a fee.';

const rule = objectRule({
  model: textRule,
  messages: listRule(message),
  max_tokens: outputLimit(),
  max_completion_tokens: outputLimit(),
  n: countRule(
    (facts, value) => {
      facts.answers = Math.max(1, value);
    },
    { most: 16 },
  ),
  tools: listRule(orHosted(tool)),
  tool_choice: anyValue,
  parallel_tool_calls: booleanRule,
  functions: anyValue,
  function_call: anyValue,
  stream: booleanRule,
  stream_options: objectRule({ include_usage: booleanRule, include_obfuscation: booleanRule }),
  usage: objectRule({ include: booleanRule }),
  response_format: anyValue,
  reasoning_effort: textRule,
  reasoning: objectRule({
    effort: textRule,
    max_tokens: thinkingLimit(),
    exclude: booleanRule,
    enabled: booleanRule,
    summary: textRule,
  }),
  include_reasoning: booleanRule,
  thinking: objectRule({ type: textRule, budget_tokens: thinkingLimit(), clear_thinking: booleanRule }),
  enable_thinking: booleanRule,
  thinking_budget: thinkingLimit(),
  chat_template_kwargs: anyValue,
  verbosity: textRule,
  temperature: numberRule,
  top_p: numberRule,
  top_k: numberRule,
  min_p: numberRule,
  frequency_penalty: numberRule,
  presence_penalty: numberRule,
  repetition_penalty: numberRule,
  logit_bias: anyValue,
  logprobs: booleanRule,
  top_logprobs: numberRule,
  seed: numberRule,
  stop: anyValue,
  user: textRule,
  metadata: anyValue,
  store: booleanRule,
  service_tier: serviceTier,
  prompt_cache_key: textRule,
  prompt_cache_retention: textRule,
  prompt_cache_options: objectRule({ mode: textRule, ttl: textRule }),
  safety_identifier: textRule,
  cache_control: cacheControl,
  modalities: listRule(choiceRule('text')),
  audio: refuseField('is sound, which has a price of its own.'),
  prediction: refuseField('is charged as output wherever it is wrong.'),
  best_of: allowOnly(1, 'writes several answers for one.'),
  models: refuseField(anotherModel),
  route: refuseField(anotherModel),
  provider: refuseField(anotherModel),
  fallbacks: refuseField(anotherModel),
  preset: refuseField(anotherModel),
  plugins: refuseField('adds tools that run at the provider, for a fee.'),
  web_search_options: refuseField(searching),
  search_parameters: refuseField(searching),
  enable_search: allowOnly(false, searching),
  search_options: refuseField(searching),
  web_search: refuseField(searching),
});

export const openaiChatRule: FieldRule = (value, at, reading) => {
  const read = rule(value, at, reading);
  const both = ['max_tokens', 'max_completion_tokens'].every(
    (name) => ((read as Record<string, unknown>)[name] ?? null) !== null,
  );
  if (both)
    throw new NotUnderstood(`${notSentSentence} It limits its output twice: "max_tokens" and "max_completion_tokens".`);
  return read;
};

/** To some servers nothing means no limit. */
function outputLimit(): FieldRule {
  return countRule(
    (facts, value) => {
      facts.maxOutput = value;
    },
    { least: 1 },
  );
}

function thinkingLimit(): FieldRule {
  return countRule((facts, value) => {
    facts.thinking = Math.max(facts.thinking, value);
  });
}

/** Tools of other types are servers' own and run there. */
function orHosted(known: FieldRule): FieldRule {
  return (value, at, reading) => {
    const type = (value as { type?: unknown } | null)?.type;
    if (type === 'function' || type === 'custom') return known(value, at, reading);
    return hostedWithoutBound(typeof type === 'string' ? type : '')(value, `${at}.type`, reading);
  };
}
