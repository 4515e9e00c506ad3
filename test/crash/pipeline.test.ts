/**
 * Killed anywhere, a run of `pipeline` ends as it would have: the same branch, the same states and summaries in the
 * records, every event and every line of progress once, and a store in which everything fits. Only with FORGE_CRASH.
 */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, describe, expect, it } from 'vitest';
import type { Fact } from '../../src/engine/facts.ts';
import { foldRun } from '../../src/engine/run-state.ts';
import { inspectStore } from '../../src/store/inspect-store.ts';
import { listEntries } from '../../src/store/record-files.ts';
import { makePipelineScenario } from '../proof/pipeline-scenario.ts';
import { userGit } from '../proof/scenario.ts';
import { runToEnd, type Standing, type Subject } from './kill.ts';
import { killEverywhere, thorough } from './matrix.ts';

interface End {
  readonly status: string;
  readonly output: unknown;
  readonly files: readonly string[];
  readonly asked: readonly string[];
  readonly records: Readonly<Record<string, unknown>>;
  /** `record phase action`, each as often as it happened. */
  readonly events: readonly string[];
  readonly progress: readonly string[];
  readonly faults: readonly unknown[];
  readonly user: readonly string[];
}

const pipeline: Subject<End> = {
  workflow: 'pipeline',
  make: makePipelineScenario,
  look: (scenario, facts) => {
    const { status, output, effects } = foldRun(facts);
    const git = (...args: string[]): string => userGit(scenario, ...args);
    const { root } = scenario;
    const records = (['sprint', 'task', 'bug'] as const).flatMap((entity) => listEntries(root, entity).entries);
    const logs = ['ACME-S01', 'bugs'].map((name) =>
      readFileSync(join(root, `.forge/store/events/${name}/progress.log`), 'utf8'),
    );
    return {
      status,
      output: withoutCommits(output),
      files: git('ls-tree', '-r', '--name-only', 'forge/proof').split('\n'),
      asked: [...effects].flatMap(([key, { kind }]) => (kind === 'agent.run' ? [key] : [])).sort(),
      records: Object.fromEntries(records.map(({ id, record }) => [id, withoutTimes(record)])),
      events: listEntries(root, 'event')
        .entries.map(({ record }) => [record['taskId'] ?? record['bugId'], record['phase'], record['action']].join(' '))
        .sort(),
      progress: logs
        .flatMap((text) => text.trimEnd().split('\n'))
        .map((line) => line.replace(/^[^|]*\|/, ''))
        .sort(),
      faults: inspectStore(root).filter(({ level }) => level === 'error'),
      user: [git('branch', '--show-current'), git('log', '-1', '--format=%s')],
    };
  },
};

/** Times and what is named by them differ from run to run. */
function withoutTimes(value: unknown): unknown {
  const text = JSON.stringify(value).replaceAll(/\d{4}-\d\d-\d\dT[\d:.]+Z/g, 'T');
  return JSON.parse(text) as unknown;
}

function withoutCommits(value: unknown): unknown {
  const text = JSON.stringify(value ?? null).replaceAll(/\b[0-9a-f]{40}\b/g, 'C');
  return JSON.parse(text) as unknown;
}

let calm: { end: Standing<End>; facts: readonly Fact[] };

describe.runIf(thorough)('a run of pipeline that is killed', () => {
  beforeAll(async () => {
    calm = await runToEnd(pipeline, { places: [] });
  }, 600_000);

  it('ends as expected when nothing kills it', () => {
    const { records, faults, repeated, processes, user, events, progress } = calm.end;
    const states = Object.fromEntries(
      Object.entries(records).map(([id, record]) => [id, (record as { readonly status: string }).status]),
    );
    expect(states).toEqual({
      'ACME-S01': 'retrospective-done',
      'ACME-S01-T01': 'committed',
      'ACME-S01-T02': 'escalated',
      'ACME-S01-T03': 'committed',
      'BUG-001': 'fixed',
    });
    expect({ faults, repeated, processes, user }).toEqual({
      faults: [],
      repeated: [],
      processes: [],
      user: ['main', 'first'],
    });
    expect(events).toContain('ACME-S01-T02 implement gate_failed');
    expect(events).toContain('ACME-S01-T01 plan friction');
    expect(new Set(progress).size).toBe(progress.length);
  });

  it('reaches the same end wherever that is', { timeout: 3_600_000 }, async () => {
    const judge = (end: Standing<End>, deaths: unknown): void => {
      expect({ deaths, end }).toEqual({ deaths, end: calm.end });
    };
    const matrix = { subject: pipeline, density: { before: 6, torn: 30 }, sampleRuns: 3, judge };
    const { kills } = await killEverywhere(calm.facts, matrix);
    expect(kills).toBeGreaterThan(10);
  });
});
