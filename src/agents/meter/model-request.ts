/**
 * A model request as the meter understands it: what it may cost, and the body that is sent. The body is untrusted.
 * It is read strictly, held against the rules of its wire and written anew, so that what is sent is what was judged;
 * what no rule knows is not sent. The meter changes little: a lower limit on the output, usage asked for, a limit on
 * tools that run at the provider, the usual price where a provider would choose one.
 */
import { anthropicRule } from './rules/anthropic.ts';
import { geminiRule } from './rules/gemini.ts';
import { usualUses } from './rules/hosted.ts';
import { openaiChatRule } from './rules/openai-chat.ts';
import { openaiResponsesRule } from './rules/openai-responses.ts';
import { type CostFacts, type FieldRule, fieldsOf, NotUnderstood, notSentSentence } from './rules/rule.ts';
import { isJsonObject, type Json, type JsonObject, parseStrictJson, renderJson } from './strict-json.ts';
import type { WireProtocol } from './wire.ts';

export interface ModelRequest {
  readonly wire: WireProtocol;
  readonly model: string;
  /** Tokens its text can be at most: no token is less than a byte of it. */
  readonly bytes: number;
  /** Per answer; undefined: as much as the model writes at most. */
  readonly maxOutput: number | undefined;
  /** Output that the limit may not hold: thinking. */
  readonly besides: number;
  /** Whether the meter can lower the limit. */
  readonly limitable: boolean;
  readonly answers: number;
  readonly images: number;
  /** Characters of what only the provider can read. */
  readonly opaque: number;
  /** Input that is not in the body: files, addresses, what the provider remembers. */
  readonly byReference: boolean;
  /** How often tools that run at the provider may be used in all, and the most that can cost. */
  readonly hostedUses: number;
  readonly fees: number;
  /** Of the output, what is set aside for thinking. */
  readonly thinking: number;
  readonly cacheWrite: CostFacts['cacheWrite'];
  /** The provider may have the model summarize the input first. */
  readonly compacts: boolean;
  /** A faster answer, for more money. */
  readonly rush: boolean;
}

/** What a person has set for the agent, and where its requests go. */
export interface RequestTerms {
  readonly allowFields?: readonly string[] | undefined;
  readonly fees?: Readonly<Record<string, number>> | undefined;
  /** The provider's host. */
  readonly host?: string | undefined;
}

export interface RequestPlace {
  readonly wire: WireProtocol;
  /** Where the path names it. */
  readonly model: string | undefined;
  /** `/responses/compact`, which takes no limit on its output. */
  readonly compact?: boolean | undefined;
}

export type ReadRequest =
  | { readonly ok: true; readonly request: ModelRequest; render(maxOutput?: number): Buffer }
  /** A sentence for a person; the model, if one was named. */
  | { readonly ok: false; readonly sentence: string; readonly model: string };

export function readModelRequest(place: RequestPlace, body: Buffer, terms: RequestTerms = {}): ReadRequest {
  const parsed = parseStrictJson(body);
  if (!parsed.ok)
    return { ok: false, sentence: `${notSentSentence} Its body cannot be read: ${parsed.problem}.`, model: '' };
  if (!isJsonObject(parsed.value))
    return { ok: false, sentence: `${notSentSentence} Its body must be a JSON object.`, model: '' };
  const model = place.model ?? parsed.value['model'];
  try {
    return understood(place, { model, value: parsed.value, terms });
  } catch (error) {
    if (!(error instanceof NotUnderstood)) throw error;
    return { ok: false, sentence: error.message, model: typeof model === 'string' ? model.slice(0, 200) : '' };
  }
}

const rules: Readonly<Record<WireProtocol, FieldRule>> = {
  anthropic: anthropicRule,
  'openai-responses': openaiResponsesRule,
  'openai-chat': openaiChatRule,
  gemini: geminiRule,
};

function understood(
  place: RequestPlace,
  given: { readonly model: Json | undefined; readonly value: JsonObject; readonly terms: RequestTerms },
): ReadRequest {
  const { terms } = given;
  const model = modelName(given.model);
  const facts = noFacts(place.wire);
  const fees = terms.fees ?? {};
  const reading = { facts, allowed: new Set(terms.allowFields), fees };
  const read = fieldsOf(rules[place.wire](given.value, '', reading));
  const hostedUses = usesOf(facts);
  const sent = withUsage(place, limitedUses(place.wire, usualPrice(place, read, terms), facts));
  const text = renderJson(sent);
  const request: ModelRequest = {
    wire: place.wire,
    model,
    bytes: mostTokensOf(text),
    maxOutput: facts.maxOutput,
    besides: besidesOf(place.wire, facts),
    limitable: place.compact !== true,
    answers: facts.answers,
    images: facts.images,
    opaque: facts.opaque,
    byReference: facts.byReference,
    hostedUses,
    fees: hostedUses * Math.max(0, ...facts.hosted.map(({ name }) => fees[name] ?? 0)),
    thinking: facts.thinking,
    cacheWrite: facts.cacheWrite,
    compacts: facts.compacts,
    rush: facts.rush,
  };
  return {
    ok: true,
    request,
    render: (maxOutput) =>
      Buffer.from(maxOutput === undefined ? text : renderJson(withLimit(request, sent, maxOutput))),
  };
}

