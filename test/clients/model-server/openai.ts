/** What OpenAI's two protocols share: refusals and how finished tool arguments and usage are named. */
import type { Refusal } from './script.ts';
import type { RefusedAnswer } from './wire.ts';

const refused: Readonly<Record<Refusal, readonly [status: number, type: string, code: string | null, text: string]>> = {
  rate_limit: [429, 'requests', 'rate_limit_exceeded', 'Rate limit reached for requests.'],
  overloaded: [503, 'server_error', null, 'The engine is currently overloaded, please try again later.'],
  server: [500, 'server_error', null, 'The server had an error while processing your request.'],
  authentication: [401, 'invalid_request_error', 'invalid_api_key', 'Incorrect API key provided.'],
  billing: [
    429,
    'insufficient_quota',
    'insufficient_quota',
    'You exceeded your current quota, please check your plan and billing details.',
  ],
  model_not_found: [404, 'invalid_request_error', 'model_not_found', 'The model does not exist.'],
  prompt_too_long: [
    400,
    'invalid_request_error',
    'context_length_exceeded',
    "Your input exceeds the context window of this model. This model's maximum context length is 128000 tokens.",
  ],
};

export function refuseAsOpenai(refusal: Refusal): RefusedAnswer {
  const [status, type, code, message] = refused[refusal];
  return { status, body: { error: { message, type, param: null, code } } };
}
