/** A path in an agent's workspace as people know it: from the root of the repository. Pure. */

export function repositoryPath(path: string): string {
  return path.replace(/^.*\/workspaces\/[^/]+\/[^/]+\/[^/]+\/tree\//, '');
}
