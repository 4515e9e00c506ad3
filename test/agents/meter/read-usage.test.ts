/** What four wires say they used, whole or in pieces of any size, and what they leave out. */
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { readAnswer } from '../../../src/agents/meter/answer-reader.ts';
import { readEvents } from '../../../src/agents/meter/sse.ts';
import { usageReaders, type WireProtocol } from '../../../src/agents/meter/wire.ts';

const said: Record<WireProtocol, { stream: string; json: unknown; counts: unknown }> = {
  anthropic: {
    stream: events([
      {
        type: 'message_start',
        message: {
          usage: {
            input_tokens: 10,
            cache_read_input_tokens: 200,
            cache_creation_input_tokens: 30,
            cache_creation: { ephemeral_5m_input_tokens: 20, ephemeral_1h_input_tokens: 10 },
            output_tokens: 1,
          },
        },
      },
      { type: 'content_block_delta', delta: { type: 'text_delta', text: 'grüße 🙂' } },
      { type: 'message_delta', delta: { stop_reason: 'end_turn' }, usage: { output_tokens: 51 } },
      { type: 'message_stop' },
    ]),
    json: {
      type: 'message',
      usage: {
        input_tokens: 10,
        cache_read_input_tokens: 200,
        cache_creation_input_tokens: 30,
        cache_creation: { ephemeral_1h_input_tokens: 10 },
        output_tokens: 51,
      },
    },
    counts: { input: 10, cacheRead: 200, cacheWrite: 20, cacheWriteLong: 10, output: 51 },
  },
  'openai-responses': {
    stream: events([
      { type: 'response.created', response: { usage: null } },
      { type: 'response.output_text.delta', delta: 'grüße 🙂' },
      {
        type: 'response.completed',
        response: {
          usage: {
            input_tokens: 300,
            input_tokens_details: { cached_tokens: 200 },
            output_tokens: 51,
            output_tokens_details: { reasoning_tokens: 7 },
          },
        },
      },
    ]),
    json: {
      object: 'response',
      usage: { input_tokens: 300, input_tokens_details: { cached_tokens: 200 }, output_tokens: 51 },
    },
    counts: { input: 100, cacheRead: 200, cacheWrite: 0, cacheWriteLong: 0, output: 51 },
  },
  'openai-chat': {
    stream: `${events([
      { choices: [{ delta: { content: 'grüße 🙂' }, finish_reason: null }] },
      { choices: [{ delta: {}, finish_reason: 'stop' }] },
      {
        choices: [],
        usage: { prompt_tokens: 300, completion_tokens: 51, prompt_tokens_details: { cached_tokens: 200 } },
      },
    ])}data: [DONE]\n\n`,
    json: {
      choices: [{ finish_reason: 'stop' }],
      usage: { prompt_tokens: 300, completion_tokens: 51, prompt_tokens_details: { cached_tokens: 200 } },
    },
    counts: { input: 100, cacheRead: 200, cacheWrite: 0, cacheWriteLong: 0, output: 51 },
  },
  gemini: {
    stream: events([
      {
        candidates: [{ content: { parts: [{ text: 'grüße 🙂' }] } }],
        usageMetadata: { promptTokenCount: 300, candidatesTokenCount: 4 },
      },
      {
        candidates: [{ finishReason: 'STOP' }],
        usageMetadata: {
          promptTokenCount: 290,
          toolUsePromptTokenCount: 10,
          cachedContentTokenCount: 200,
          candidatesTokenCount: 44,
          thoughtsTokenCount: 7,
        },
      },
    ]),
    json: [
      { usageMetadata: { promptTokenCount: 300 } },
      {
        candidates: [{ finishReason: 'STOP' }],
        usageMetadata: { promptTokenCount: 300, cachedContentTokenCount: 200, candidatesTokenCount: 51 },
      },
    ],
    counts: { input: 100, cacheRead: 200, cacheWrite: 0, cacheWriteLong: 0, output: 51 },
  },
};

function events(list: readonly unknown[]): string {
  return list.map((each) => `event: x\ndata: ${JSON.stringify(each)}\n\n`).join('');
}

