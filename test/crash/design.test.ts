/**
 * Killed anywhere, a run of `design` ends as it would have: the same branch with the same commits, the same plan directory, every
 * event in its log once, and the same criteria proven. Only with FORGE_CRASH.
 */
import { beforeAll, describe, expect, it } from 'vitest';
import type { Fact } from '../../src/engine/facts.ts';
import { foldRun } from '../../src/engine/run-state.ts';
import { makeDesignScenario } from '../proof/design-scenario.ts';
import { userGit } from '../proof/scenario.ts';
import { planDir } from '../workflows/design/tiny-design.ts';
import { runToEnd, type Standing, type Subject } from './kill.ts';
import { killEverywhere, thorough } from './matrix.ts';

interface End {
  readonly status: string;
  readonly output: unknown;
  readonly files: readonly string[];
  /** Subjects of commits, each as often as it was made. */
  readonly history: readonly string[];
  readonly asked: readonly string[];
  readonly readme: string;
  /** Titles of the log's entries. */
  readonly events: readonly string[];
  readonly user: readonly string[];
}

const design: Subject<End> = {
  workflow: 'design',
  make: makeDesignScenario,
  look: (scenario, facts) => {
    const { status, output, effects } = foldRun(facts);
    const git = (...args: string[]): string => userGit(scenario, ...args);
    const document = (path: string): string => git('show', `forge/proof:${planDir}/${path}`);
    return {
      status,
      output: withoutCommits(output),
      files: git('ls-tree', '-r', '--name-only', 'forge/proof').split('\n'),
      history: git('log', '--format=%s', 'main..forge/proof')
        .split('\n')
        // Phases do not wait for each other: the first to end may tell what the next would have told.
        .filter((subject) => !subject.startsWith('docs(design): update impl status'))
        .sort(),
      asked: [...effects].flatMap(([key, { kind }]) => (kind === 'agent.run' ? [key] : [])).sort(),
      readme: document('README.md').replaceAll(/\b[0-9a-f]{7,40}\b/g, 'C'),
      events: [...document('execution-log.md').matchAll(/^### .*? — (.*)$/gm)].map(([, title]) => title ?? '').sort(),
      user: [git('branch', '--show-current'), git('log', '-1', '--format=%s'), git('status', '--porcelain')],
    };
  },
};

function withoutCommits(value: unknown): unknown {
  const text = JSON.stringify(value ?? null).replaceAll(/\b[0-9a-f]{40}\b/g, 'C');
  return JSON.parse(text) as unknown;
}

let calm: { end: Standing<End>; facts: readonly Fact[] };

describe.runIf(thorough)('a run of design that is killed', () => {
  beforeAll(async () => {
    calm = await runToEnd(design, { places: [] });
  }, 600_000);

  it('ends as expected when nothing kills it', () => {
    const { status, output, events, repeated, processes, user, history } = calm.end;
    expect({ status, output }).toMatchObject({
      status: 'done',
      output: { verdict: 'PASS', criteria: { passed: 5, total: 5 } },
    });
    expect({ repeated, processes, user }).toEqual({ repeated: [], processes: [], user: ['main', 'first', ''] });
    expect(events).toEqual(
      expect.arrayContaining([
        'M-001 retry 1',
        'M-003 needs a plan revision: UPSTREAM_NOT_IMPLEMENTED',
        'Plan revised: M-001',
      ]),
    );
    const once = events.filter((title) => !title.endsWith('merged'));
    expect(new Set(once).size).toBe(once.length);
    expect(history).toContain('test(M-002): add integration tests for Shout');
  });

  it('reaches the same end wherever that is', { timeout: 3_600_000 }, async () => {
    const judge = (end: Standing<End>, deaths: unknown): void => {
      expect({ deaths, end }).toEqual({ deaths, end: calm.end });
    };
    const matrix = { subject: design, density: { before: 10, torn: 50 }, sampleRuns: 2, judge };
    const { kills } = await killEverywhere(calm.facts, matrix);
    expect(kills).toBeGreaterThan(10);
  });
});
