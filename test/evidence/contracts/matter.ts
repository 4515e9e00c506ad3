/** Files as a test writes them: path and text, all of one module unless said otherwise. */
import { checkContracts, type ModuleFile } from '../../../src/evidence/contracts/check-contracts.ts';
import type { ContractResult } from '../../../src/policy/contract-result.ts';

export function check(files: Readonly<Record<string, string>>, about?: string): readonly ContractResult[] {
  return checkContracts({ files: filesOf(files), all: Object.keys(files), about });
}

/** What fails, as `file:line message`. */
export function failures(files: Readonly<Record<string, string>>): string[] {
  return check(files)
    .filter(({ passed }) => !passed)
    .map(({ file, line, message }) => `${file}:${line} ${message}`);
}

export function filesOf(files: Readonly<Record<string, string>>): ModuleFile[] {
  return Object.entries(files).map(([path, text]) => ({ task: 'm', path, text, exists: true, expanded: true }));
}
