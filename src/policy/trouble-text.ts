/**
 * What an error's text says, when its structure is lost: JSON that a provider's answer was printed as, a status at the
 * start, a system error code, and sentences known by their beginning. Every pattern is anchored at the start of a line,
 * after prefixes such as `API Error:`; so "author not found" or "used 1500 tokens" mean nothing. Text is untrusted and
 * bounded before anything is matched.
 */
import type { TroubleCode } from './trouble.ts';

export interface HeardTrouble {
  /** Names found in JSON or at the start of a line, to be looked up as structured ones are. */
  readonly codes: readonly (string | number)[];
  readonly status: number | undefined;
  /** Said in words. */
  readonly code: TroubleCode | undefined;
}

const longestText = 20_000;
const mostLines = 50;

export function readTroubleText(text: string): HeardTrouble {
  const bounded = text.slice(0, longestText);
  const structured = jsonIn(bounded);
  const lines = [bounded, ...structured.messages].flatMap((part) => part.split('\n', mostLines)).map(withoutPrefix);
  return {
    codes: [...structured.codes, ...lines.flatMap((line) => nameAtStart(line) ?? [])],
    status: lines.map(statusAtStart).find((status) => status !== undefined),
    code: lines.map(phraseAtStart).find((code) => code !== undefined),
  };
}

interface Structured {
  readonly codes: readonly (string | number)[];
  readonly messages: readonly string[];
}

const nothing: Structured = { codes: [], messages: [] };

/** `429 {"type":"error","error":{"type":"rate_limit_error",…}}`, also where a message is JSON once more. */
function jsonIn(text: string, depth = 0): Structured {
  const start = text.indexOf('{');
  const end = text.lastIndexOf('}');
  if (start === -1 || end < start || depth > 2) return nothing;
  try {
    return namesIn(JSON.parse(text.slice(start, end + 1)), depth);
  } catch {
    return nothing;
  }
}

function namesIn(value: unknown, depth: number): Structured {
  if (typeof value !== 'object' || value === null) return nothing;
  const at = value as Readonly<Record<string, unknown>>;
  const inner = typeof at['error'] === 'object' ? namesIn(at['error'], depth) : nothing;
  const message = typeof at['message'] === 'string' ? at['message'] : undefined;
  const nested = message === undefined ? nothing : jsonIn(message, depth + 1);
  const own = ['code', 'type', 'status'].flatMap((key) => {
    const name = at[key];
    return typeof name === 'string' || typeof name === 'number' ? [name] : [];
  });
  return {
    codes: [...nested.codes, ...inner.codes, ...own],
    messages: [...nested.messages, ...inner.messages, ...(message === undefined ? [] : [message])],
  };
}

const prefix =
  /^\s*(?:(?:[a-z_]{0,40}(?:error|exception)|fatal|api error|internal error|stream error|provider error|turn failed|request to \S{1,300} failed, reason)\s*[:·]\s*)/i;

function withoutPrefix(line: string): string {
  let rest = line.slice(0, 1000);
  for (let round = 0; round < 5 && prefix.test(rest); round++) rest = rest.replace(prefix, '');
  return rest.trim().replaceAll('’', "'");
}

const systemCall =
  /^(?:(?:connect|read|write|getaddrinfo|spawn \S{1,200})\s+)?(E[A-Z]{3,14}|EAI_[A-Z]+|UND_ERR_[A-Z_]+)\b/;