function noFacts(wire: WireProtocol): CostFacts {
  return {
    maxOutput: undefined,
    answers: 1,
    thinking: 0,
    images: 0,
    opaque: 0,
    byReference: false,
    // Elsewhere the cache is used without being asked.
    cacheWrite: wire === 'anthropic' ? 'none' : 'short',
    compacts: false,
    rush: false,
    hosted: [],
    mostHostedUses: undefined,
  };
}

/** One model, by a name as providers give them. A name can bring a search with it. */
function modelName(model: Json | undefined): string {
  if (typeof model !== 'string' || !/^[\w.:/@[\]~+-]{1,200}$/.test(model))
    throw new NotUnderstood(`${notSentSentence} "model" must be the name of one model.`);
  if (searchingModel.test(model))
    throw new NotUnderstood(
      `${notSentSentence} The model "${model}" searches at the provider, for a fee. Name another model.`,
    );
  return model;
}

const searchingModel = /:online$|-search-(?:preview|api)|-deep-research|(?:^|\/)sonar/i;

/** Thinking that may come on top of the limit: where it is allowed more than that, and where servers count it apart. */
function besidesOf(wire: WireProtocol, { maxOutput, thinking }: CostFacts): number {
  return maxOutput !== undefined && (wire === 'openai-chat' || thinking >= maxOutput) ? thinking : 0;
}

/** Some tokenizers put text into its long form first. */
function mostTokensOf(text: string): number {
  const bytes = Buffer.byteLength(text);
  return bytes === text.length ? bytes : Math.max(bytes, Buffer.byteLength(text.normalize('NFKC')));
}

function usesOf({ hosted, mostHostedUses }: CostFacts): number {
  if (hosted.length === 0) return 0;
  return mostHostedUses ?? hosted.reduce((sum, { uses }) => sum + (uses ?? usualUses), 0);
}

function limitedUses(wire: WireProtocol, body: JsonObject, facts: CostFacts): JsonObject {
  if (facts.hosted.length === 0) return body;
  if (wire === 'openai-responses') return { ...body, max_tool_calls: usesOf(facts) };
  const unlimited = facts.hosted.filter(({ uses }) => uses === undefined).map(({ name }) => name);
  const tools = (body['tools'] as readonly JsonObject[] | undefined)?.map((tool) => {
    const hosted = unlimited.some((name) => isVersionOf(tool['type'], name));
    return hosted ? { ...tool, max_uses: usualUses } : tool;
  });
  return tools === undefined ? body : { ...body, tools };
}

function isVersionOf(type: Json | undefined, name: string): boolean {
  return typeof type === 'string' && type.startsWith(`${name}_`);
}

const isOpenai = /(?:^|\.)api\.openai\.com$/;

/** At OpenAI a project may have another tier than the usual one for requests that do not name any. */
function usualPrice({ wire, compact }: RequestPlace, body: JsonObject, { host }: RequestTerms): JsonObject {
  const tier = body['service_tier'] ?? 'auto';
  const chosenThere = wire.startsWith('openai') && compact !== true && isOpenai.test(host ?? '') && tier === 'auto';
  return chosenThere ? { ...body, service_tier: 'default' } : body;
}

function withUsage({ wire }: RequestPlace, body: JsonObject): JsonObject {
  if (wire !== 'openai-chat' || body['stream'] !== true) return body;
  return { ...body, stream_options: { ...fieldsOf(body['stream_options']), include_usage: true } };
}

function withLimit({ wire, model }: ModelRequest, body: JsonObject, limit: number): JsonObject {
  if (wire === 'gemini')
    return { ...body, generationConfig: { ...fieldsOf(body['generationConfig']), maxOutputTokens: limit } };
  return { ...body, [outputField(wire, model, body)]: limit };
}

/** Newer OpenAI models refuse `max_tokens`, most compatible servers know nothing else. */
function outputField(wire: WireProtocol, model: string, body: JsonObject): string {
  if (wire === 'anthropic') return 'max_tokens';
  if (wire === 'openai-responses') return 'max_output_tokens';
  if ((body['max_completion_tokens'] ?? null) !== null) return 'max_completion_tokens';
  if ((body['max_tokens'] ?? null) !== null) return 'max_tokens';
  return /^(?:openai\/)?(?:gpt-[5-9]|o\d)/.test(model) ? 'max_completion_tokens' : 'max_tokens';
}
