/** What runs when, and what a merge does: overlaps, conflicts, names that no longer fit, lite, barriers. */
import { describe, expect, it } from 'vitest';
import {
  built,
  done,
  isApart,
  job,
  type ModulesStory,
  plan,
  promptOf,
  reply,
  runModules,
  script,
  task,
  tell,
} from './modules-story.ts';
import { makeProject, scriptedConfig } from './support.ts';

const own = (id: string): readonly string[] => [`src/${id}.js`, `test/${id}.test.js`];
const write = (path: string, content: string): object => ({ write: { path, content } });
const exporting = (id: string): object => ({
  append: { path: 'src/index.js', content: `export * from './${id}.js';\n` },
});
const index = { 'src/index.js': "export * from './add.js';\n" };

/** Which of two was merged first, and which had to be built again on top of it. */
const inOrder = ({ seq }: ModulesStory, one: string, other: string): readonly [string, string] =>
  seq('task.ended', one) < seq('task.ended', other) ? [one, other] : [other, one];

describe('modules that change the same file', () => {
  it('are shown with what that means, and never worked on at once', async () => {
    const project = makeProject({
      files: index,
      script: script(
        [
          ...['m1', 'm5'].map((id) => job(`${id}/develop#1`, ...built(id), exporting(id), done(id))),
          job('m4/develop#1', ...built('m4', { uses: [] }), done('m4')),
        ],
        plan([...['m1', 'm5'].map((id) => task(id, [], { writes: [...own(id), 'src/index.js'] })), task('m4')]),
      ),
    });
    const asked = await runModules(project);
    expect([asked.code, asked.keys('task.started', /./)]).toEqual([3, []]);
    expect(asked.stdout).toContain(
      'Overlap: m1 and m5 both change src/index.js: they never run at once, but nothing says which comes first, and the second is built on the first\n',
    );
    const shown = await project.forge('show', asked.run, '--plan');
    expect(shown.stdout).toContain('1. m1, m4, m5; m1 and m5 never at once');
    const story = await tell(project, 'answer', '--yes', '--json');
    expect([story.code, story.stderr]).toEqual([0, '']);
    const printed = story.stdout.trim().split('\n');
    expect(printed.map((line) => (JSON.parse(line) as { seq: number }).seq)).toEqual(
      story.facts.slice(-printed.length).map(({ seq }) => seq),
    );
    expect([isApart(story, 'm1', 'm5'), isApart(story, 'm1', 'm4') && isApart(story, 'm5', 'm4')]).toEqual([
      true,
      false,
    ]);
    const [first, second] = inOrder(story, 'm1', 'm5');
    expect(project.git('show', `forge/${story.run}:src/index.js`)).toBe(
      `export * from './add.js';\nexport * from './${first}.js';\nexport * from './${second}.js';`,
    );
  });
});

describe('modules that do not fit on one head', () => {
  it('have a conflict resolved by a worker, checked again before the head moves', async () => {
    const project = makeProject({
      files: index,
      script: script(
        ['m1', 'm5'].flatMap((id) =>
          ['', '@2'].map((again) => job(`${id}${again}/develop#1`, ...built(id), exporting(id), done(id))),
        ),
        plan([task('m1'), task('m5')]),
      ),
    });
    const story = await runModules(project, '--yes');
    expect([story.code, story.stderr, story.statuses]).toEqual([0, '', { m1: 'done', m5: 'done' }]);
    const [first, second] = inOrder(story, 'm1', 'm5');
    expect(story.stdout).toContain(`${second} Module ${second} › merge: merge conflict in src/index.js\n`);
    expect(story.stdout).toContain(`${second} Module ${second} › worker: building again on the newer head\n`);
    // The worker is told why, what it had done, and sees the head it has to fit.
    expect(promptOf(story, `${second}@2/develop#1`)).toContain('merge conflict in src/index.js');
    expect(promptOf(story, `${second}@2/develop#1`)).toContain(`+export * from './${second}.js';`);
    expect(story.keys('effect.finished', new RegExp(`^${second}.*/(validate#\\d/check|integrate#.*)$`))).toEqual([
      `${second}/validate#1/check`,
      `${second}/integrate#1/prepare`,
      `${second}@2/validate#1/check`,
      `${second}@2/integrate#1/prepare`,
      `${second}@2/integrate#1/check`,
      `${second}@2/integrate#1/contracts`,
      `${second}@2/integrate#1/land`,
    ]);
    expect(project.git('show', `forge/${story.run}:src/index.js`)).toBe(
      `export * from './add.js';\nexport * from './${first}.js';\nexport * from './${second}.js';`,
    );
  });

  it('have names that no longer match seen on the merged tree, where no test looks, and mended', async () => {
    const names = (...all: readonly string[]): string =>
      all.map((name) => `export const ${name} = () => 1;\n`).join('');
    const test = (name: string): object =>
      write(
        'test/names.test.js',
        `import assert from 'node:assert';\nimport test from 'node:test';\nimport { ${name} } from '../src/names.js';\ntest('${name}', () => assert.equal(${name}(), 1));\n`,
      );
    const main = (name: string): object =>
      write('src/main.js', `import { ${name} } from './names.js';\nconsole.log(${name}());\n`);
    const project = makeProject({
      files: { 'src/names.js': names('first') },
      script: script(
        [
          job('m1/develop#1', write('src/names.js', names('initial')), test('initial'), done('m1')),
          job('m5/develop#1', ...built('m5'), main('first'), done('m5')),
          // Whoever comes second has to make it fit.
          job('m1@2/develop#1', write('src/names.js', names('initial', 'first')), test('initial'), done('m1')),
          job('m5@2/develop#1', ...built('m5'), main('initial'), done('m5')),
        ],
        plan([
          task('m1', [], { writes: ['src/names.js', 'test/names.test.js'] }),
          task('m5', [], { writes: [...own('m5'), 'src/main.js'] }),
        ]),
      ),
    });
    const story = await runModules(project, '--yes');
    expect([story.code, story.stderr, story.statuses]).toEqual([0, '', { m1: 'done', m5: 'done' }]);
    const [, second] = inOrder(story, 'm1', 'm5');
    expect(story.stdout).toContain(
      `${second} Module ${second} › merge: after the merge, modules do not fit together: src/main.js`,
    );
    expect(promptOf(story, `${second}@2/develop#1`)).toContain('modules do not fit together: src/main.js');
    expect(story.keys('effect.started', new RegExp(`^${second}.*/(contracts|land)$`))).toEqual([
      `${second}/validate#1/contracts`,
      `${second}/integrate#1/contracts`,
      `${second}@2/validate#1/contracts`,
      `${second}@2/integrate#1/contracts`,
      `${second}@2/integrate#1/land`,
    ]);
  });
});

