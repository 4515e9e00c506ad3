import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { type DecodedMessage, decodeLine } from '../../../src/agents/acp/decode.ts';

const decode = (value: unknown, waited: readonly (string | number)[] = []): DecodedMessage =>
  decodeLine({ text: typeof value === 'string' ? value : JSON.stringify(value), cut: false }, (id) =>
    waited.includes(id),
  );
const update = (body: unknown) => ({
  jsonrpc: '2.0',
  method: 'session/update',
  params: { sessionId: 's', update: body },
});

describe('what an agent says', () => {
  test('is never more than it is, whatever it is', () => {
    fc.assert(
      fc.property(fc.oneof(fc.string(), fc.json()), fc.boolean(), (text, cut) => {
        const heard = decodeLine({ text, cut }, () => false);
        expect(['noise', 'ignored', 'message']).toContain(heard.kind);
        if (cut) expect(heard).toEqual({ kind: 'noise' });
      }),
    );
  });

  test('an update with strange parts is taken without them', () => {
    fc.assert(
      fc.property(fc.jsonValue(), fc.jsonValue(), fc.jsonValue(), (locations, content, title) => {
        const heard = decode(
          update({ sessionUpdate: 'tool_call', toolCallId: 't', status: 'pending', locations, content, title }),
        );
        expect(heard).toMatchObject({ kind: 'update', session: 's', update: { toolCallId: 't', status: 'pending' } });
      }),
    );
  });

  test('answers count only where they are waited for', () => {
    const answer = { jsonrpc: '2.0', id: 3, result: null };
    expect(decode(answer, [3])).toEqual({ kind: 'message', message: answer });
    expect(decode(answer, [4])).toEqual({ kind: 'noise' });
    expect(decode({ jsonrpc: '2.0', id: 3, error: { code: 'x', message: 'y' } }, [3])).toEqual({ kind: 'noise' });
  });

  test.each([
    [{ jsonrpc: '2.0', method: 'session/other' }],
    [update({ sessionUpdate: 'plan', entries: [] })],
    [update({ sessionUpdate: 'tool_call' })],
    [update('x')],
    [{ jsonrpc: '2.0', method: 'session/update', params: 7 }],
  ])('%j is part of the protocol and of no use', (message) => {
    expect(decode(message)).toEqual({ kind: 'ignored' });
  });

  test.each(['', '[]', 'null', '{}', '{"jsonrpc":"2.0"}', '{"jsonrpc":"2.0","id":{},"method":"x"}', '{"jsonrpc'])(
    '%s is noise',
    (line) => {
      expect(decode(line)).toEqual({ kind: 'noise' });
    },
  );
});
