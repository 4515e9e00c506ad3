/**
 * The decisions behind `validate`, without a server: what is looked at statically, and what a sequence of attempts
 * leads to. The observed server let an import with its ending pass unread; ours reports the missing name.
 */
import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { checkContracts } from '../../src/evidence/contracts/check-contracts.ts';
import { type Attempt, judgeAttempt, scoreOf } from '../../src/policy/stagnation.ts';
import { readVectors } from './read-vectors.ts';

const step = z.object({ commands: z.array(z.string()), expect: z.record(z.string(), z.unknown()) });
const vectors = readVectors('ttwang-mcp-tools', z.object({ name: z.string(), sequence: z.array(step).optional() }));

/** The commands of the vectors are `true` or fail, so they need not be run. */
function attemptOf(commands: readonly string[]): Attempt {
  const results = commands.map((command) => ({ command, passed: command === 'true' }));
  return { score: scoreOf(results), issues: results.filter(({ passed }) => !passed).map(({ command }) => command) };
}

describe('sequences of attempts', () => {
  it.each(vectors.flatMap(({ name, sequence }) => (sequence === undefined ? [] : [{ name, sequence }])))(
    '$name',
    ({ sequence }) => {
      const earlier: Attempt[] = [];
      for (const { commands, expect: expected } of sequence) {
        const attempt = attemptOf(commands);
        const { velocity, ...verdict } = judgeAttempt(earlier, attempt);
        const { velocity: speed, ...rest } = expected;
        expect(verdict).toEqual(rest);
        expect(velocity).toEqual(typeof speed === 'number' ? expect.closeTo(speed, 9) : speed);
        earlier.push(attempt);
      }
    },
  );
});

describe('static results', () => {
  const told = (files: Readonly<Record<string, string | undefined>>) =>
    checkContracts({
      files: Object.entries(files).map(([path, text]) => ({ task: 'm', path, text, exists: text !== undefined })),
      all: Object.keys(files).filter((path) => files[path] !== undefined),
      about: 'm',
    });

  it('a missing file fails its check', () => {
    const name = 'file nope.js';
    expect(told({ 'nope.js': undefined })).toEqual([
      { type: 'file_check', passed: false, file: 'nope.js', line: 0, message: 'nope.js does not exist', name },
    ]);
  });

  it('a missing export fails, though the import spells out the ending', () => {
    const files = {
      'exp.mjs': 'export const foo = 1, bar = 2;',
      'imp.mjs': "import { foo, baz } from './exp.mjs';",
    };
    expect(told(files).filter(({ passed }) => !passed)).toEqual([
      {
        type: 'contract_check',
        passed: false,
        file: 'imp.mjs',
        line: 1,
        exporter: 'exp.mjs',
        message: 'exp.mjs does not export "baz"; did you mean "bar"?',
        name: 'contract imp.mjs -> exp.mjs: baz',
      },
    ]);
  });
});
