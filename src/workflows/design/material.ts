/** The design, the PRD and an earlier plan directory as a run reads them: from commits, as effects, parsed by the same readers. */

import type { Design } from '../../design/design.ts';
import { memoryTree } from '../../design/memory-tree.ts';
import { readDesign } from '../../design/read-design.ts';
import type { SourceTree } from '../../design/source-tree.ts';
import type { Bench } from '../../engine/bench.ts';
import type { DesignInput } from './design-input.ts';

const mostChars = 12_000_000;

export interface DesignMaterial {
  readonly tree: SourceTree;
  readonly design: Design;
  readonly readme: string;
}

/** `commit` holds the design; the plan directory is read along where there is one. */
export async function readMaterial(
  bench: Bench,
  key: string,
  { input, commit }: { readonly input: DesignInput; readonly commit: string },
): Promise<DesignMaterial> {
  const folders = [input.design.dir, input.design.prd, input.plan.dir].filter((dir) => dir !== '');
  const { files } = await bench.perform('sources.read', key, {
    commit,
    paths: ['CLAUDE.md', 'AGENTS.md', ...folders.map((dir) => `${dir}/**`)],
    chars: mostChars,
  });
  const tree = memoryTree(new Map(files.map(({ path, text }) => [path, text])));
  const { design } = readDesign(tree, input.design.dir);
  if (design === undefined) throw new Error(`the design was readable before the run began: ${input.design.dir}`);
  return { tree, design, readme: textAt(tree, `${input.design.dir}/README.md`) };
}

export function textAt(tree: SourceTree, path: string): string {
  const found = tree.read(path);
  return found.status === 'read' ? found.bytes.toString('utf8') : '';
}
