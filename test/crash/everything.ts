/** The workflow that uses everything, as a subject to be killed, and what a person sees of it at last. */
import { foldRun } from '../../src/engine/run-state.ts';
import { makeScenario, userGit } from '../proof/scenario.ts';
import type { Subject } from './kill.ts';

export interface End {
  readonly status: string;
  readonly output: unknown;
  readonly files: readonly string[];
  readonly shared: string;
  readonly history: readonly string[];
  readonly captured: readonly string[];
  readonly user: { readonly head: string; readonly status: string; readonly branch: string };
}

export const everything: Subject<End> = {
  workflow: 'everything',
  make: makeScenario,
  look: (scenario, facts) => {
    const { status, output } = foldRun(facts);
    const git = (...args: string[]): string => userGit(scenario, ...args);
    return {
      status,
      output,
      files: git('ls-tree', '-r', '--name-only', 'forge/proof').split('\n'),
      shared: git('show', 'forge/proof:src/shared.js'),
      history: git('log', '--format=%s', 'forge/proof').split('\n').sort(),
      captured: ['try 1', 'try 2', 'try 3'].filter((text) =>
        git('log', '--all', '--format=', '-p', '--', 'src/e.js').includes(`+${text}`),
      ),
      user: {
        head: git('rev-parse', 'HEAD'),
        status: git('status', '--porcelain'),
        branch: git('branch', '--show-current'),
      },
    };
  },
};
