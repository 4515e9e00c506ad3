import type { ModelMessage } from 'ai';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { estimateMessages } from '../../../src/agents/builtin/estimate-tokens.ts';
import { shortenHistory } from '../../../src/agents/builtin/shorten-history.ts';

const user = (content: string): ModelMessage => ({ role: 'user', content });
const call = (id: string, input: unknown): ModelMessage => ({
  role: 'assistant',
  content: [{ type: 'tool-call', toolCallId: id, toolName: 'run', input }],
});
const result = (id: string, value: string): ModelMessage => ({
  role: 'tool',
  content: [{ type: 'tool-result', toolCallId: id, toolName: 'run', output: { type: 'text', value } }],
});
const note = (what: string, length: number) =>
  `[${what} of ${length} characters left out to save room. Call the tool again if you need it.]`;
const long = 'x'.repeat(3500);

describe('shed', () => {
  test('leaves a conversation alone that fits', () => {
    const messages = [user('task'), call('1', {}), result('1', long)];
    const tokens = estimateMessages(messages);
    expect(shortenHistory(messages, { limit: tokens, target: 1 })).toEqual({
      messages,
      tokens,
      fits: true,
      left: new Set(),
    });
  });

  test('the oldest output goes first, and stays out', () => {
    const round = (id: string) => [call(id, { n: id }), result(id, long)];
    const messages = [user('task'), ...round('1'), ...round('2'), ...round('3')];
    const limits = { limit: estimateMessages(messages) - 1, target: estimateMessages(messages) - 500 };
    const once = shortenHistory(messages, limits);
    const expected = messages.with(2, result('1', note('Output', 3500)));
    expect([once.messages, once.fits]).toEqual([expected, true]);
    const grown = [...messages, ...round('4')];
    expect(shortenHistory(grown, { limit: 1e6, target: 1 }, once.left).messages).toEqual([...expected, ...round('4')]);
  });

  test('then arguments and thoughts, then whole rounds, then the middle of what is new', () => {
    const old: ModelMessage = {
      role: 'assistant',
      content: [
        { type: 'reasoning', text: long },
        { type: 'tool-call', toolCallId: '1', toolName: 'run', input: { path: 'a', content: long, deep: [long] } },
      ],
    };
    const messages = [
      user('task'),
      old,
      result('1', long),
      user('again'),
      call('2', { keep: long }),
      result('2', long),
    ];
    const text = note('Text', 3500);
    const middle = `${'x'.repeat(1000)}\n${note('Middle', 1500)}\n${'x'.repeat(1000)}`;
    const [, , , again, newCall, newResult] = messages as [unknown, unknown, unknown, ...ModelMessage[]];
    const fresh = [again, newCall, newResult].filter((message) => message !== undefined);
    const shortened = call('1', { path: 'a', content: text, deep: [text] });
    const stages: readonly (readonly ModelMessage[])[] = [
      [user('task'), shortened, result('1', note('Output', 3500)), ...fresh],
      [user('task'), ...fresh],
      [user('task'), ...fresh.slice(0, 2), result('2', middle)],
    ];
    for (const stage of stages) {
      const limit = estimateMessages(stage);
      expect(shortenHistory(messages, { limit, target: limit }).messages).toEqual(stage);
    }
    const hopeless = shortenHistory(messages, { limit: 1, target: 1 });
    expect([hopeless.messages, hopeless.fits]).toEqual([stages[2], false]);
  });

  const text = fc.nat({ max: 6000 }).map((length) => 'word '.repeat(length / 5));
  const step = fc.oneof(
    {
      weight: 4,
      arbitrary: fc.record({
        kind: fc.constant('round' as const),
        calls: fc.array(fc.tuple(text, text), { minLength: 1, maxLength: 3 }),
      }),
    },
    { weight: 1, arbitrary: fc.record({ kind: fc.constant('user' as const), text }) },
    { weight: 1, arbitrary: fc.record({ kind: fc.constant('words' as const), text }) },
  );
  const conversation = fc.tuple(text, fc.array(step, { maxLength: 12 })).map(([task, steps]) => [
    user(task),
    ...steps.flatMap((one, at): ModelMessage[] => {
      if (one.kind === 'user') return [user(one.text)];
      if (one.kind === 'words') return [{ role: 'assistant', content: one.text }];
      const ids = one.calls.map((_, index) => `${at}.${index}`);
      return [
        {
          role: 'assistant',
          content: one.calls.map(([input], index) => ({
            type: 'tool-call',
            toolCallId: ids[index] ?? '',
            toolName: 't',
            input: { input },
          })),
        },
        {
          role: 'tool',
          content: one.calls.map(([, value], index) => ({
            type: 'tool-result',
            toolCallId: ids[index] ?? '',
            toolName: 't',
            output: { type: 'text', value },
          })),
        },
      ];
    }),
  ]);

  const ids = (messages: readonly ModelMessage[], type: string) =>
    messages.flatMap(({ content }) =>
      typeof content === 'string'
        ? []
        : content.flatMap((part) => (part.type === type && 'toolCallId' in part ? [part.toolCallId] : [])),
    );
  const users = (messages: readonly ModelMessage[]) => messages.filter(({ role }) => role === 'user');

  test('whatever the conversation: within the limit or said so, every user message, no call without its result', () => {
    fc.assert(
      fc.property(conversation, fc.nat({ max: 8000 }), (messages, limit) => {
        const out = shortenHistory(messages, { limit, target: limit * 0.8 });
        expect(out.tokens).toBe(estimateMessages(out.messages));
        expect(out.fits).toBe(out.tokens <= limit);
        expect(out.tokens).toBeLessThanOrEqual(estimateMessages(messages));
        expect(users(out.messages)).toEqual(users(messages));
        expect(ids(out.messages, 'tool-result')).toEqual(ids(out.messages, 'tool-call'));
        const last = messages.findLastIndex(({ role }) => role === 'assistant');
        if (last >= 0) expect(out.messages).toContain(messages[last]);
      }),
    );
  });

  test('is stable: what it gave, given again with what was left out, stays', () => {
    fc.assert(
      fc.property(conversation, fc.nat({ max: 8000 }), (messages, limit) => {
        const limits = { limit, target: limit * 0.8 };
        const out = shortenHistory(messages, limits);
        fc.pre(out.fits);
        expect(shortenHistory(messages, limits, out.left)).toEqual(out);
      }),
    );
  });
});
