/**
 * A history with everything that git can do to a path is done again by scripted agents, in parallel, and ends with the
 * very tree of its last commit: in one go, and with the process killed in the middle.
 */
import { chmodSync, mkdirSync, readFileSync, rmSync, symlinkSync, unlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, describe, expect, it } from 'vitest';
import { makeProject, type Project, until } from './support.ts';

/** What happened, oldest first. */
function makeHistory(project: Project): void {
  const at = (path: string): string => join(project.root, path);
  const bytes = (path: string, content: Uint8Array): void => writeFileSync(at(path), content);
  const steps: readonly (readonly [string, () => void])[] = [
    [
      'Attributes and line ends',
      () => project.write({ '.gitattributes': '* text=auto\n*.bat eol=crlf\n', 'a.bat': 'one\r\ntwo\r\n' }),
    ],
    [
      'Kept as they are',
      () => project.write({ 'mixed.txt': 'one\r\ntwo\nthree\r\n', '.gitignore': '*.log\nbuild/\n' }),
    ],
    [
      'A picture',
      () =>
        bytes(
          'logo.bin',
          Uint8Array.from({ length: 4096 }, (_, place) => (place * 7) % 256),
        ),
    ],
    [
      'A tool',
      () =>
        project.write({
          'tool.sh': '#!/bin/sh\necho 1\n',
          'lib/a.js': 'export const a = 1;\n',
          'lib/b.js': 'export const b = 2;\n',
        }),
    ],
    ['It can be run', () => chmodSync(at('tool.sh'), 0o755)],
    ['A link', () => symlinkSync('lib/a.js', at('current'))],
    [
      'Renamed',
      () => {
        project.git('mv', 'lib', 'source');
      },
    ],
    [
      'A file where there was a directory',
      () => {
        rmSync(at('source'), { recursive: true });
        project.write({ source: 'gone\n' });
      },
    ],
    [
      'A directory where there was a file',
      () => {
        unlinkSync(at('source'));
        project.write({ 'source/deep/c.js': 'export const c = 3;\n' });
      },
    ],
    [
      'The link is a file now',
      () => {
        unlinkSync(at('current'));
        project.write({ current: 'plain\n' });
      },
    ],
    [
      'Odd names',
      () => project.write({ 'app/[id]/page.js': 'x\n', 'a {b,c}.txt': 'y\n', 'ü é.txt': 'z\n', 'star*.txt': 's\n' }),
    ],
    [
      'What the tests are run with',
      () =>
        project.write({
          'package.json': '{"name":"sums","type":"module","scripts":{"test":"true"}}\n',
          '.github/workflows/ci.yml': 'on: push\n',
        }),
    ],
    [
      'A picture less',
      () => {
        unlinkSync(at('logo.bin'));
        unlinkSync(at('test/add.test.js'));
      },
    ],
    ['The bat changes', () => project.write({ 'a.bat': 'one\r\nthree\r\n' })],
  ];
  for (const [message, make] of steps) {
    make();
    project.commit(message);
  }
  // Ignored, and tracked all the same; line ends that the attributes would have changed; and nothing at all.
  mkdirSync(at('build'));
  project.write({ 'build/kept.log': 'kept\n' });
  project.git('add', '-f', 'build/kept.log');
  project.git('commit', '-qm', 'Forced in');
  project.git('commit', '-q', '--allow-empty', '-m', 'Nothing');
  const blob = project.git('-c', 'core.autocrlf=false', 'hash-object', '-w', '--no-filters', 'mixed.txt');
  project.git('update-index', '--add', '--cacheinfo', `100644,${blob},crlf-in-the-tree.txt`);
  project.git('commit', '-qm', 'As it is');
  project.git('checkout', '-q', '--', '.');
}

