/** A repository with the example design, a complete plan directory, source and tests: everything the last gate asks for. */
import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { acceptanceMark, acceptanceSections } from '../../src/delivery/check-acceptance.ts';
import { designDir, exampleFiles } from '../design/design-files.ts';

export const planDir = 'docs/raw/plans/2026-05-04-reading-list-a3f1';

export function modulePlan(
  id: string,
  changes: { readonly deferred?: string; readonly criterion?: string } = {},
): string {
  return `# Plan: ${id} — name

## Context

| Field | Value |
|---|---|
| Phase | 1 |

## Implementation Steps

### Step 1: make it

**Goal:** it is there

## Integration Points

| Direction | Module | Interface | Notes |
|---|---|---|---|
| Exposes → | M-003 | makeLink | — |

## Wiring & Registration

| # | What to wire | Where | Verify signal |
|---|---|---|---|
| 1 | the export | src/index.js | npm test |

## Out-of-Scope / Deferred Work

| # | Item | Reason | Issue |
|---|---|---|---|
${changes.deferred ?? ''}
## Acceptance Criteria Mapping

| Criterion | Journey Touchpoints | Implemented in Step | Test in Step | Strict Assertion |
|---|---|---|---|---|
| ${changes.criterion ?? 'F-003/AC1'} | J-001 #1 | 1 | 1 | the list holds the link |
`;
}

export const acceptanceReport = `${acceptanceMark}
# Acceptance

${acceptanceSections
  .map((name) =>
    name === 'E2E Test Run'
      ? `## ${name}\n\n| Field | Value |\n|---|---|\n| Command | node --test e2e |\n| Exit Code | 0 |\n\n\`\`\`\n# pass 2\n\`\`\`\n`
      : `## ${name}\n\n${name === 'Verdict' ? '**PASS**' : 'Everything.'}\n`,
  )
  .join('\n')}`;

export const traceability = {
  criteria: [{ id: 'F-003/AC1', status: 'PASS', tests: ['e2e/F-003-save.spec.js::saves'] }],
  journeys: [
    {
      id: 'J-001',
      status: 'PASS',
      touchpoints_total: 2,
      touchpoints_traversed: 2,
      scenarios: [
        { kind: 'happy', test: 'e2e/F-003-save.spec.js::saves', status: 'PASS' },
        { kind: 'error', test: 'e2e/F-003-save.spec.js::refuses', status: 'PASS' },
      ],
    },
  ],
  orphan_tests: [],
  unmapped_criteria: [],
};

export function planReadme(modules: readonly string[]): string {
  return `# Autoforge Plan: Reading list

## Design Input

| Field | Value |
|---|---|
| Source Design | ${designDir} |

## Dependency Graph

\`\`\`mermaid
graph TD
\`\`\`

## Phase Breakdown

x

## Module Plans

x

## Module Status

| Module | Phase | Plan | Dev | Test | Review | Merged | Notes |
|---|---|---|---|---|---|---|---|
${modules.map((id) => `| ${id} | 1 | Done | Done | Done | Approved | Yes | — |`).join('\n')}

## Phase Status

x

## Acceptance

x

## Reports

x
`;
}

export function compliantFiles(): Record<string, string> {
  return {
    ...exampleFiles(),
    [`${planDir}/README.md`]: planReadme(['M-001']),
    [`${planDir}/plans/plan-M-001-links.md`]: modulePlan('M-001'),
    [`${planDir}/reports/acceptance.md`]: acceptanceReport,
    [`${planDir}/reports/traceability.json`]: JSON.stringify(traceability),
    'e2e/F-003-save.spec.js': "test('saves', () => {\n  expect(list()).toEqual(['https://example.org']);\n});\n",
  };
}

const made: string[] = [];

export function placeFiles(files: Readonly<Record<string, string>>): string {
  const root = mkdtempSync(join(tmpdir(), 'forge-plan-'));
  made.push(root);
  for (const [name, text] of Object.entries(files)) {
    mkdirSync(dirname(join(root, name)), { recursive: true });
    writeFileSync(join(root, name), text);
  }
  return root;
}

/** The same as a repository with everything committed. */
export function placeRepository(
  files: Readonly<Record<string, string>>,
  subject = 'feat(M-001): implement links',
): string {
  const root = placeFiles(files);
  runGit(root, 'init', '-q', '-b', 'main');
  runGit(root, 'add', '-A');
  runGit(root, 'commit', '-q', '-m', subject);
  return root;
}

export function runGit(cwd: string, ...args: readonly string[]): void {
  const identity = ['-c', 'user.name=Test', '-c', 'user.email=test@example.org', '-c', 'commit.gpgSign=false'];
  execFileSync('git', [...identity, ...args], { cwd, stdio: 'pipe' });
}

export function removePlaced(): void {
  for (const root of made.splice(0)) rmSync(root, { recursive: true, force: true });
}
