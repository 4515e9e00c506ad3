/** What the documents show as settings can be used as settings. */
import { readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { expect, it } from 'vitest';
import { parseSettings, settingsSchema } from '../../src/policy/settings.ts';

const documents = resolve(import.meta.dirname, '../../docs');

it.each(['settings.md', 'agents.md'])('every block of %s is read', (name) => {
  const blocks = [...readFileSync(join(documents, name), 'utf8').matchAll(/```yaml\n([\s\S]*?)```/g)];
  expect(blocks.length).toBeGreaterThan(0);
  for (const [, text = ''] of blocks) expect(() => parseSettings(text, name)).not.toThrow();
});

it('settings.md shows every group there is', () => {
  const text = readFileSync(join(documents, 'settings.md'), 'utf8');
  const [, block = ''] = /```yaml\n([\s\S]*?)```/.exec(text) ?? [];
  const shown = new Set([...block.matchAll(/^(\w+):/gm)].map(([, name]) => name));
  // What Forge sets itself is no setting of a project's.
  const own = new Set(['rehearsal', 'store']);
  expect(Object.keys(settingsSchema.shape).filter((name) => !shown.has(name) && !own.has(name))).toEqual([]);
});
