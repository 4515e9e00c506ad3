/**
 * Killed anywhere, a run of `milestone` ends as it would have: the same tree, the same work done once, and the same
 * documents in `.gsd`, to the byte but for commits and times. Only with FORGE_CRASH.
 */
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, describe, expect, it } from 'vitest';
import type { Fact } from '../../src/engine/facts.ts';
import { foldRun } from '../../src/engine/run-state.ts';
import { isSealed, unsealDocument } from '../../src/gsd/sealed-document.ts';
import { makeMilestoneScenario } from '../proof/milestone-scenario.ts';
import { userGit } from '../proof/scenario.ts';
import { runToEnd, type Standing, type Subject } from './kill.ts';
import { killEverywhere, thorough } from './matrix.ts';

interface End {
  readonly status: string;
  readonly output: unknown;
  readonly tree: string;
  readonly asked: readonly string[];
  readonly documents: Readonly<Record<string, unknown>>;
  readonly user: readonly string[];
}

const milestone: Subject<End> = {
  workflow: 'milestone',
  make: makeMilestoneScenario,
  look: (scenario, facts) => {
    const { status, output, effects } = foldRun(facts);
    const git = (...args: string[]): string => userGit(scenario, ...args);
    const folder = join(scenario.root, '.gsd');
    const names = readdirSync(folder, { recursive: true, encoding: 'utf8' }).filter((name) =>
      /\.(?:md|jsonl)$/.test(name),
    );
    return {
      status,
      output: alike(JSON.stringify(output)),
      tree: git('rev-parse', 'forge/proof^{tree}'),
      asked: [...effects].flatMap(([key, { kind }]) => (kind === 'agent.run' ? [key] : [])).sort(),
      documents: Object.fromEntries(names.sort().map((name) => [name, documentOf(join(folder, name))])),
      user: [git('branch', '--show-current'), git('log', '-1', '--format=%s')],
    };
  },
};

/** Tasks side by side end in either order. */
function documentOf(file: string): unknown {
  const text = readFileSync(file, 'utf8');
  if (file.endsWith('.jsonl')) return text.trim().split('\n').map(alike).sort();
  return { isSealed: isSealed(text), text: alike(unsealDocument(text)) };
}

function alike(text: string): string {
  return text
    .replaceAll(/\d{4}-\d\d-\d\dT[\d:.]+Z/g, 'T')
    .replaceAll(/\b[0-9a-f]{40}\b/g, 'C')
    .replaceAll(/\b(commit|merged) [0-9a-f]{7,12}\b/g, '$1 C');
}

let calm: { end: Standing<End>; facts: readonly Fact[] };

describe.runIf(thorough)('a run of milestone that is killed', () => {
  beforeAll(async () => {
    calm = await runToEnd(milestone, { places: [] });
  }, 600_000);

  it('ends as expected when nothing kills it', () => {
    const { status, repeated, processes, user, documents } = calm.end;
    expect({ status, repeated, processes, user }).toEqual({
      status: 'done',
      repeated: [],
      processes: [],
      user: ['main', 'first'],
    });
    const names = Object.keys(documents);
    for (const name of ['S01-PLAN-CHECK-round1.md', 'S01-REVIEW.md', 'T01.2-SUMMARY.md', 'M001-events.jsonl'])
      expect(names.some((path) => path.endsWith(`/${name}`))).toBe(true);
    expect(JSON.stringify(documents['KNOWLEDGE.md'])).toContain('M001/S01 R2');
  });

  it('reaches the same end wherever that is', { timeout: 3_600_000 }, async () => {
    const judge = (end: Standing<End>, deaths: unknown): void => {
      expect({ deaths, end }).toEqual({ deaths, end: calm.end });
    };
    const matrix = { subject: milestone, density: { before: 8, torn: 40 }, sampleRuns: 2, judge };
    const { kills } = await killEverywhere(calm.facts, matrix);
    expect(kills).toBeGreaterThan(10);
  });
});
