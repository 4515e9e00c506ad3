/** What the project tells agents itself: AGENTS.md, CLAUDE.md and the like as the base commit has them, not the checkout. */
import { readFileAt } from '../git/changes.ts';
import type { Repository } from '../git/git.ts';

const files = ['AGENTS.md', 'CLAUDE.md', '.github/copilot-instructions.md'];
const mostCharacters = 100_000;

export async function readGuidance(repo: Repository, commit: string): Promise<string> {
  const found: { path: string; text: string }[] = [];
  for (const path of files) {
    const text = (await readFileAt(repo, commit, path))?.toString('utf8').trim() ?? '';
    // One is often a copy of, or a link to, the other.
    if (text === '' || files.includes(text) || found.some((known) => known.text === text)) continue;
    found.push({ path, text });
  }
  return found
    .map(({ path, text }) => `${path}:\n${text}`)
    .join('\n\n')
    .slice(0, mostCharacters);
}
