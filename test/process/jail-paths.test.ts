import { mkdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { homedir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { ForgeError } from '../../src/errors.ts';
import type { JailPolicy } from '../../src/process/jail.ts';
import { isInside, policyMounts } from '../../src/process/jail-paths.ts';
import { nodeRoots } from '../../src/process/jail-system.ts';
import { makeScene } from './scene.ts';

function refusal(policy: JailPolicy): string {
  try {
    policyMounts(policy);
    return 'allowed';
  } catch (error) {
    if (!(error instanceof ForgeError) || error.code !== 'bad-input') throw error;
    return error.message;
  }
}

describe('policyMounts', () => {
  test('parents before children, and the read-only one of two that name the same place', () => {
    const { root, workspace, policy } = makeScene();
    const store = join(workspace, 'store');
    const hole = join(store, 'hole');
    mkdirSync(hole, { recursive: true });
    const { mounts, links } = policyMounts({
      ...policy,
      writable: [hole, workspace],
      readable: [store, join(workspace, 'store', '..', 'store'), policy.tmp],
    });
    expect(mounts).toEqual([
      { path: join(root, 'home'), access: 'write' },
      { path: join(root, 'tmp'), access: 'read' },
      { path: workspace, access: 'write' },
      { path: store, access: 'read' },
      { path: hole, access: 'write' },
    ]);
    expect(links).toEqual([]);
  });

  test('a path given through a symlink is mounted where it really is, and linked', () => {
    const { root, workspace, policy } = makeScene();
    mkdirSync(join(workspace, 'sub'));
    symlinkSync(workspace, join(root, 'link'));
    const { mounts, links } = policyMounts({
      ...policy,
      writable: [join(root, 'link')],
      readable: [join(root, 'link', 'sub')],
    });
    expect(mounts.slice(-2)).toEqual([
      { path: workspace, access: 'write' },
      { path: join(workspace, 'sub'), access: 'read' },
    ]);
    expect(links).toEqual([{ path: join(root, 'link'), target: workspace }]);
  });

  test('a symlink inside a mount is there already', () => {
    const { root, workspace, policy } = makeScene();
    symlinkSync(workspace, join(root, 'outside', 'link'));
    const readable = [join(root, 'outside'), join(root, 'outside', 'link')];
    expect(policyMounts({ ...policy, readable }).links).toEqual([]);
  });

  test.each(['/', '/home', '/usr', '/etc', '/var', '/tmp', '/proc', '/dev', homedir()])(
    '%s is never writable',
    (path) => {
      const { policy } = makeScene();
      expect(refusal({ ...policy, writable: [path] })).toContain(`the jail cannot make ${path} writable: `);
      expect(refusal({ ...policy, home: path })).toContain('writable: ');
      expect(refusal({ ...policy, tmp: path })).toContain('writable: ');
    },
  );

  test.each(['/usr/bin', '/etc/ssl', '/proc/sys'])('nothing is writable inside %s', (path) => {
    expect(refusal({ ...makeScene().policy, writable: [path] })).toContain('writable: ');
  });

  test.each(['/', '/etc', '/proc', '/dev', '/dev/shm', '/run', homedir()])(
    '%s is never readable as a whole',
    (path) => {
      expect(refusal({ ...makeScene().policy, readable: [path] })).toContain(`the jail cannot make ${path} readable: `);
    },
  );

  test('a symlink does not make a dangerous path harmless', () => {
    const { root, policy } = makeScene();
    symlinkSync(homedir(), join(root, 'harmless'));
    expect(refusal({ ...policy, writable: [join(root, 'harmless')] })).toContain('it would open all of');
  });

  test('what is writable inside cannot have been redirected', () => {
    const { workspace, outside, policy } = makeScene();
    symlinkSync(outside, join(workspace, 'node_modules'));
    expect(refusal({ ...policy, readable: [join(workspace, 'node_modules')] })).toBe(
      `the jail cannot make ${workspace}/node_modules readable: it leads out of ${workspace}, which is writable inside`,
    );
    expect(refusal({ ...policy, writable: [workspace, join(workspace, 'node_modules')] })).toContain('it leads out of');
  });

  test('missing and relative paths are named', () => {
    const { workspace, policy } = makeScene();
    const missing = join(workspace, 'missing');
    expect(refusal({ ...policy, readable: [missing] })).toBe(
      `the jail cannot make ${missing} readable: it does not exist`,
    );
    expect(refusal({ ...policy, writable: ['workspace'] })).toContain('it is not an absolute path');
  });

  test('a single file may be readable', () => {
    const { outside, secretFile, policy } = makeScene();
    writeFileSync(join(outside, 'other'), '');
    expect(policyMounts({ ...policy, readable: [secretFile] }).mounts).toContainEqual({
      path: secretFile,
      access: 'read',
    });
  });
});

test.each([
  ['/a/b', '/a', true],
  ['/a', '/a', true],
  ['/ab', '/a', false],
  ['/a', '/', true],
  ['/', '/a', false],
])('isInside(%s, %s) is %s', (path, directory, expected) => {
  expect(isInside(path, directory)).toBe(expected);
});

test.each([
  ['/home/ada/.nvm/versions/node/v20.19.0/bin/node', ['/home/ada/.nvm/versions/node/v20.19.0']],
  ['/home/ada/bin/node', ['/home/ada/bin/node', '/home/ada/lib/node_modules']],
  ['/bin/node', ['/bin/node', '/lib/node_modules']],
  ['/home/bin/node', ['/home/bin/node', '/home/lib/node_modules']],
])('Node at %s shows %j', (program, roots) => {
  expect(nodeRoots(program, ['/home/ada'])).toEqual(roots);
});
