/** A run that nobody watches asks, waits, and goes on when it is answered; a plan can be edited. */
import { chmodSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { developed, makeProject, plan, script } from './support.ts';

describe('a question nobody is there for', () => {
  it('ends the process with 3, says how to answer, and the answer goes on with the run', async () => {
    const project = makeProject();
    const nowhere = await project.forge('run', 'Add a multiplication', '--into', 'mian');
    expect(nowhere).toMatchObject({
      code: 2,
      stdout: '',
      stderr:
        'forge: There is no branch "mian" to land on\n  If the name is right, create the branch first: git branch <name>\n',
    });
    expect(project.runs()).toEqual([]);
    const asked = await project.forge('run', 'Add a multiplication', '--into', 'main');
    expect(asked.code).toBe(3);
    const [run = ''] = /add-multiplication-\w+/.exec(asked.stdout) ?? [];
    expect(asked.stderr).toBe(
      `Go ahead with this plan?\n  These commands judge every change:\n  node --test (on the base: 1 test passes)\n  forge answer ${run} approve --option yes (recommended) | --option modify --text "…" | --option no | --edit\nWhen it is done, it lands on main.\n`,
    );
    expect((await project.forge('status')).stdout).toContain(
      `  1. Yes, start (recommended)\n  2. Plan it differently (say how)\n  3. No, stop here\n  Or answer in your own words.\n  forge answer ${run} approve --option yes (recommended) | --option modify --text "…" | --option no | --edit\n`,
    );
    expect(JSON.parse((await project.forge('list', '--json')).stdout)).toMatchObject([
      { run, status: 'waiting', questions: ['approve'] },
    ]);

    // Nobody can approve what they are not shown: neither when the run leaves nor later.
    for (const shown of [asked.stdout, (await project.forge('status')).stdout]) {
      expect(shown).toContain('Multiply two numbers');
      expect(shown).toContain('Export mul from src/mul.js.');
    }
    const unanswered = await project.forge('answer');
    expect(unanswered.code).toBe(2);
    expect(unanswered.stderr).toContain('forge: No answer was given. The run asks:\n\nGo ahead with this plan?');
    expect(unanswered.stderr).toContain(
      `  forge answer ${run} approve --option yes (recommended) | --option modify --text "…"`,
    );
    expect(unanswered.stderr).toMatch(/\n {2}--yes takes the recommended answers\.\n$/);
    expect(await project.forge('answer', '--option', 'perhaps')).toMatchObject({
      code: 2,
      stderr: expect.stringContaining('\n  --option takes: yes (1), modify (2), no (3); or --text.\n'),
    });
    expect(await project.forge('answer', run, 'aprove', '--option', 'yes')).toMatchObject({
      code: 2,
      stderr: `forge: The run ${run} does not ask "aprove"\n  Did you mean approve?\n`,
    });
    expect(await project.forge('answer', '--text', 'tasks: []')).toMatchObject({ code: 2 });
    expect(await project.forge('cleanup', run)).toMatchObject({ code: 2 });

    // What the landing would write over is in the way: the end is told all the same, and then that.
    project.write({ 'src/mul.js': '// mine\n' });
    const answered = await project.forge('answer', '--option', 'yes');
    expect(answered.code).toBe(2);
    expect(answered.stdout).toMatch(/✓ Wave 1\/1 \[T1\]: done, merged [0-9a-f]{7}/);
    expect(answered.stdout).toContain('Done: Add a multiplication');
    expect(answered.stderr).toMatch(/^forge: main cannot be moved: .*src\/mul\.js/);
    expect(answered.stderr).toContain(`then try again.\n  Then: forge land ${run} --into main\n`);
    expect((await project.forge('show', run)).stdout).toContain(`  forge land ${run} --into main\n`);
    expect(await project.forge('answer')).toMatchObject({ code: 2 });
  });

  it('takes a plan that was changed in the editor, and an answer that says no', async () => {
    const project = makeProject();
    const editor = join(project.root, '..', 'editor.sh');
    project.write({
      '../editor.sh': '#!/bin/sh\nsed -i "s/Multiply two numbers/Multiply exactly two numbers/" "$2"\n',
    });
    chmodSync(editor, 0o755);
    project.git('branch', 'release');
    const planned = await project.forge('run', 'Add a multiplication', '--into', 'main', '--plan-only', '--yes');
    expect(planned).toMatchObject({ code: 0, stderr: expect.stringContaining('nothing is built yet') });
    const unchanged = withEditor(project, 'true');
    expect(await unchanged('answer', '--edit')).toMatchObject({ code: 3 });
    const edited = await withEditor(project, `${editor} --wait`)(
      'answer',
      '--edit',
      '--no-resume',
      '--into',
      'release',
    );
    expect(edited).toMatchObject({ code: 0, stderr: '' });
    const resumed = await project.forge('resume');
    expect(resumed).toMatchObject({ code: 0, stderr: '' });
    const [run = ''] = project.runs();
    const commit = project.git('rev-parse', `forge/${run}`);
    expect(resumed.stdout).toContain(`\nrelease is now at ${commit.slice(0, 12)} (${run}).\n`);
    expect(resumed.stdout).not.toContain('forge land');
    expect(project.git('rev-parse', 'release')).toBe(commit);
    expect(project.git('rev-parse', 'main')).not.toBe(commit);
    expect(JSON.parse((await project.forge('show', '--json')).stdout)).toMatchObject({
      plan: { tasks: [{ title: 'Multiply exactly two numbers' }] },
    });
  });

  it('is answered by what is recommended, clarifications too, and no is not accepted', async () => {
    const clarifying = {
      ...plan,
      clarifications: [{ question: 'Which numbers?', options: ['integers', 'all'] }],
    };
    const [, ...others] = script();
    const planner = { when: { role: 'planner', key: 'plan#1' }, do: [{ reply: clarifying }] };
    const again = { when: { role: 'planner', key: 'plan#2' }, do: [{ reply: plan }] };
    const project = makeProject({ script: [planner, again, ...others] });
    const first = await project.forge('run', '--file', 'AGENTS.md');
    expect(first.code).toBe(2);
    project.write({ 'REQUEST.md': '# Multiply\n\nnumbers\n' });
    const asked = await project.forge('run', '--file', 'REQUEST.md');
    expect(asked.code).toBe(3);
    expect(asked.stderr).toContain('clarify/1 --option 1 (recommended) | --option 2 | --text "…"');
    const clarified = await project.forge('answer', 'clarify/1', '--text', 'the natural ones');
    expect(clarified.code).toBe(3);
    // Another plan is not paid for without a word about it.
    expect(await project.forge('answer', '--option', 'modify')).toMatchObject({
      code: 2,
      stderr: expect.stringContaining('--option modify --text'),
    });
    // By its number, as it is listed.
    const refused = await project.forge('answer', '--option', '3');
    expect(refused.code).toBe(1);
    expect(refused.stdout).toContain('the plan was not approved');
    expect(await project.forge('resume', 'multiply')).toMatchObject({ code: 2 });
  });
});

describe('work that is not accepted', () => {
  it('exits with 1, keeps what was captured, and cleans up only when that is meant', async () => {
    const wrong = developed.map((step) =>
      'write' in step && (step.write as { path: string }).path === 'src/mul.js'
        ? { write: { path: 'src/mul.js', content: 'export const mul = (a, b) => a + b;\n' } }
        : step,
    );
    const [planner = {}, , tester = {}, learner = {}] = script();
    const rounds = [1, 2, 3, 4].flatMap((round) => [
      { when: { key: `W1/develop#${round}` }, do: wrong },
      { ...tester, when: { key: `W1/test#${round}` } },
    ]);
    const project = makeProject({ script: [planner, ...rounds, learner] });
    const ended = await project.forge('run', 'Add a multiplication', '--yes', '--into', 'main');
    expect(ended.code).toBe(1);
    expect(ended.stdout).toContain('Not accepted');
    expect(await project.forge('land', 'add', '--into', 'main')).toMatchObject({ code: 2 });
    const kept = await project.forge('cleanup', '--yes');
    expect(kept.code).toBe(2);
    expect(kept.stderr).toContain('not merged, and on no branch or tag');
    expect(project.git('for-each-ref', 'refs/forge')).not.toBe('');
    expect(await project.forge('cleanup', '--all', '--force', '--yes')).toMatchObject({ code: 0 });
    expect(project.git('for-each-ref', 'refs/forge')).toBe('');
  });
});

function withEditor(project: ReturnType<typeof makeProject>, editor: string) {
  return (...args: string[]) => project.start(args, { EDITOR: editor }).ended;
}
