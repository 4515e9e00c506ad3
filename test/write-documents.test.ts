/** Documents of a run on disk, when the process dies while it writes them. */
import { existsSync, mkdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { FileArtifacts } from '../src/engine/files/file-artifacts.ts';
import { documentWriter } from '../src/write-documents.ts';
import { tempDir } from './support/temp.ts';
import { recordedFacts } from './views/recorded-run.ts';

test('a document is where people look, also when the process died around writing its copy among the artifacts', async () => {
  const facts = recordedFacts('waves');
  const root = tempDir('forge-documents-');
  mkdirSync(join(root, '.forge'));
  const directory = tempDir('forge-artifacts-');
  const artifacts = new FileArtifacts(directory);
  const maker = () => () => [{ path: 'figures.json', content: 'all of it\n' }];
  const shown = join(root, '.forge/figures.json');
  let written = (): void => undefined;
  const died = new Promise<void>((settle) => (written = settle));
  class Dying extends FileArtifacts {
    override async write(name: string, content: string): Promise<void> {
      await super.write(name, content);
      written();
      await new Promise(() => undefined);
    }
  }
  documentWriter({ root, artifacts: new Dying(directory) }, [], maker).take(facts);
  await died;

  const next = documentWriter({ root, artifacts }, facts, maker);
  next.take([]);
  await next.settled?.();
  expect(existsSync(shown)).toBe(true);
  expect(readFileSync(shown, 'utf8')).toBe('all of it\n');
});