describe('lite', () => {
  it('is one workspace, one module after the other, with the same checks and reviews', async () => {
    const project = makeProject({ script: script([], plan([task('m1'), task('m5')])) });
    const story = await runModules(project, '--yes', '--lite');
    expect([story.code, story.stderr]).toEqual([0, '']);
    expect(story.stdout).toContain('Plan: 2 modules in 1 stage, one after the other\n');
    expect(isApart(story, 'm1', 'm5')).toBe(true);
    expect(workspaces(story)).toEqual(['lite']);
    for (const id of ['m1', 'm5']) {
      const finished = story.keys('effect.finished', new RegExp(`^${id}/(review|validate|integrate).*(#1|check)$`));
      // The checks run beside the review: either may be over first.
      expect(finished.slice(0, 2).toSorted()).toEqual([`${id}/review#1`, `${id}/review#1/check`]);
      expect(finished.slice(2)).toEqual([`${id}/validate#1/check`, `${id}/integrate#1/check`]);
    }
  });

  it('comes by itself for up to four modules with nothing to do at once, and goes on after a failure', async () => {
    const blocked = reply({ status: 'blocked', summary: '', blocker: 'Ada has the key' });
    const chain = [task('m1'), task('m2', ['m1']), task('m3', ['m2'])];
    const project = makeProject({ script: script([job('m2/develop#1', ...built('m2'), blocked)], plan(chain)) });
    const story = await runModules(project, '--yes');
    expect([story.code, story.statuses]).toEqual([1, { m1: 'done', m2: 'blocked', m3: 'skipped' }]);
    expect(workspaces(story)).toEqual(['lite']);
    expect(project.git('ls-tree', '-r', '--name-only', `forge/${story.run}`, 'src')).toBe('src/add.js\nsrc/m1.js');
  });
});

describe('a stage', () => {
  /** m5 waits for a person, which no time passes over. */
  const asking = () =>
    makeProject({
      config: `${scriptedConfig}scope: { undeclared: ask }\n`,
      script: script(
        [job('m5/develop#1', ...built('m5'), write('notes.md', 'New.\n'), done('m5'))],
        plan([task('m1'), task('m2', ['m1']), task('m5')]),
      ),
    });

  it.each([
    { flags: ['--barriers'], started: ['m1', 'm5'] },
    { flags: [], started: ['m1', 'm5', 'm2'] },
  ])('holds the next one back only with --barriers: $flags', async ({ flags, started }) => {
    const project = asking();
    await runModules(project, ...flags);
    const asked = await tell(project, 'answer', 'approve', '--option', 'yes');
    expect([asked.code, asked.keys('task.started', /./)]).toEqual([3, started]);
    const story = await tell(project, 'answer', '--option', 'accept');
    expect([story.code, story.statuses]).toEqual([0, { m1: 'done', m2: 'done', m5: 'done' }]);
  });
});

/** Of those who may write. */
function workspaces({ facts }: ModulesStory): readonly string[] {
  const inputs = facts.flatMap(({ type, data }) =>
    type === 'effect.started' && data['kind'] === 'agent.run'
      ? [data['input'] as { readonly access: string; readonly workspace: string }]
      : [],
  );
  return [...new Set(inputs.filter(({ access }) => access === 'write').map(({ workspace }) => workspace))];
}
