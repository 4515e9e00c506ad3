/** What `forge design` refuses before a run starts: a clear sentence with the place and the fix, and nothing changed. */
import { mkdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, describe, expect, it } from 'vitest';
import { playDesign } from '../workflows/design/scene.ts';
import { designDir, designFiles, planDir, prdDir } from '../workflows/design/tiny-design.ts';
import { makeProject, type Project } from './support.ts';

const readme = `${designDir}/README.md`;
const text = (path: string): string => designFiles[path] ?? '';

function projectWith(files: Readonly<Record<string, string>> = {}): Project {
  return makeProject({ files: { ...designFiles, ...files } });
}

describe('forge design check on a mangled design', () => {
  const project = projectWith();
  it.each([
    [
      'a column is missing',
      readme,
      (all: string) => all.replaceAll('| Deps ', '| Other '),
      /README\.md:\d+: error: .*Deps/,
    ],
    [
      'modules need each other',
      readme,
      (all: string) => all.replace('| S | — | — | [spec](modules/M-001', '| S | M-002 | — | [spec](modules/M-001'),
      /README\.md:\d+: error: .*(cycle|each other)/i,
    ],
    [
      'a spec is gone',
      readme,
      (all: string) => all.replace('modules/M-002-shout.md', 'modules/M-002-gone.md'),
      /M-002-gone\.md:1: error: The file is missing/,
    ],
    [
      'the PRD lies outside',
      readme,
      (all: string) => all.replace('../../prd/2026-04-20-echo/README.md', '../../../../../../etc/README.md'),
      /README\.md:\d+: error: /,
    ],
    [
      'a module has no heading',
      `${designDir}/modules/M-002-shout.md`,
      () => 'nothing\n',
      /M-002-shout\.md:\d+: error: /,
    ],
    [
      'a file is huge',
      `${designDir}/modules/M-003-print.md`,
      (all: string) => `${all}${'word '.repeat(200_000)}\n`,
      /M-003-print\.md:\d+: error: /,
    ],
    [
      'a feature has no criteria',
      `${prdDir}/features/F-001.md`,
      (all: string) => all.replace('## Acceptance Criteria', '## Something'),
      /F-001\.md:\d+: (error|warning): /,
    ],
  ])('%s', async (_, path, change, told) => {
    project.write({ [path]: change(text(path)) });
    const before = project.git('status', '--porcelain');
    const { code, stdout } = await project.forge('design', 'check', designDir);
    project.write({ [path]: text(path) });
    expect(stdout).toMatch(told);
    expect(code).toBe(/warning/.test(told.source) ? code : 1);
    expect(project.git('status', '--porcelain')).toBe('');
    expect(before).not.toBe('');
  });

  it('line ends of Windows and escaped pipes are read as they are meant', async () => {
    const odd = text(readme).replace('| M-001 | Core | shared | Words |', '| M-001 | Core | shared | Words \\| more |');
    project.write({ [readme]: odd.replaceAll('\n', '\r\n') });
    const { code, stdout } = await project.forge('design', 'check', designDir);
    project.write({ [readme]: text(readme) });
    expect({ code, stdout: stdout.split('\n').slice(0, 3) }).toEqual({
      code: 0,
      stdout: [
        'Echo: 3 modules, 2 features with 5 criteria, 1 journey, 2 coding rules',
        'Phase 1: M-001 Core',
        'Phase 2: M-002 Shout, M-003 Print',
      ],
    });
  });

  it('links and directories that lead elsewhere are refused', async () => {
    const outside = join(project.root, '../outside');
    mkdirSync(outside, { recursive: true });
    writeFileSync(join(outside, 'README.md'), text(readme));
    symlinkSync(outside, join(project.root, 'docs/link'));
    for (const dir of ['docs/link', '../outside', '/etc', 'nowhere']) {
      const { code, stderr } = await project.forge('design', 'check', dir);
      expect({ dir, code, told: stderr !== '' }).toEqual({ dir, code: 2, told: true });
    }
  });
});

