/**
 * Secrets that a commit would bring into somebody's history: in the files it changes, in its message and names, and in
 * every commit that comes with it. A secret that a later commit takes out again is still in the history.
 */
import { readCommitTexts } from '../git/commit-texts.ts';
import { diffText } from '../git/diff-text.ts';
import type { Repository } from '../git/git.ts';
import { findSecrets, findSecretsInText, type SecretFinding } from '../process/find-secrets.ts';

const mostFindings = 50;

export async function findAddedSecrets(
  repo: Repository,
  { before, commit }: { readonly before: string; readonly commit: string },
  known: readonly string[],
): Promise<readonly SecretFinding[]> {
  const found: SecretFinding[] = [];
  for (const { id, parent, text } of await readCommitTexts(repo, before, commit)) {
    const inFiles = findSecrets(await diffText(repo, parent, id, { binary: true }), known);
    const where = id === commit ? '' : ` in the commit ${id.slice(0, 12)}`;
    found.push(
      ...inFiles.map((finding) => ({ ...finding, path: `${finding.path}${where}` })),
      ...findSecretsInText(`the message of the commit ${id.slice(0, 12)}`, text, known),
    );
  }
  return found.slice(0, mostFindings);
}
