import { describe, expect, it } from 'vitest';
import { askAgent } from '../../../src/workflows/moves/ask-agent.ts';
import {
  type Answers,
  base,
  commit,
  left,
  outputOf,
  type Played,
  play,
  ran,
  resultSchema,
  trouble,
} from './support.ts';

const ask = (answers: Answers['agent.run']): Promise<Played> =>
  play(
    (bench) =>
      askAgent(bench, 'T1/develop#1', {
        agent: 'worker',
        role: 'developer',
        task: 'T1',
        workspace: 'T1',
        commit: base,
        result: resultSchema,
        prompt: 'do it',
        recoveryPrompt: (why) => `again: ${why}`,
        session: 's0',
      }),
    { 'agent.run': answers ?? [] },
  );
const requests = ({ asked }: Played) =>
  asked.map(({ key, input: { attempt, commit: from, prompt, session } }) => ({ key, attempt, from, prompt, session }));

describe('askAgent', () => {
  it('takes a reply that fits, with the commit and the session it left', async () => {
    const played = await ask([ran(1, { status: 'success' }, 's1')]);
    expect(outputOf(played)).toEqual({
      status: 'accepted',
      effect: 'T1/develop#1',
      result: { status: 'success' },
      commit: commit(1),
      leftBehind: [],
      changes: [],
      session: 's1',
      work: { usage: expect.any(Object) as unknown },
    });
    expect(requests(played)).toEqual([{ key: 'T1/develop#1', attempt: 1, from: base, prompt: 'do it', session: 's0' }]);
  });

  it('starts afresh from what was left, without the session, after a reply that does not fit', async () => {
    const played = await ask([ran(1, 'nearly'), ran(2)]);
    expect(outputOf(played)).toMatchObject({ status: 'accepted', commit: commit(2) });
    expect(requests(played)[1]).toEqual({
      key: 'T1/develop#1/recovery#2',
      attempt: 2,
      from: commit(1),
      prompt: 'again: The reply is free text, not the result asked for.',
      session: undefined,
    });
  });

  it('gives up after three attempts, each under a key of its own, and names the last commit', async () => {
    const played = await ask([ran(1, 'a'), ran(2, 'b'), ran(3, 'c')]);
    expect(outputOf(played)).toMatchObject({ status: 'exhausted', commit: commit(3) });
    expect(played.asked.map(({ key }) => key)).toEqual([
      'T1/develop#1',
      'T1/develop#1/recovery#2',
      'T1/develop#1/recovery#3',
    ]);
  });

  it("passes a provider's trouble on at once, with what was left", async () => {
    const played = await ask([left(1, trouble('rate_limit'))]);
    expect(outputOf(played)).toMatchObject({
      status: 'trouble',
      trouble: { code: 'rate_limit', message: 'later' },
      commit: commit(1),
    });
    expect(played.asked).toHaveLength(1);
  });
});