describe('a history', () => {
  let project: Project;
  let first: string;
  let tree: string;

  beforeAll(() => {
    project = makeProject({ config: null, files: { '.forge/.gitignore': '*\n' } });
    first = project.git('rev-parse', 'HEAD');
    makeHistory(project);
    tree = project.git('rev-parse', 'HEAD^{tree}');
  });

  it('is done again in parallel, to the very tree it ended with', async () => {
    const before = project.git('status', '--porcelain');
    const rehearsed = await project.forge(
      'rehearse',
      '--from-history',
      `${first}..`,
      '--keep',
      '--parallel',
      '4',
      '--no-measure',
    );
    expect(rehearsed.stderr).toBe('note: 1 empty commit(s) left out\n');
    expect(rehearsed.stdout).toContain(`The same tree: ${tree}`);
    expect(rehearsed.stdout).not.toContain('Refused:');
    expect(rehearsed.code).toBe(0);
    const [run = ''] = project.runs();
    expect(project.git('rev-parse', `forge/${run}^{tree}`)).toBe(tree);
    expect(project.git('log', '--format=%s', `${first}..forge/${run}`).split('\n')).toHaveLength(16);
    const facts = project.facts(run) as unknown as readonly { type: string; key: string; data: object }[];
    const receipts = facts.flatMap(({ type, data }) => {
      const { output } = data as { output?: { receipt?: { flags: readonly { case: string }[] } } };
      return type === 'effect.finished' && output?.receipt !== undefined ? [output.receipt] : [];
    });
    // All that changed was declared: nothing had to be let through but what protects and judges.
    expect([...new Set(receipts.flatMap(({ flags }) => flags.map((flag) => flag.case)))]).not.toContain('undeclared');
    expect(project.git('status', '--porcelain')).toBe(before);
  });

  it('goes on after its process was killed, without any agent of the project', async () => {
    const known = project.runs();
    const { child, ended } = project.start([
      'rehearse',
      '--from-history',
      `${first}..HEAD`,
      '--barriers',
      '--no-measure',
    ]);
    const run = await until(() => project.runs().find((name) => !known.includes(name)), 'a run');
    const merged = (): number =>
      project.facts(run).filter(({ type, key }) => type === 'effect.finished' && key.endsWith('/land')).length;
    await until(() => merged() >= 3, 'three merges');
    child.kill('SIGKILL');
    expect(await ended).toMatchObject({ signal: 'SIGKILL' });
    expect(project.facts(run).at(-1)?.type).not.toBe('run.ended');
    // Settings that would have real agents work on it do not count for it.
    project.write({ '.forge/config.yaml': 'agents: { rehearsal: { driver: scripted, script: nowhere.yaml } }\n' });
    expect(await project.forge('resume', run)).toMatchObject({ code: 0 });
    rmSync(join(project.root, '.forge', 'config.yaml'));
    expect(project.git('rev-parse', `forge/${run}^{tree}`)).toBe(tree);
    expect(await project.forge('rehearse', '--check', run)).toMatchObject({
      code: 0,
      stdout: expect.stringContaining(`The same tree: ${tree}`),
    });
  });

  it('is refused where it cannot be done again', async () => {
    const known = project.runs();
    const refusal = async (range: string): Promise<string> => {
      const { code, stderr } = await project.forge('rehearse', '--from-history', range);
      return `${code} ${stderr}`;
    };
    expect(await refusal('HEAD')).toMatch(/^2 forge: "HEAD" is not a range of commits/);
    expect(await refusal('a...b')).toMatch(/^2 forge: "a...b" is not a range/);
    expect(await refusal('nowhere..HEAD')).toMatch(/^2 forge: There is no commit "nowhere"/);
    expect(await refusal('--output=x..HEAD')).toMatch(/^2 /);
    expect(await refusal('HEAD..HEAD~1')).toContain('is not on the line of first parents');
    expect(await refusal('HEAD..HEAD')).toContain('These commits contain nothing');
    project.git('checkout', '-q', '-b', 'own');
    project.write({ '.forge/roles/worker.md': 'x\n' });
    project.git('add', '-f', '.forge/roles/worker.md');
    project.git('commit', '-qm', 'Own');
    rmSync(join(project.root, '.forge/roles'), { recursive: true });
    expect(await refusal('HEAD~1..HEAD')).toMatch(/changes \.forge\/roles\/worker\.md, which is Forge's own/);
    project.git('checkout', '-qf', 'main');
    project.git('update-index', '--add', '--cacheinfo', `160000,${first},sub`);
    project.git('commit', '-qm', 'Sub');
    expect(await refusal('HEAD~1..HEAD')).toContain('sub is a submodule');
    project.git('reset', '-q', '--hard', 'HEAD~1');
    expect(project.runs()).toEqual(known);
    expect(readFileSync(join(project.root, 'current'), 'utf8')).toBe('plain\n');
  });
});
