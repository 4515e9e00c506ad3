/**
 * OpenAI chat completions, and the fields that compatible servers and their clients add. What chooses another model,
 * another provider or another price by itself is refused.
 */
import {
  anything,
  byType,
  choice,
  count,
  either,
  flag,
  list,
  NotUnderstood,
  noting,
  number,
  only,
  opaqueText,
  refuseField,
  type Rule,
  shape,
  text,
  unsent,
} from './rule.ts';
import { hostedWithoutBound } from './hosted.ts';
import { imagePart, serviceTier } from './openai.ts';

/** Some servers pass it on to Anthropic. */
const cacheControl: Rule = noting(
  (facts) => {
    facts.cacheWrite = 'long';
  },
  shape({ type: choice('ephemeral'), ttl: choice('5m', '1h') }),
);

const plain = shape({
  type: text,
  text,
  refusal: text,
  cache_control: cacheControl,
  prompt_cache_breakpoint: anything,
  thinking: anything,
  signature: opaqueText,
});

const content = either({
  text: anything,
  list: list(
    byType({
      text: plain,
      refusal: plain,
      thinking: plain,
      image_url: imagePart(
        shape({
          type: text,
          image_url: either({ text: anything, object: shape({ url: text, detail: text }) }),
          cache_control: cacheControl,
        }),
      ),
      file: noting(
        (facts) => {
          facts.byReference = true;
        },
        shape({ type: text, file: anything, cache_control: cacheControl }),
      ),
      input_audio: refuseField('is sound, which has a price of its own.', 'input_audio'),
      video_url: refuseField('is a film, which has a price of its own.', 'video_url'),
    }),
  ),
});

const toolCall = shape({
  id: text,
  type: text,
  index: number,
  function: shape({ name: text, arguments: text }),
  custom: shape({ name: text, input: text }),
  extra_content: anything,
  cache_control: cacheControl,
});

const message = shape({
  role: text,
  content,
  name: text,
  refusal: text,
  tool_calls: list(toolCall),
  tool_call_id: text,
  function_call: anything,
  reasoning_content: text,
  reasoning: text,
  reasoning_text: text,
  reasoning_opaque: opaqueText,
  reasoning_details: noting((facts, value) => {
    facts.opaque += JSON.stringify(value).length;
  }),
  annotations: anything,
  prefix: flag,
  cache_control: cacheControl,
  audio: refuseField('refers to sound that the provider keeps.'),
});

const tool: Rule = byType({
  function: shape({ type: text, function: anything, cache_control: cacheControl }),
  custom: shape({ type: text, custom: anything, cache_control: cacheControl }),
});

const anotherModel = 'lets another model or provider answer, at another price.';
const searching = 'searches at the provider, for a fee.';

const rule = shape({
  model: text,
  messages: list(message),
  max_tokens: outputLimit(),
  max_completion_tokens: outputLimit(),
  n: count(
    (facts, value) => {
      facts.answers = Math.max(1, value);
    },
    { most: 16 },
  ),
  tools: list(orHosted(tool)),
  tool_choice: anything,
  parallel_tool_calls: flag,
  functions: anything,
  function_call: anything,
  stream: flag,
  stream_options: shape({ include_usage: flag, include_obfuscation: flag }),
  usage: shape({ include: flag }),
  response_format: anything,
  reasoning_effort: text,
  reasoning: shape({ effort: text, max_tokens: thinkingLimit(), exclude: flag, enabled: flag, summary: text }),
  include_reasoning: flag,
  thinking: shape({ type: text, budget_tokens: thinkingLimit(), clear_thinking: flag }),
  enable_thinking: flag,
  thinking_budget: thinkingLimit(),
  chat_template_kwargs: anything,
  verbosity: text,
  temperature: number,
  top_p: number,
  top_k: number,
  min_p: number,
  frequency_penalty: number,
  presence_penalty: number,
  repetition_penalty: number,
  logit_bias: anything,
  logprobs: flag,
  top_logprobs: number,
  seed: number,
  stop: anything,
  user: text,
  metadata: anything,
  store: flag,
  service_tier: serviceTier,
  prompt_cache_key: text,
  prompt_cache_retention: text,
  prompt_cache_options: shape({ mode: text, ttl: text }),
  safety_identifier: text,
  cache_control: cacheControl,
  modalities: list(choice('text')),
  audio: refuseField('is sound, which has a price of its own.'),
  prediction: refuseField('is charged as output wherever it is wrong.'),
  best_of: only(1, 'writes several answers for one.'),
  models: refuseField(anotherModel),
  route: refuseField(anotherModel),
  provider: refuseField(anotherModel),
  fallbacks: refuseField(anotherModel),
  preset: refuseField(anotherModel),
  plugins: refuseField('adds tools that run at the provider, for a fee.'),
  web_search_options: refuseField(searching),
  search_parameters: refuseField(searching),
  enable_search: only(false, searching),
  search_options: refuseField(searching),
  web_search: refuseField(searching),
});

export const openaiChatRule: Rule = (value, at, reading) => {
  const read = rule(value, at, reading);
  const both = ['max_tokens', 'max_completion_tokens'].every(
    (name) => ((read as Record<string, unknown>)[name] ?? null) !== null,
  );
  if (both) throw new NotUnderstood(`${unsent} It limits its output twice: "max_tokens" and "max_completion_tokens".`);
  return read;
};

/** To some servers nothing means no limit. */
function outputLimit(): Rule {
  return count(
    (facts, value) => {
      facts.maxOutput = value;
    },
    { least: 1 },
  );
}

function thinkingLimit(): Rule {
  return count((facts, value) => {
    facts.thinking = Math.max(facts.thinking, value);
  });
}

/** Tools of other types are servers' own and run there. */
function orHosted(known: Rule): Rule {
  return (value, at, reading) => {
    const type = (value as { type?: unknown } | null)?.type;
    if (type === 'function' || type === 'custom') return known(value, at, reading);
    return hostedWithoutBound(typeof type === 'string' ? type : '')(value, `${at}.type`, reading);
  };
}
