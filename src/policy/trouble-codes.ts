/**
 * Structured names of trouble and what they mean: error types of Anthropic, OpenAI and Gemini, categories of
 * claude-agent-acp and Claude Code, of codex, stop reasons of ACP, JSON-RPC and system error codes, HTTP statuses.
 * A name that providers use for several things is not firm: words may say more, and what is here is then the default.
 */
import type { TroubleCode } from './trouble.ts';

export interface TroubleMeaning {
  readonly code: TroubleCode;
  readonly firm: boolean;
  readonly source: 'code' | 'status';
}

export function codeMeaning(code: string | number): TroubleMeaning | undefined {
  const number = typeof code === 'number' ? code : /^-?\d{3,6}$/.test(code) ? Number(code) : undefined;
  // Some agents answer a JSON-RPC request with an HTTP status as its code.
  if (number !== undefined && number >= 100 && number <= 599) return statusMeaning(number);
  const name = number === undefined ? plainName(String(code)) : String(number);
  const firm = firmNames.get(name);
  if (firm !== undefined) return { code: firm, firm: true, source: 'code' };
  const loose = looseNames.get(name);
  return loose === undefined ? undefined : { code: loose, firm: false, source: 'code' };
}

export function statusMeaning(status: number): TroubleMeaning | undefined {
  const firm = firmStatuses.get(status) ?? (status >= 500 && status <= 599 ? 'server' : undefined);
  if (firm !== undefined) return { code: firm, firm: true, source: 'status' };
  const loose = looseStatuses.get(status);
  return loose === undefined ? undefined : { code: loose, firm: false, source: 'status' };
}

/** `usageLimitExceeded`, `RESOURCE_EXHAUSTED`, `error:rate_limit`, `timed-out`: one spelling. */
function plainName(code: string): string {
  return code
    .trim()
    .slice(0, 100)
    .replace(/([a-z0-9])([A-Z])/g, '$1_$2')
    .toLowerCase()
    .replace(/[\s.-]+/g, '_')
    .replace(/^error:_?/, '');
}

const firmNames = byName({
  rate_limit:
    'rate_limit rate_limit_error rate_limited rate_limit_exceeded too_many_requests resource_exhausted ' +
    'usage_limit_exceeded usage_limit_reached quota_exhausted throttled throttling_exception',
  overloaded:
    'overloaded overloaded_error server_overloaded engine_overloaded model_overloaded service_unavailable unavailable ' +
    'slow_down flex_unavailable',
  server:
    'server server_error api_error internal_server_error internal bad_gateway gateway_timeout deadline_exceeded ' +
    'timeout_error model_error',
  network:
    'network network_error connection_error api_connection_error http_connection_failed ' +
    'response_stream_connection_failed econnreset econnrefused econnaborted etimedout enotfound eai_again enetunreach ' +
    'enetdown ehostunreach und_err_connect_timeout und_err_headers_timeout',
  stream_cut:
    'stream_cut epipe und_err_socket und_err_body_timeout err_stream_premature_close response_stream_disconnected ' +
    'transport_lost aborted_streaming stream_exhausted_without_result incomplete_tool_call no_result',
  authentication:
    'authentication authentication_error authentication_failed invalid_api_key invalid_authentication api_key_invalid ' +
    'unauthenticated unauthorized forbidden permission_denied auth_required access_denied oauth_org_not_allowed ' +
    'verification_required cloud_credential_error expired_token account_deactivated',
  billing:
    'billing billing_error insufficient_quota payment_required credit_balance_too_low account_on_hold ' +
    'billing_hard_limit_reached billing_not_active credits_required out_of_credits',
  model_not_found: 'model_not_found model_not_available deployment_not_found unsupported_model',
  prompt_too_long:
    'prompt_too_long context_length_exceeded context_window_exceeded context_window_will_overflow context_exhausted ' +
    'request_too_large string_above_max_length blocking_limit',
  refusal:
    'refusal refused content_filter content_filtered content_policy_violation responsible_ai_policy_violation safety ' +
    'prohibited_content blocklist spii recitation image_safety cyber_policy misalignment_policy_violation policy_denied',
  limit_reached:
    'limit_reached max_turns error_max_turns max_turn_requests error_max_budget_usd budget_exhausted ' +
    'session_budget_exceeded max_tokens max_output_tokens error_max_structured_output_retries ' +
    'structured_output_retry_exhausted malformed_tool_use_exhausted loop_detected too_many_denials',
  tool_missing: 'tool_missing enoent command_not_found program_missing sandbox_error sandbox_required_unavailable',
  killed: 'killed cancelled aborted crashed oom_killed worker_shutdown sigkill sigterm sigsegv sigabrt -32800',
  hung: 'hung idle stalled timed_out',
});

const looseNames = byName({
  authentication: 'permission_error -32000',
  model_not_found: 'not_found not_found_error',
  server: 'response_too_many_failed_attempts',
  unknown:
    'unknown invalid_request invalid_request_error invalid_argument failed_precondition bad_request internal_error ' +
    'provider_error error_during_execution other -32603 -32602 -32002',
});

const firmStatuses: ReadonlyMap<number, TroubleCode> = new Map([
  [401, 'authentication'],
  [402, 'billing'],
  [413, 'prompt_too_long'],
  [429, 'rate_limit'],
  [503, 'overloaded'],
  [529, 'overloaded'],
]);

const looseStatuses: ReadonlyMap<number, TroubleCode> = new Map([
  [400, 'unknown'],
  [403, 'authentication'],
  [404, 'model_not_found'],
  [408, 'network'],
  [409, 'server'],
  [422, 'unknown'],
]);

function byName(names: Partial<Record<TroubleCode, string>>): ReadonlyMap<string, TroubleCode> {
  return new Map(
    Object.entries(names).flatMap(([code, list]) =>
      list.split(' ').map((name) => [name, code as TroubleCode] as const),
    ),
  );
}
