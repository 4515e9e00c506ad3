/** What a delivery left behind, asked about without a run: why a line is there, where a delivery stands, and giving it up. */
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { makeProject, type Project } from './support.ts';

const planDir = 'docs/raw/plans/2026-05-04-sums-1a2b';

const readme = `# Autoforge Plan: Sums

## Design Input

| Field | Value |
|---|---|
| Source Design | docs/raw/design/2026-05-04-sums |
| Feature Branch Family | autoforge/2026-05-04-sums-1a2b |
| Autoforge Delivery | 1 |

## Module Status

| Module | Phase | Plan | Dev | Test | Review | Merged | Notes |
|---|---|---|---|---|---|---|---|
| M-001 | 1 | Done | Done | Done | Approved | Yes | — |
| M-002 | 2 | Done | Retry 2 | Fail | — | — | a test fails |
| M-003 | 2 | Done | Decision | — | — | — | which way |

## Phase Status

| Phase | Modules | Completed | Integration Test | Status |
|---|---|---|---|---|
| 1 | 1 | 1/1 | Pass | Done |
| 2 | 2 | 0/2 | — | In Progress |

## Acceptance

**Live coverage:** 1 of 2 criteria have a passing test

**Overall Verdict:** —
`;

const plan = `# Plan: M-001 — Products

## Implementation Steps

### Step 1: Multiply

**Goal:** Products are exact

**Files:** \`src/mul.js\`

**Verify:** node --test

### Step 2: Unit tests

**Files:** \`test/mul.test.js\`

## Wiring & Registration

| # | What to wire | Where | Verify signal |
|---|---|---|---|
| 1 | mul | src/mul.js | an import |

## Acceptance Criteria Mapping

| Criterion | Journey Touchpoints | Implemented in Step | Test in Step | Strict Assertion |
|---|---|---|---|---|
| F-001-AC-2 | — | 1 | 1 | six |
| F-001/AC1 | — | 2 | 2 | zero |

## Files Created

- \`src/mul.js\`
- \`test/mul.test.js\`
`;

const traced = {
  criteria: [
    {
      id: 'F-001/AC1',
      text: 'Nothing times two is nothing',
      status: 'NOT_COVERED',
      tests: [],
      modules: ['M-001'],
      reason: 'no test names it',
    },
    {
      id: 'F-001/AC2',
      text: 'Two times three is six',
      status: 'PASS',
      tests: ['test/mul.test.js::F-001/AC2 six'],
      modules: ['M-001'],
    },
  ],
  tests: [
    {
      id: 'test/mul.test.js::F-001/AC2 six',
      file: 'test/mul.test.js',
      line: 3,
      status: 'PASS',
      criteria: ['F-001/AC2'],
      journeys: [],
    },
  ],
  modules: [
    { id: 'M-001', commits: [], criteria: ['F-001/AC1', 'F-001/AC2'], files: ['src/mul.js', 'test/mul.test.js'] },
  ],
  journeys: [],
  orphan_tests: [],
  unmapped_criteria: [],
};

const log = Array.from({ length: 12 }, (_, at) => `### 2026-05-04 10:${10 + at} — event ${at + 1}\n`).join('\n');

function delivered(): Project {
  const project = makeProject({
    files: {
      [`${planDir}/README.md`]: readme,
      [`${planDir}/execution-log.md`]: log,
      [`${planDir}/plans/conventions.md`]: '# Conventions\n',
      [`${planDir}/plans/plan-M-001-products.md`]: plan,
      [`${planDir}/reports/traceability.json`]: JSON.stringify(traced),
      [`${planDir}/reports/module-state-M-001.json`]: '{"total_retries": 3}',
    },
  });
  project.write({
    'src/mul.js': 'export const mul = (a, b) => a * b;\n',
    'test/mul.test.js':
      "import test from 'node:test';\nimport assert from 'node:assert';\ntest('F-001/AC2 six', () => {\n  assert.equal(2 * 3, 6);\n});\n",
  });
  project.commit('feat(M-001): implement Products\n\nForge-Run: gone-1\nForge-Task: M-001');
  return project;
}

