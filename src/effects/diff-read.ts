/** `diff.read`: what lies between two commits, as reviewers are shown it. */
import type { Performer } from '../engine/performer.ts';
import { diffText } from '../git/diff-text.ts';
import type { EffectDeps } from './deps.ts';

export function diffRead({ repo, redactor }: EffectDeps): Performer<'diff.read'> {
  return {
    async perform({ from, to, chars }) {
      const text = redactor.redact(await diffText(repo, from, to));
      return { text: text.slice(0, chars), cut: text.length > chars };
    },
  };
}
