/**
 * What a model request asks for, as far as it bears on its cost, and the few changes the meter makes to one: a
 * lower limit on the output, tools of the provider's left out, usage asked for. The body is untrusted JSON; nothing
 * of it is kept, and it goes through byte by byte unless one of those changes is needed.
 */
import { contentParts } from './request-parts.ts';
import { countIn, fields } from './read-usage/usage-reader.ts';
import { parsedJson } from './sse.ts';
import type { WireProtocol } from './wire.ts';

export interface ModelRequest {
  readonly wire: WireProtocol;
  readonly model: string;
  readonly bytes: number;
  /** Per answer; undefined: as much as the model writes at most. */
  readonly maxOutput: number | undefined;
  readonly answers: number;
  readonly images: number;
  /** Input that is not in the body: files, addresses, what the provider remembers. */
  readonly byReference: boolean;
  /** How often tools that run at the provider may be used, for a fee and with input of their own. */
  readonly hostedUses: number;
  /** Of the output, what is set aside for thinking. */
  readonly thinking: number;
  readonly cacheWrite: 'none' | 'short' | 'long';
  /** A faster answer, for more money. */
  readonly rush: boolean;
}

export interface RequestChanges {
  readonly maxOutput?: number;
  readonly withoutHostedTools?: boolean;
}

export interface ReadBody {
  readonly request: ModelRequest;
  /** The body to send. */
  render(changes: RequestChanges): Buffer;
}

/** Undefined when it is not a request the meter understands. */
export function readModelRequest(
  wire: WireProtocol,
  modelInPath: string | undefined,
  body: Buffer,
): ReadBody | undefined {
  const json = parsedJson(body.toString('utf8'));
  const root = fields(json);
  const model = modelInPath ?? root['model'];
  if (json !== root || typeof model !== 'string' || model === '') return undefined;
  const request = describeRequest(wire, model, root, body.length);
  return {
    request,
    render(changes) {
      const changed = changedBody(request, root, changes);
      return changed === root ? body : Buffer.from(JSON.stringify(changed));
    },
  };
}

type Fields = Readonly<Record<string, unknown>>;

function describeRequest(wire: WireProtocol, model: string, root: Fields, bytes: number): ModelRequest {
  const parts = contentParts(wire, root);
  const generation = generationOf(root);
  const hosted = toolsOf(root).filter((tool) => isHosted(wire, tool));
  const text = wire === 'anthropic' ? JSON.stringify(root) : '';
  const caches = text.includes('"cache_control"');
  return {
    wire,
    model,
    bytes,
    maxOutput: countIn(wire === 'gemini' ? generation['maxOutputTokens'] : root[outputField(wire, model, root)]),
    answers: Math.max(1, countIn(root['n'] ?? generation['candidateCount']) ?? 1),
    images: parts.images,
    byReference: parts.byReference,
    hostedUses:
      hosted.reduce((sum, tool) => sum + (countIn(tool['max_uses']) ?? usualUses), 0) +
      (root['web_search_options'] === undefined ? 0 : usualUses),
    thinking: countIn(fields(root['thinking'])['budget_tokens']) ?? 0,
    cacheWrite: wire !== 'anthropic' ? 'short' : !caches ? 'none' : text.includes('"1h"') ? 'long' : 'short',
    rush: root['speed'] === 'fast' || root['service_tier'] === 'priority' || root['service_tier'] === 'fast',
  };
}

const usualUses = 10;

function changedBody(request: ModelRequest, root: Fields, changes: RequestChanges): Fields {
  const { wire, model } = request;
  let result = root;
  if (changes.maxOutput !== undefined && changes.maxOutput !== request.maxOutput) {
    const limit = changes.maxOutput;
    result =
      wire === 'gemini'
        ? { ...result, [generationKey(root)]: { ...generationOf(root), maxOutputTokens: limit } }
        : { ...result, [outputField(wire, model, root)]: limit };
  }
  if (changes.withoutHostedTools === true && request.hostedUses > 0) {
    const { web_search_options: _left, ...rest } = result;
    result = { ...rest, tools: toolsOf(root).filter((tool) => !isHosted(wire, tool)) };
  }
  const options = fields(root['stream_options']);
  if (wire === 'openai-chat' && root['stream'] === true && options['include_usage'] !== true) {
    result = { ...result, stream_options: { ...options, include_usage: true } };
  }
  return result;
}

/** Newer OpenAI models refuse `max_tokens`, most compatible servers know nothing else. */
function outputField(wire: WireProtocol, model: string, root: Fields): string {
  if (wire === 'anthropic') return 'max_tokens';
  if (wire === 'openai-responses') return 'max_output_tokens';
  if (root['max_completion_tokens'] !== undefined) return 'max_completion_tokens';
  if (root['max_tokens'] !== undefined) return 'max_tokens';
  return /^(?:openai\/)?(?:gpt-[5-9]|o\d)/.test(model) ? 'max_completion_tokens' : 'max_tokens';
}

function generationKey(root: Fields): string {
  return root['generation_config'] === undefined ? 'generationConfig' : 'generation_config';
}

function generationOf(root: Fields): Fields {
  return fields(root[generationKey(root)]);
}

function toolsOf(root: Fields): readonly Fields[] {
  return Array.isArray(root['tools']) ? (root['tools'] as readonly unknown[]).map(fields) : [];
}

/** Tools that the agent itself runs, by wire; any other runs at the provider. */
const ownTools =
  /^(?:custom|function|namespace|local_shell|shell|apply_patch|tool_search|(?:bash|text_editor|computer|memory|tool_search_tool)_[a-z0-9_]+)$/;

function isHosted(wire: WireProtocol, tool: Fields): boolean {
  if (wire === 'gemini')
    return tool['functionDeclarations'] === undefined && tool['function_declarations'] === undefined;
  return typeof tool['type'] === 'string' && !ownTools.test(tool['type']);
}
