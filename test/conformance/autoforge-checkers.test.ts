/** The plan checkers and the discipline scan, through the operation behind `forge check-plan` and the checkers it calls. */
import { join } from 'node:path';
import { afterEach, describe, expect, it } from 'vitest';
import { z } from 'zod';
import { checkPlanDirectory } from '../../src/api/check-plan.ts';
import { openContext } from '../../src/api/context.ts';
import { performOperation } from '../../src/api/operation.ts';
import { checkModulePlan } from '../../src/delivery/check-module-plan.ts';
import { checkPlanReadme } from '../../src/delivery/check-plan-readme.ts';
import { checkTraceability } from '../../src/delivery/check-traceability.ts';
import {
  acceptanceReport,
  compliantFiles,
  placeFiles,
  placeRepository,
  planDir,
  removePlaced,
  runGit,
} from '../delivery/plan-fixture.ts';
import { designDir } from '../design/design-files.ts';
import { readVectors } from './read-vectors.ts';

const vector = z.object({
  checker: z.string(),
  name: z.string(),
  files: z.record(z.string(), z.string()),
  args: z.string(),
  expect: z.object({ exit: z.number(), contains: z.array(z.string()), notContains: z.array(z.string()) }),
});
const cases = readVectors('autoforge-checkers', vector);
type Vector = z.output<typeof vector>;
type Seen = { readonly exit: number; readonly text: string };

afterEach(removePlaced);

describe.each([
  'check-discipline-scan',
  'check-module-plan',
  'check-plan-readme',
  'check-traceability',
  'run-checkers --gate=delivery-tag',
  'check-scheduler-state',
])('%s', (checker) => {
  it.each(cases.filter((each) => each.checker === checker).map((each) => [each.name, each] as const))(
    '%s',
    async (_name, each) => {
      const seen = await look(each);
      expect(
        { exit: seen.exit, missing: each.expect.contains.filter((word) => !seen.text.includes(word)) },
        seen.text,
      ).toEqual({
        exit: each.expect.exit,
        missing: [],
      });
    },
  );
});

it('knows every checker of the vectors', () => {
  expect(new Set(cases.map(({ checker }) => checker)).size).toBe(6);
});

async function look({ checker, name, files, args }: Vector): Promise<Seen> {
  if (checker === 'check-discipline-scan') return performed({ sourceRoot: placeFiles(files) });
  if (checker === 'check-module-plan')
    return found(Object.entries(files).flatMap(([file, text]) => checkModulePlan(file, text)));
  if (checker === 'check-plan-readme') {
    const plans = Object.keys(files).flatMap((file) => (file.startsWith('plans/') ? [file.slice(6)] : []));
    return found(checkPlanReadme('README.md', files['README.md'] ?? '', plans));
  }
  if (checker === 'check-traceability')
    return found(
      checkTraceability('traceability.json', files['traceability.json'] ?? '', args === '' ? undefined : () => false),
    );
  return checker === 'check-scheduler-state' ? schedulerState(name) : deliveryGate(name);
}

function found(issues: readonly object[]): Seen {
  return { exit: issues.length === 0 ? 0 : 1, text: JSON.stringify(issues) };
}

async function performed(input: Record<string, string>): Promise<Seen> {
  try {
    const { ok, sarif: _sarif, ...data } = await performOperation(checkPlanDirectory, openContext({ cwd: '/' }), input);
    const gate = ok && input['gate'] !== undefined ? `${input['gate'].toUpperCase()} GATE PASSED` : '';
    return { exit: ok ? 0 : 1, text: JSON.stringify(data) + gate };
  } catch (error) {
    return { exit: (error as { exitCode?: number }).exitCode ?? 70, text: String(error) };
  }
}

const report = `${planDir}/reports/acceptance.md`;
const changed = (change: Readonly<Record<string, string>>): Record<string, string> => ({
  ...compliantFiles(),
  ...change,
});

/** What each named fixture of the gate is made of. */
const gateFixtures: Readonly<Record<string, () => Record<string, string>>> = {
  'compliant fixture': compliantFiles,
  'sentinel <!-- generated-by: acceptance-tester-subagent; version: 1 --> stripped': () =>
    changed({ [report]: acceptanceReport.split('\n').slice(1).join('\n') }),
  'E2E Test Run section without Command/Exit Code rows': () =>
    changed({ [report]: acceptanceReport.replace(/\| (?:Command|Exit Code) \|.*\n/g, '') }),
  'PASS test path does not exist': () =>
    changed({
      'e2e/F-003-save.spec.js': '',
      [`${planDir}/reports/traceability.json`]: (
        compliantFiles()[`${planDir}/reports/traceability.json`] ?? ''
      ).replaceAll('F-003-save', 'F-003-gone'),
    }),
  'UI module F-099 without e2e/F-099-*.spec.ts': () => {
    const files = compliantFiles();
    const module = `${designDir}/modules/M-006-command-line.md`;
    const spec = (files[module] ?? '').replace(
      '## Interfaces',
      '- F-099\n\n## UI Architecture\n\n**Promotion action:** Rewrite\n\n## Interfaces',
    );
    return { ...files, [module]: spec };
  },
  'n/a justification "too complex to set up in CI"': () =>
    changed({
      [report]: acceptanceReport.replace(
        '| Command | node --test e2e |',
        '| Command | n/a — too complex to set up in CI |',
      ),
    }),
};

async function deliveryGate(name: string): Promise<Seen> {
  if (name === 'unknown gate name')
    return performed({ planDir: join(placeFiles(compliantFiles()), planDir), gate: 'delivery' });
  const fixture = gateFixtures[name];
  if (fixture === undefined) throw new Error(`no fixture for ${name}`);
  const files = fixture();
  const root = placeRepository(Object.fromEntries(Object.entries(files).filter(([, text]) => text !== '')));
  return performed({ planDir: join(root, planDir), sourceRoot: root, gate: 'delivery-tag' });
}

async function schedulerState(name: string): Promise<Seen> {
  const state = (exec_status: string) =>
    JSON.stringify({
      modules: { 'M-001': { deps: [], plan_status: 'planned', exec_status } },
      inflight: { modules: exec_status === 'running' ? ['M-001'] : [] },
      last_event_at: new Date().toISOString(),
    });
  const file = `${planDir}/run-state.json`;
  if (name === 'consistent') {
    const root = placeRepository(changed({ [file]: state('running') }));
    runGit(
      root,
      'worktree',
      'add',
      '-q',
      '-b',
      'autoforge/x-a3f1/p1/M-001-links',
      join(placeFiles({}), 'p1-M-001-links'),
    );
    return performed({ planDir: join(root, planDir) });
  }
  const exec = name.startsWith('inflight') ? 'running' : 'merged';
  const root = placeRepository(changed({ [file]: state(exec) }), 'docs: something else');
  return performed({ planDir: join(root, planDir) });
}