describe('forge why', () => {
  it('says what stands behind a line, a test and a criterion', async () => {
    const project = delivered();
    const line = await project.forge('why', 'src/mul.js:1');
    expect(line).toMatchObject({ code: 0, stderr: '' });
    expect(line.stdout.replace(/[0-9a-f]{7} feat/, '1234567 feat').replace(/\d{4}-\d\d-\d\d, by/, 'DAY, by')).toBe(
      `src/mul.js:1  export const mul = (a, b) => a * b;
  commit  1234567 feat(M-001): implement Products
  made    DAY, by the run gone-1

M-001 Products
  plan    ${planDir}/plans/plan-M-001-products.md
  step    1. Multiply: Products are exact

F-001/AC2 proven
  Two times three is six
  test    test/mul.test.js:3 F-001/AC2 six (pass)
`,
    );
    const test = await project.forge('why', 'test/mul.test.js:4');
    expect(test.stdout).toContain('  test    F-001/AC2 six\n');
    expect(test.stdout).not.toContain('F-001/AC1');
    const criterion = await project.forge('why', 'F-001-AC-2', '--json');
    expect(JSON.parse(criterion.stdout)).toMatchObject({
      planDir,
      criteria: [{ id: 'F-001/AC2', status: 'PASS', tests: [{ file: 'test/mul.test.js', line: 3 }] }],
      owners: [{ id: 'M-001', steps: [{ number: 1 }], lines: [{ file: 'src/mul.js', from: 1, to: 1 }] }],
    });
    const open = await project.forge('why', 'F-001/AC1');
    expect(open.stdout).toContain('F-001/AC1 not proven: no test names it\n');
    const own = await project.forge('why', 'src/add.js:1');
    expect(own.stdout).toContain('No delivery of a design says anything about it.');
  });

  it('refuses what it cannot answer, and says what to write', async () => {
    const project = delivered();
    const cases = [
      ['src/mul.js:9', 'src/mul.js has only 1 lines'],
      ['src/none.js:1', 'There is no file "src/none.js"'],
      ['../other.js:1', 'There is no file'],
      ['mul', 'is neither a line nor a criterion'],
      ['F-009/AC1', 'No delivery at'],
    ] as const;
    for (const [what, message] of cases) {
      const { code, stderr } = await project.forge('why', what);
      expect({ what, code, told: stderr.includes(message) }).toEqual({ what, code: 2, told: true });
    }
  });
});

describe('forge design --status', () => {
  it('shows phases, retries, coverage, decisions, the last ten events and what remains', async () => {
    const project = delivered();
    const { code, stdout } = await project.forge('design', '--status', planDir);
    expect(code).toBe(0);
    expect(stdout).toContain('M-001 · phase 1 · dev Done · test Done · review Approved · merged Yes · 3 retries\n');
    expect(stdout).toContain('M-002 · phase 2 · dev Retry 2 · test Fail · 2 retries · a test fails\n');
    expect(stdout).toContain('1 of 2 criteria have a passing test\nWaiting for a decision: M-003\n');
    expect(stdout).not.toContain('event 2\n');
    expect(stdout).toContain('2026-05-04 10:12 event 3\n');
    expect(stdout).toContain('2 modules and 1 phase remain.\n');
    expect(project.git('status', '--porcelain')).toBe('');
  });

  it('refuses what is no plan directory', async () => {
    const project = delivered();
    for (const [dir, message] of [
      ['src', 'src/README.md is missing'],
      ['nowhere', 'nowhere/README.md is missing'],
      ['../..', 'lies outside the project'],
    ] as const) {
      const { code, stderr } = await project.forge('design', 'status', dir);
      expect({ dir, code, told: stderr.includes(message) }).toEqual({ dir, code: 2, told: true });
    }
    project.write({ 'docs/README.md': '# Nothing\n' });
    const { stderr } = await project.forge('design', 'status', 'docs');
    expect(stderr).toContain('docs/README.md:1: The section "Module Status" is missing.');
  });
});

