import { mkdtempSync, readFileSync, realpathSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { explainError } from '../../src/cli/explain-error.ts';
import { ForgeError } from '../../src/errors.ts';

describe('explainError', () => {
  it('tells a failure with its hint and code', () => {
    expect(explainError(new ForgeError('lease-held', 'It is held', { hint: 'Wait.' }))).toEqual({
      lines: ['forge: It is held', '  Wait.'],
      code: 5,
    });
    expect(explainError(new ForgeError('bad-input', 'No'))).toEqual({ lines: ['forge: No'], code: 2 });
  });

  it('does not take for a bug what the machine refuses', () => {
    expect(explainError(thrownBy(() => readFileSync(import.meta.dirname)))).toEqual({
      lines: [
        'forge: EISDIR: illegal operation on a directory, read',
        '  There is a directory where a file should be: move it away.',
      ],
      code: 5,
    });
    const nowhere = join(import.meta.dirname, 'nowhere/x-');
    expect(explainError(thrownBy(() => mkdtempSync(nowhere)))).toMatchObject({ code: 5 });
    expect(explainError(thrownBy(() => realpathSync('a'.repeat(5000))))).toMatchObject({ code: 2 });
  });

  it('calls everything else a bug of ours, with its stack', () => {
    const bug = thrownBy(() => (undefined as unknown as { x: () => void }).x());
    const { lines, code } = explainError(bug);
    expect(code).toBe(70);
    expect(lines[0]).toMatch(/^TypeError: .*\n +at /);
    expect(lines[1]).toContain('This is a bug in Forge.');
    expect(explainError(thrownBy(() => readFileSync('nowhere')))).toMatchObject({ code: 70 });
    expect(explainError('thrown')).toMatchObject({ code: 70 });
  });
});

function thrownBy(act: () => unknown): unknown {
  try {
    act();
  } catch (error) {
    return error;
  }
  throw new Error('nothing was thrown');
}
