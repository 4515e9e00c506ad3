/** Killed anywhere, a run of `waves` ends as it would have: the same branch, the same figures, one lesson, whole documents. */
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, describe, expect, it } from 'vitest';
import type { Fact } from '../../src/engine/facts.ts';
import { foldRun } from '../../src/engine/run-state.ts';
import { userGit } from '../proof/scenario.ts';
import { expectedWaves, makeWavesScenario } from '../proof/waves-scenario.ts';
import { runToEnd, type Standing, type Subject } from './kill.ts';
import { killEverywhere, thorough } from './matrix.ts';

interface End {
  readonly status: string;
  readonly output: unknown;
  readonly files: readonly string[];
  readonly history: readonly string[];
  /** What agents did, by key: each once, however often it was cut off. */
  readonly asked: readonly string[];
  readonly lessons: number;
  readonly documents: readonly string[];
  readonly user: readonly string[];
}

const waves: Subject<End> = {
  workflow: 'waves',
  make: makeWavesScenario,
  look: (scenario, facts) => {
    const { status, output, effects } = foldRun(facts);
    const git = (...args: string[]): string => userGit(scenario, ...args);
    const forge = join(scenario.root, '.forge');
    return {
      status,
      output,
      files: git('ls-tree', '-r', '--name-only', 'forge/proof').split('\n'),
      history: git('log', '--format=%s', 'forge/proof').split('\n'),
      asked: [...effects].filter(([, { kind }]) => kind === 'agent.run').map(([key]) => key),
      lessons: lessonsIn(join(forge, 'memory')),
      documents: readdirSync(forge).filter((name) => name.startsWith('add-arithmetic-')),
      user: [git('branch', '--show-current'), git('log', '-1', '--format=%s'), git('status', '--porcelain')],
    };
  },
};

const documentNames =
  'dev-W1.md dev-W2.md handoff-W1.md handoff-W2.md knowledge.md metrics.json plan.md state.json test-W1.md test-W2.md test-integration.md waves.json'.split(
    ' ',
  );

let calm: { end: Standing<End>; facts: readonly Fact[] };

beforeAll(async () => {
  calm = await runToEnd(waves, { places: [] });
});

describe('a run of waves that is killed', () => {
  it('ends as expected when nothing kills it', () => {
    expect(calm.end).toEqual({
      status: 'done',
      output: expectedWaves.output,
      files: expectedWaves.files,
      history: calm.end.history,
      asked: [
        'plan#1',
        'W1/develop#1',
        'W1/test#1',
        'W1/test#1/recovery#2',
        'W1/develop#2',
        'W1/test#2',
        'W2/develop#1',
        'W2/test#1',
        'W2/develop#2',
        'W2/test#2',
        'integration/test#1',
        'learn',
      ],
      lessons: 1,
      documents: documentNames.map((name) => `add-arithmetic-${name}`),
      user: ['main', 'first', '?? .forge/memory/'],
      repeated: [],
      processes: [],
    });
    expect(calm.end.history.at(-1)).toBe('first');
  });

  it('reaches the same end wherever that is', { timeout: 3_600_000 }, async () => {
    const judge = (end: Standing<End>, deaths: unknown): void => {
      expect({ deaths, end }).toEqual({ deaths, end: calm.end });
    };
    const matrix = { subject: waves, density: { before: 6, torn: 30 }, sampleRuns: 5, judge };
    const { chosen, kills } = await killEverywhere(calm.facts, matrix);
    expect(kills).toBeGreaterThanOrEqual(thorough ? chosen : 4);
  });
});

function lessonsIn(directory: string): number {
  if (!existsSync(directory)) return 0;
  const texts = readdirSync(directory, { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith('.md'))
    .map((name) => readFileSync(join(directory, name), 'utf8'));
  return texts.join('').split('Use node --test.').length - 1;
}
