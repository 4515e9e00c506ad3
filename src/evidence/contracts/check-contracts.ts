/**
 * What can be said of several modules' files without running them: that they exist, that they parse, and that what one
 * imports or calls is what another exports and takes. Pure: texts in, results out.
 */
import type { ContractResult } from '../../policy/contract-result.ts';

export interface ModuleFile {
  readonly task: string;
  readonly path: string;
  /** Undefined when it is not there or is no text. */
  readonly text: string | undefined;
  readonly exists: boolean;
}

export interface ContractMatter {
  readonly files: readonly ModuleFile[];
  /** Every path of the commit, to resolve imports. */
  readonly all: readonly string[];
  /** Only results that have to do with this module. */
  readonly about: string | undefined;
}

export function checkContracts({ files }: ContractMatter): readonly ContractResult[] {
  return files.map(({ path, exists }) => ({
    type: 'file_check',
    passed: exists,
    file: path,
    line: 0,
    message: exists ? '' : `${path} does not exist`,
    name: `file ${path}`,
  }));
}
