/** Killed anywhere, a run of `modules` ends as it would have: the same tree, the same work done once, the same verdicts. */
import { beforeAll, describe, expect, it } from 'vitest';
import type { Fact } from '../../src/engine/facts.ts';
import { foldRun } from '../../src/engine/run-state.ts';
import { expectedModules, makeModulesScenario } from '../proof/modules-scenario.ts';
import { userGit } from '../proof/scenario.ts';
import { runToEnd, type Standing, type Subject } from './kill.ts';
import { killEverywhere, thorough } from './matrix.ts';

interface End {
  readonly status: string;
  readonly outcomes: readonly { readonly task: string; readonly status: string }[];
  readonly release: string;
  readonly tree: string;
  readonly files: readonly string[];
  /** What agents did, by key: each once, however often it was cut off. */
  readonly asked: readonly string[];
  readonly user: readonly string[];
}

const modules: Subject<End> = {
  workflow: 'modules',
  make: makeModulesScenario,
  look: (scenario, facts) => {
    const { status, output, effects } = foldRun(facts);
    const { outcomes, release } = output as { outcomes: readonly { task: string; status: string }[]; release: string };
    const git = (...args: string[]): string => userGit(scenario, ...args);
    return {
      status,
      outcomes: outcomes.map((one) => ({ task: one.task, status: one.status })),
      release,
      tree: git('rev-parse', 'forge/proof^{tree}'),
      files: git('ls-tree', '-r', '--name-only', 'forge/proof').split('\n'),
      asked: [...effects]
        .filter(([, { kind }]) => kind === 'agent.run')
        .map(([key]) => key)
        .sort(),
      user: [git('branch', '--show-current'), git('log', '-1', '--format=%s'), git('status', '--porcelain')],
    };
  },
};

let calm: { end: Standing<End>; facts: readonly Fact[] };

beforeAll(async () => {
  calm = await runToEnd(modules, { places: [] });
});

describe('a run of modules that is killed', () => {
  it('ends as expected when nothing kills it', () => {
    expect(calm.end).toEqual({
      status: 'done',
      outcomes: ['m1', 'm2', 'm3', 'F1-1'].map((task) => ({ task, status: 'done' })),
      release: 'clear',
      tree: calm.end.tree,
      files: expectedModules.files,
      asked: expectedModules.asked,
      user: ['main', 'first', '?? .forge/memory/'],
      repeated: [],
      processes: [],
    });
  });

  it('reaches the same end wherever that is', { timeout: 3_600_000 }, async () => {
    const judge = (end: Standing<End>, deaths: unknown): void => {
      expect({ deaths, end }).toEqual({ deaths, end: calm.end });
    };
    const matrix = { subject: modules, density: { before: 8, torn: 40 }, sampleRuns: 3, judge };
    const { kills } = await killEverywhere(calm.facts, matrix);
    expect(kills).toBeGreaterThanOrEqual(thorough ? 16 : 4);
  });
});
