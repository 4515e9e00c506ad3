/** `contracts.check`: the files of modules in a commit, their syntax, and what they expect of each other. */
import type { Performer } from '../engine/performer.ts';
import { checkContracts, type ModuleFile } from '../evidence/contracts/check-contracts.ts';
import { listFiles, readFileAt } from '../git/changes.ts';
import type { EffectDeps } from './deps.ts';

export function contractsCheck({ repo }: EffectDeps): Performer<'contracts.check'> {
  return {
    async perform({ commit, modules, about }) {
      const all = (await listFiles(repo, commit)).map(({ path }) => path);
      const files: ModuleFile[] = [];
      for (const { task, paths } of modules) {
        for (const path of paths) {
          const content = await readFileAt(repo, commit, path);
          const text = content === undefined || content.includes(0) ? undefined : content.toString('utf8');
          files.push({ task, path, text, exists: content !== undefined });
        }
      }
      return { results: [...checkContracts({ files, all, about })] };
    },
  };
}
