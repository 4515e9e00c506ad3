/** Who challenges what was written: somebody of another model family, where the settings have one and name nobody. */
import { expect, it } from 'vitest';
import { settingsSchema } from '../../../src/policy/settings.ts';
import { program } from '../../../src/workflows/milestone/program.ts';

const claude = { driver: 'acp', agent: 'claude' };
const codex = { driver: 'acp', agent: 'codex' };
const router = (model: string) => ({
  driver: 'builtin',
  provider: 'openai-compatible',
  baseUrl: 'https://x.test',
  model,
});

it.each([
  ['one agent', { claude }, {}, undefined],
  ['two of one family', { claude, own: { driver: 'builtin', provider: 'anthropic', model: 'opus' } }, {}, undefined],
  ['another family', { claude, codex }, {}, 'codex'],
  ['another family than the one that writes', { claude, codex }, { executor: 'codex' }, 'claude'],
  ['another family than the developer', { claude, codex }, { developer: { agent: 'codex' } }, 'claude'],
  ['one family at another provider', { claude, own: router('anthropic/claude-sonnet-4-6') }, {}, undefined],
  [
    'another family at another provider',
    { claude, own: router('anthropic/opus'), more: router('openai/gpt-5') },
    {},
    'more',
  ],
  ['a family nobody knows', { claude, own: router('my-model') }, {}, 'own'],
  ['somebody who is named', { claude, codex }, { challenger: 'claude' }, undefined],
] as const)('with %s', async (_, agents, roles, challenger) => {
  const settings = settingsSchema.parse({ agents, roles });
  const input = await program.prepare?.({ settings } as never);
  expect((input as { challenger?: string } | undefined)?.challenger).toBe(challenger);
});