describe('a mangled plan directory', () => {
  const planReadme = `${planDir}/README.md`;
  const shout = `${planDir}/plans/plan-M-002-shout.md`;
  let planned: Readonly<Record<string, string>>;
  let project: Project;
  beforeAll(async () => {
    const { world } = await playDesign();
    planned = Object.fromEntries(Object.entries(world.files()).filter(([path]) => path.startsWith(`${planDir}/`)));
    project = projectWith(planned);
  });
  const refusedBy = async (...args: readonly string[]): Promise<string> => {
    const before = [project.git('for-each-ref'), project.git('status', '--porcelain')];
    const { code, stderr } = await project.forge(...args);
    expect({ args, code, runs: project.runs() }).toEqual({ args, code: 2, runs: [] });
    expect([project.git('for-each-ref'), project.git('status', '--porcelain')]).toEqual(before);
    return stderr;
  };
  const withFiles = async (files: Readonly<Record<string, string>>, look: () => Promise<void>): Promise<void> => {
    project.write(files);
    project.commit('mangled');
    await look();
    project.git('reset', '-q', '--hard', 'HEAD^');
  };

  it('is refused by every command that reads it, with the file and the line, and nothing changes', async () => {
    const columns = { [planReadme]: (planned[planReadme] ?? '').replace('| Review | Merged |', '| Review | Landed |') };
    await withFiles(columns, async () => {
      const told = /README\.md:\d+: "Module Status" has no column "Merged"\./;
      for (const args of [
        ['--execute', planDir],
        [designDir, '--evolve'],
        ['--status', planDir],
        ['--cleanup', planDir],
      ])
        expect(await refusedBy('design', ...args, ...(args.includes('--status') ? [] : ['--yes']))).toMatch(told);
    });
    const outside = { [shout]: (planned[shout] ?? '').replaceAll('src/shout.js', '../../outside.js') };
    await withFiles(outside, async () => {
      expect(await refusedBy('design', '--execute', planDir, '--yes')).toMatch(/plan-M-002-shout\.md:\d+: /);
    });
    const deep = { [shout]: `${'- '.repeat(400)}deep\n`, [`${planDir}/plans/conventions.md`]: 'a\0b\n' };
    await withFiles(deep, async () => {
      const told = await refusedBy('design', '--execute', planDir, '--yes');
      expect(told).toContain('plan-M-002-shout.md:1: The plan nests quotes or lists more than 24 levels deep.');
      expect(told).toContain('conventions.md:1: The file has a NUL character.');
      expect((await project.forge('check-plan', planDir)).code).toBe(1);
    });
  });

  it('does not follow a link, and belongs to a design of this repository', async () => {
    project.git('rm', '-q', planReadme);
    symlinkSync('/etc/hostname', join(project.root, planReadme));
    project.commit('a link');
    for (const args of [
      ['--execute', planDir],
      ['--status', planDir],
      ['--cleanup', planDir, '--yes'],
    ])
      expect(await refusedBy('design', ...args)).toContain(planDir);
    project.git('reset', '-q', '--hard', 'HEAD^');
    const elsewhere = { [planReadme]: (planned[planReadme] ?? '').replaceAll(designDir, '../../../../etc') };
    await withFiles(elsewhere, async () => {
      expect(await refusedBy('design', '--execute', planDir, '--yes')).toContain('which is not a design here');
    });
  });
});

describe('forge design --evolve', () => {
  const planReadme = (merged: string, delivery = '1', recorded = 'delivery-1-first'): string => `# Autoforge Plan: Echo

## Design Input

| Field | Value |
|---|---|
| Source Design | ${designDir} |
| Current Design Delivery | ${recorded} |
| Autoforge Delivery | ${delivery} |

## Module Status

| Module | Phase | Plan | Dev | Test | Review | Merged | Notes |
|---|---|---|---|---|---|---|---|
| M-001 | 1 | Done | Done | Done | Approved | ${merged} | — |

## Acceptance

**Overall Verdict:** —
`;
  const refused = async (project: Project, ...more: readonly string[]): Promise<string> => {
    const before = project.git('for-each-ref');
    const { code, stderr } = await project.forge('design', designDir, '--evolve', '--yes', ...more);
    expect({ code, refs: project.git('for-each-ref'), runs: project.runs() }).toEqual({
      code: 2,
      refs: before,
      runs: [],
    });
    return stderr;
  };

  it('refuses without an earlier plan, and with one of another design', async () => {
    const project = projectWith({
      'docs/raw/plans/other/README.md': planReadme('Yes').replace(designDir, 'docs/raw/design/other'),
    });
    expect(await refused(project)).toMatch(/no prior|no earlier|first/i);
    expect(await refused(project, '--from', 'docs/raw/plans/other')).toContain('belongs to docs/raw/design/other');
    expect(await refused(project, '--execute', 'docs/raw/plans/other')).toContain('cannot be used together');
  });

  it('refuses an unfinished delivery, an unchanged design, uncommitted changes, a burned id and a missing baseline', async () => {
    const project = projectWith({ [`${planDir}/README.md`]: planReadme('—') });
    project.git('tag', '-a', '-m', 'first', 'delivery-1-first');
    expect(await refused(project)).toContain('--execute');
    project.write({ [`${planDir}/README.md`]: planReadme('Yes') });
    project.commit('done');
    expect(await refused(project)).toMatch(/no design changes|nothing|changed/i);
    project.write({ 'src/add.js': 'changed\n' });
    const shout = `${designDir}/modules/M-002-shout.md`;
    expect(await refused(project)).toMatch(/commit/i);
    project.git('checkout', '-q', '--', 'src/add.js');
    project.write({ [shout]: text(shout).replace('shout(text)', 'shout(text, times)') });
    expect(await refused(project)).toContain('not committed');
    project.write({
      [readme]: text(readme)
        .replace(
          '| M-003 | Print',
          '| M-004 | More | backend | More words | S | M-001 | — | [spec](modules/M-004-more.md) |\n| M-003 | Print',
        )
        .replace(
          '| M-003 Print → M-001 Core',
          '| M-004 More → M-001 Core | Sync | Yes | — | test |\n| M-003 Print → M-001 Core',
        ),
      [`${designDir}/modules/M-004-more.md`]: text(shout).replace('# M-002: Shout', '# M-004: More'),
      [`${planDir}/plans/plan-M-004-hotfix.md`]: '# Plan: M-004 — hotfix\n',
    });
    project.commit('more');
    project.git('tag', '-a', '-m', 'second', 'delivery-2-more');
    expect(await refused(project)).toContain('M-004');
    project.write({ [`${planDir}/README.md`]: planReadme('Yes', '1', 'delivery-7-gone') });
    project.commit('gone');
    expect(await refused(project)).toContain('git fetch --tags');
  });

  it('refuses an old plan directory where no tag says what was built', async () => {
    const project = projectWith({
      [`${planDir}/README.md`]: planReadme('Yes').replace(/\| (?:Current|Autoforge).*\n/g, ''),
    });
    expect(await refused(project)).toContain('no delivery-* tag yet');
  });
});