describe('forge design --cleanup', () => {
  it('removes branches and worktrees, and the plans only when asked', async () => {
    const project = delivered();
    const family = 'autoforge/2026-05-04-sums-1a2b';
    for (const branch of [`${family}-d2`, `${family}-d2/p1/M-001-products`, `${family}x`, 'other'])
      if (branch !== `${family}-d2/p1/M-001-products`) project.git('branch', branch);
    const worktree = join(project.root, '../tree');
    project.git('worktree', 'add', '-q', '-b', family, worktree);
    const asked = await project.forge('design', 'cleanup', planDir);
    expect(asked).toMatchObject({ code: 2 });
    expect(asked.stdout).toContain('2 modules and 1 phase remain.');
    expect(asked.stdout).toContain(`branches: ${family}, ${family}-d2\n`);
    expect(asked.stderr).toContain('Agree to it with --yes.');
    expect(existsSync(worktree)).toBe(true);
    const { code, stdout } = await project.forge('design', '--cleanup', planDir, '--yes', '--plans');
    expect({ code, last: stdout.trimEnd().split('\n').at(-1) }).toEqual({
      code: 0,
      last: `Removed 0 runs, 2 branches, 1 worktree, and ${planDir}.`,
    });
    expect(project.git('branch', '--format=%(refname:short)').split('\n')).toEqual([`${family}x`, 'main', 'other']);
    expect(existsSync(join(project.root, planDir))).toBe(false);
    expect(project.git('log', '-1', '--format=%s')).toBe(`chore(plan): remove ${planDir}`);
    expect(project.git('status', '--porcelain')).toBe('');
  });

  it.each([
    ['a summary of a delivery', { [`${planDir}/versions/2.md`]: '# 2\n' }, 'versions/2.md'],
    ['a summary that its README does not know of', { [`${planDir}/versions/97.md`]: '# 97\n' }, 'versions/97.md'],
    ['a change log', { [`${planDir}/CHANGELOG.md`]: '# Changelog\n' }, 'CHANGELOG.md'],
    ['a delivery tag', {}, 'tag autoforge-delivery-1-first'],
  ])('refuses to remove a plan directory with %s, and changes nothing', async (_, files, named) => {
    const project = delivered();
    project.write(files);
    if (Object.keys(files).length > 0) project.commit('delivered');
    else project.git('tag', '-a', '-m', 'first', 'autoforge-delivery-1-first');
    project.git('branch', 'autoforge/2026-05-04-sums-1a2b');
    const before = project.git('for-each-ref');
    const { code, stderr } = await project.forge('design', 'cleanup', planDir, '--yes', '--plans');
    expect(code).toBe(2);
    expect(stderr).toContain(`contains delivery history (${named})`);
    expect(stderr).toContain('do it by hand: git tag -d');
    expect(project.git('for-each-ref')).toBe(before);
    const { code: kept } = await project.forge('design', 'cleanup', planDir, '--yes');
    expect({ kept, plans: existsSync(join(project.root, planDir)) }).toEqual({ kept: 0, plans: true });
  });

  it('refuses plans with changes that are not committed', async () => {
    const project = delivered();
    project.write({ [`${planDir}/README.md`]: `${readme}\nmore\n` });
    project.git('branch', 'autoforge/2026-05-04-sums-1a2b');
    const { code, stderr } = await project.forge('design', 'cleanup', planDir, '--yes', '--plans');
    expect({ code, told: stderr.includes('has changes that are not committed') }).toEqual({ code: 2, told: true });
    expect(project.git('branch', '--list', 'autoforge/*')).not.toBe('');
  });
});
