/** Edits that agents report become patches that people read, and that turn the one text into the other. */
import { applyPatch } from 'diff';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { editPatch } from '../../src/agents/edit-patch.ts';
import { openNarrator } from '../../src/agents/acp/narrate.ts';
import type { SessionUpdate } from '../../src/agents/acp/decode.ts';
import type { TranscriptEntry } from '../../src/agents/agent.ts';
import { createRedactor } from '../../src/process/redact.ts';

const numbered = (count: number): readonly string[] => Array.from({ length: count }, (_, at) => `line ${at + 1}`);
const text = (lines: readonly string[]): string => lines.map((line) => `${line}\n`).join('');

describe('an edit as a patch', () => {
  it('shows what changed with the lines around it, far changes apart', () => {
    const now = numbered(20).map((line) => (line === 'line 2' || line === 'line 19' ? `${line}, changed` : line));
    expect(editPatch(text(numbered(20)), text(now)).split('\n')).toEqual([
      '@@ -1,5 +1,5 @@',
      ' line 1',
      '-line 2',
      '+line 2, changed',
      ' line 3',
      ' line 4',
      ' line 5',
      '@@ -16,5 +16,5 @@',
      ' line 16',
      ' line 17',
      ' line 18',
      '-line 19',
      '+line 19, changed',
      ' line 20',
    ]);
    expect(editPatch('', 'a\nb\n')).toBe('@@ -0,0 +1,2 @@\n+a\n+b');
    expect(editPatch('a\n', 'a\n')).toBe('');
  });

  it('turns one text into the other, whatever they are', () => {
    const lines = fc.array(fc.constantFrom('a', 'b', 'c', ''), { maxLength: 12 });
    fc.assert(
      fc.property(lines, lines, (before, after) => {
        const patch = editPatch(text(before), text(after));
        expect(applyPatch(text(before), `--- a\n+++ b\n${patch}\n`)).toBe(text(after));
      }),
      { numRuns: 200 },
    );
  });

  it('is bounded for large edits', () => {
    const [old, now] = [numbered(5000), numbered(5000).map((line) => `${line} more`)];
    const patch = editPatch(text(old), text(now)).split('\n');
    expect(patch.slice(0, 2)).toEqual(['@@ -1,5000 +1,5000 @@', '-line 1']);
    expect(patch.at(-1)).toBe('+line 5000 more');
  });

  it('is in the transcript, without secrets', () => {
    const entries: TranscriptEntry[] = [];
    const redactor = createRedactor({ API_TOKEN: 'correct-horse\nbattery-staple' });
    const narrator = openNarrator({ entry: (entry) => void entries.push(entry) }, redactor);
    const update: SessionUpdate = {
      sessionUpdate: 'tool_call',
      toolCallId: 't1',
      title: 'Edit a.txt',
      kind: 'edit',
      status: 'completed',
      locations: [{ path: 'a.txt' }],
      content: [
        { type: 'diff', path: 'a.txt', oldText: 'one\ntwo\n', newText: 'one\ncorrect-horse\nbattery-staple\n' },
      ],
    };
    narrator.take(update);
    expect(entries).toMatchObject([{ type: 'tool', tool: { kind: 'edit', paths: ['a.txt'], status: 'done' } }]);
    const [said = '', ...shown] = entries[0]?.text.split('\n') ?? [];
    expect(said).toMatch(/^@@ -1,2 \+1,\d @@$/);
    expect(shown).toContain('-two');
    expect(shown.join('\n')).not.toMatch(/correct-horse|battery-staple/);
  });
});