function readStream(wire: WireProtocol, pieces: readonly Buffer[]) {
  const reader = usageReaders[wire]();
  const stream = readEvents(
    (data) => reader.take(data),
    () => reader.done?.(),
  );
  for (const piece of pieces) stream.push(piece);
  stream.end();
  return { complete: reader.known().complete, counts: reader.known().tokens };
}

function cutAt(text: string, places: readonly number[]): Buffer[] {
  const bytes = Buffer.from(text);
  const at = [0, ...places.map((place) => place % bytes.length).toSorted((a, b) => a - b), bytes.length];
  return at.slice(1).map((end, index) => bytes.subarray(at[index], end));
}

describe.each(Object.entries(said) as [WireProtocol, (typeof said)[WireProtocol]][])(
  '%s',
  (wire, { stream, json, counts }) => {
    it('is read from a stream cut anywhere, with any line ends', () => {
      const ends = fc.constantFrom('\n', '\r\n', '\r');
      fc.assert(
        fc.property(fc.array(fc.nat(), { maxLength: 40 }), ends, (places, end) => {
          expect(readStream(wire, cutAt(stream.replaceAll('\n', end), places))).toEqual({ complete: true, counts });
        }),
      );
    });

    it('is read from a whole answer', () => {
      const reader = usageReaders[wire]();
      reader.take(json);
      expect([reader.known().complete, reader.known().tokens]).toEqual([true, counts]);
    });

    it('is not complete without its end', () => {
      const lines = stream.split('\n\n').filter((line) => line !== '');
      const last = lines.findLastIndex((line) => /output_tokens|completion_tokens|finishReason/.test(line));
      expect(readStream(wire, [Buffer.from(`${lines.slice(0, last).join('\n\n')}\n\n`)]).complete).toBe(false);
    });

    it('takes nothing that is no count', () => {
      const value = fc.jsonValue({ maxDepth: 4 });
      fc.assert(
        fc.property(fc.array(value), (values) => {
          const reader = usageReaders[wire]();
          values.forEach((each) => reader.take(each));
          expect(Object.values(reader.known().tokens).every((each) => Number.isFinite(each) && each >= 0)).toBe(true);
        }),
      );
      const reader = usageReaders[wire]();
      reader.take(
        JSON.parse(
          JSON.stringify(json)
            .replace(/:(51|44)\b/g, ':-1')
            .replace(/300/g, '"many"')
            .replace(/:10\b/g, ':-10'),
        ),
      );
      expect(reader.known().complete && (reader.known().tokens.input ?? 0) > 0).toBe(false);
    });
  },
);

it('reads nothing more after an event without bound, and says so', () => {
  const seen: unknown[] = [];
  const reader = readEvents(
    (data) => seen.push(data),
    () => {},
  );
  const large = Buffer.alloc(1024 * 1024, 'x');
  reader.push(Buffer.from('data: "'));
  for (let count = 0; count < 18; count += 1) reader.push(large);
  reader.push(Buffer.from('"\n\ndata: {"after":true}\n\n'));
  reader.end();
  expect({ seen, isCut: reader.isCut() }).toEqual({ seen: [], isCut: true });
});

it('takes an answer that was not read to its end for more than it says', async () => {
  const reader = readAnswer('anthropic', { 'content-type': 'text/event-stream' });
  const tell = (data: object) => reader.push(Buffer.from(`data: ${JSON.stringify(data)}\n\n`));
  await tell({ type: 'message_start', message: { usage: { input_tokens: 5, output_tokens: 1 } } });
  await tell({ type: 'message_delta', delta: { stop_reason: 'end_turn' }, usage: { output_tokens: 2 } });
  expect(reader.known().complete).toBe(true);
  await tell({ type: 'content_block_delta', text: 'x'.repeat(9 * 1024 * 1024) });
  expect(reader.known().complete).toBe(true);
  await reader.push(Buffer.from(`data: ${'x'.repeat(17 * 1024 * 1024)}`));
  await tell({ type: 'message_delta', usage: { output_tokens: 9000 } });
  await reader.end();
  expect(reader.known()).toMatchObject({ complete: false, tokens: { input: 5, output: 2 } });
});