const wholeName = /^([a-z]+(?:_[a-z]+)+)(?=$|[.:]|\s*[{(])/;

function nameAtStart(line: string): string | undefined {
  return systemCall.exec(line)?.[1] ?? wholeName.exec(line)?.[1];
}

const introduced =
  /^(?:http(?:\/\d(?:\.\d)?)?\s+|(?:unexpected |last )?status(?: code)?[:=]?\s+|exceeded retry limit, last status:\s+|request (?:failed with status(?: code)?|rejected)[:\s(]*)([45]\d\d)\b/i;
const alone =
  /^([45]\d\d)(?=$|[):.](?:\s|$)|\s*\{|\s+[·—–-]\s|\s+(?:status code|bad request|unauthorized|payment required|forbidden|not found|request time-?out|conflict|(?:payload|content|request entity) too large|unprocessable|too many requests|internal server error|bad gateway|service unavailable|gateway time-?out|overloaded)\b)/i;

function statusAtStart(line: string): number | undefined {
  const found = (introduced.exec(line) ?? alone.exec(line))?.[1];
  return found === undefined ? undefined : Number(found);
}

function phraseAtStart(line: string): TroubleCode | undefined {
  return phrases.find(([, pattern]) => pattern.test(line))?.[0];
}

/** In order: the first that fits a line decides. */
const phrases: readonly (readonly [TroubleCode, RegExp])[] = [
  [
    'prompt_too_long',
    /^(?:(?:your |the )?(?:prompt|input|context|conversation)(?: length)?(?: is| was)? too (?:long|large)\b|(?:maximum )?context (?:length|limit|window)\b.{0,40}\b(?:exceeded|reached)\b|this (?:model|endpoint)'s maximum context length\b|the input token count\b.{0,60}\bexceeds\b|your input exceeds the context window\b|codex ran out of room in the model's context window|input length and `max_tokens` exceed context limit)/i,
  ],
  ['rate_limit', /^quota exceeded\b.{0,80}\b429\b/i],
  [
    'billing',
    /^(?:your credit balance is too low|you exceeded your current quota|quota exceeded\b|insufficient (?:funds|credits?|balance|quota)\b|you're out of (?:usage credits|extra usage)|your org is out of usage|your seat type doesn't include|your usage allocation has been disabled|your group's usage limit is set to|you have reached your specified (?:workspace )?api usage limits|payment required\b|fable \S{1,10} requires usage credits)/i,
  ],
  [
    'rate_limit',
    /^(?:(?:api |request |account )?rate[ -]limit(?:ed\b|s? (?:(?:has been|was|is) )?(?:exceeded|reached|hit)\b|$)|too many requests\b|you've (?:hit|reached) your (?:[\w-]+ ){0,3}limit\b|claude (?:ai )?usage limit reached|(?:5-hour|weekly|daily|session|usage) limit (?:reached|exceeded)\b|(?:this request would|number of (?:request|input|output) tokens has) exceed(?:ed)? your .{0,60}rate limit|resource (?:has been )?exhausted\b|you have exhausted your (?:capacity|quota|daily quota))/i,
  ],
  [
    'overloaded',
    /^(?:(?:the |selected )?(?:model|server|service|engine|api) is (?:currently |temporarily )?(?:overloaded|unavailable|at capacity)\b|overloaded(?=$|[.,:;])|service unavailable\b)/i,
  ],
  [
    'server',
    /^(?:internal server error|bad gateway|gateway time-?out|server error(?=$|[.:])|the server had an error)/i,
  ],
  [
    'stream_cut',
    /^(?:terminated$|unexpected token\b.{1,40}\b(?:in|is not valid) json|unexpected end of json input|premature close|stream (?:disconnected|closed|ended) (?:before|prematurely|unexpectedly|without)|other side closed|connection (?:closed|lost|dropped)\b)/i,
  ],
  [
    'network',
    /^(?:fetch failed|socket hang up\b|network error(?=$|[.:])|network is unreachable|connection error(?=$|[.:])|connection (?:refused|reset|timed out)\b|getaddrinfo\b|dns (?:lookup )?fail|request timed out\b|could not resolve host\b|error sending request for url|unable to connect to (?:the )?(?:api|anthropic|openai|provider)\b)/i,
  ],
  [
    'authentication',
    /^(?:invalid (?:x-)?api[ -]?key\b|incorrect api key\b|invalid bearer token\b|api key (?:not valid|invalid|not found|expired)\b|no api key\b|not logged in\b|login expired\b|please run \/login\b|authentication (?:failed|required)\b|(?:unauthorized|forbidden)(?=$|[.:])|oauth token has expired\b)/i,
  ],
  [
    'model_not_found',
    /^(?:(?:the )?(?:requested )?model\b.{1,120}\b(?:not found|does not exist|is not available|is not supported)\b|models\/\S{1,120} is not found\b|model: [\w./:@-]{1,120}$|unknown model\b|there's an issue with the selected model\b)/i,
  ],
  [
    'refusal',
    /^(?:i'm sorry, (?:but )?)?(?:i'm|i am) (?:not able|unable) to(?: (?:help|assist|comply|continue)\b.*)?[.…]*$|^i (?:can't|cannot|won't) (?:help|assist|comply)\b/i,
  ],
  [
    'limit_reached',
    /^(?:reached (?:the )?max(?:imum)? (?:number of )?turns|(?:the )?budget (?:is )?(?:exceeded|exhausted))\b/i,
  ],
  [
    'tool_missing',
    /^(?:(?:\S{1,100}: ){1,3}command not found$|(?:\S{0,60}sh): \d+: \S{1,100}: not found$|command not found\b|exec: \S{1,100}: executable file not found)/i,
  ],
  ['killed', /^(?:killed|out of memory)$/i],
];
