import { chmodSync, existsSync, utimesSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { makeRepo, scratch } from './support.ts';

/** A program that leaves a mark when it is started, and passes its input on. */
function trap(): { readonly program: string; readonly wasStarted: () => boolean } {
  const directory = scratch('trap');
  const program = join(directory, 'filter.sh');
  writeFileSync(program, `#!/bin/sh\ntouch ${directory}/started\ncat\n`);
  chmodSync(program, 0o755);
  return { program, wasStarted: () => existsSync(join(directory, 'started')) };
}

describe("filters of a repository's own git configuration", () => {
  it.for(['evil', 'with=sign', 'a.b', 'ünï'])('are not started by opening it: %s', async (name) => {
    const repo = makeRepo({ files: { 'a.txt': 'a\n', '.gitattributes': `a.txt filter=${name}\n` } });
    const { program, wasStarted } = trap();
    for (const key of ['clean', 'smudge']) repo.git('config', `filter.${name}.${key}`, program);
    repo.git('config', `filter.${name}.required`, 'true');
    writeFileSync(join(repo.root, 'a.txt'), 'b\n');
    utimesSync(join(repo.root, 'a.txt'), 1, 1);
    const { notices } = await repo.open();
    expect(notices.find(({ code }) => code === 'dirty')?.paths).toEqual(['a.txt']);
    expect(wasStarted()).toBe(false);
  });

  it('are not started when they come from an included file or a worktree configuration', async () => {
    const repo = makeRepo({
      files: { 'a.txt': 'a\n', '.gitattributes': 'a.txt filter=one\nb.txt filter=two\n', 'b.txt': 'b\n' },
    });
    const { program, wasStarted } = trap();
    const included = join(scratch('include'), 'config');
    writeFileSync(included, `[filter "one"]\n\tprocess = ${program}\n`);
    repo.git('config', 'include.path', included);
    repo.git('config', 'extensions.worktreeConfig', 'true');
    repo.git('config', '--worktree', 'filter.two.clean', program);
    for (const file of ['a.txt', 'b.txt']) writeFileSync(join(repo.root, file), 'changed\n');
    await repo.open();
    expect(wasStarted()).toBe(false);
  });

  it("leave the person's own filters alone", async () => {
    const repo = makeRepo({ files: { 'a.txt': 'a\n', '.gitattributes': 'a.txt filter=own\n' } });
    const { program, wasStarted } = trap();
    repo.git('config', '--global', 'filter.own.clean', program);
    writeFileSync(join(repo.root, 'a.txt'), 'b\n');
    await repo.open();
    repo.git('config', '--global', '--unset', 'filter.own.clean');
    expect(wasStarted()).toBe(true);
  });
});
