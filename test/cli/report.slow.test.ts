/** `forge report` on a real run of modules: what it prints, the files it writes, and what it refuses. */
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { built, done, job, plan, reply, script, task } from './modules-story.ts';
import { makeProject } from './support.ts';

const finding = {
  file: 'src/m1.js',
  line: 1,
  severity: 'warning',
  category: 'style',
  element: 'm1',
  claim: '<script>alert(1)</script> is an odd name',
};

describe('forge report', () => {
  it('tells a run as Markdown, HTML, SARIF and data', async () => {
    const tasks = plan([task('m1', [], { title: 'First <b>module</b>' }), task('m2', ['m1'])]);
    const project = makeProject({
      script: script(
        [
          job('m2/develop#1', ...built('m2', { value: -5, uses: ['m1'] }), done('m2')),
          job('m2/overseer#1', reply({ classification: 'stuck', evidence: 'The sign is wrong' })),
          job(
            'm2/debug#1',
            ...built('m2', { uses: ['m1'] }),
            reply({ status: 'done', summary: 'Mended', filesChanged: ['src/m2.js'], rootCause: 'a wrong sign' }),
          ),
          job('final/review#1/A', reply({ findings: [finding] })),
        ],
        tasks,
      ),
    });
    const ran = await project.forge('run', 'Add numbers', '--workflow', 'modules', '--yes');
    expect(ran).toMatchObject({ code: 0, stderr: '' });
    expect(ran.stdout).toMatch(/m2 Module m2 › validation: \d+\/\d+ passed, 1 issue\n/);
    expect(ran.stdout).toContain('m2 Module m2 › debugger, retry 1/3: ');
    expect(ran.stdout).toContain('Final review: nothing must be fixed, 1 advisory\n');
    const [run = ''] = project.runs();

    const markdown = await project.forge('report');
    expect(markdown).toMatchObject({ code: 0, stderr: '' });
    expect(markdown.stdout).toContain(
      `# Add numbers\n\n- Run: \`${run}\` (modules)\n- Status: **done**\n- Done: 2 of 2, 1 round sent back\n`,
    );
    expect(markdown.stdout).toContain('| m1 First \\<b\\>module\\</b\\> | ✓ done | 1 | 0 | 1 |');
    expect(markdown.stdout).toContain('1 of 3 tests fail');

    const files = await project.forge('report', run, '--html', 'out.html', '--sarif', 'out.sarif');
    expect(files).toMatchObject({ code: 0, stdout: '', stderr: 'Wrote out.html\nWrote out.sarif\n' });
    const page = readFileSync(join(project.root, 'out.html'), 'utf8');
    expect(page).toContain("default-src 'none'");
    // The run is data that no text in it can leave.
    expect(page).not.toContain('<script>alert');
    expect(page).not.toContain('<b>module');
    const sarif = JSON.parse(readFileSync(join(project.root, 'out.sarif'), 'utf8')) as {
      runs: { results: { ruleId: string; level: string }[] }[];
    };
    expect(sarif.runs[0]?.results).toMatchObject([{ ruleId: 'style', level: 'warning' }]);

    const json = await project.forge('report', run, '--json');
    expect(JSON.parse(json.stdout)).toMatchObject({
      run,
      status: 'done',
      retries: [{ owner: 'm2 Module m2', figures: { passed: 6 } }],
    });
    const printed = await project.forge('report', run, '--html', '-');
    expect(printed).toMatchObject({ code: 0, stderr: '', stdout: page });
  });

  it('says what is wrong with a run or a file that cannot be', async () => {
    const project = makeProject();
    expect(await project.forge('report')).toMatchObject({ code: 2, stdout: '' });
    await project.forge('run', 'Add multiplication', '--plan-only', '--yes');
    const unwritable = await project.forge('report', '--html', 'no/such/place.html');
    expect(unwritable).toMatchObject({ code: 2, stdout: '' });
    expect(unwritable.stderr).toContain('no/such/place.html cannot be written');
    expect(existsSync(join(project.root, 'no'))).toBe(false);
    // A run that waits for an answer is reported too.
    const planned = await project.forge('report');
    expect(planned.code).toBe(0);
    expect(planned.stdout).toContain('- Go ahead with this plan? *not answered*');
  });
});
