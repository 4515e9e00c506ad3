/** Where control groups of this process are, by texts of /proc as different systems write them. */
import { expect, test } from 'vitest';
import { ownGroups } from '../../src/process/control-group-places.ts';

test('version 2 under systemd', () => {
  const groups = '0::/user.slice/user-1000.slice/user@1000.service/app.slice/vte-spawn-1.scope\n';
  const mounts = '35 24 0:30 / /sys/fs/cgroup rw,nosuid shared:9 - cgroup2 cgroup2 rw,nsdelegate\n';
  expect(ownGroups(groups, mounts)).toEqual({
    unified: {
      path: '/sys/fs/cgroup/user.slice/user-1000.slice/user@1000.service/app.slice/vte-spawn-1.scope',
      top: '/sys/fs/cgroup',
    },
  });
});

test('version 1, where a part of a hierarchy is mounted at a path with a space', () => {
  const groups = '8:pids:/\n4:cpu,memory:/box/inner\n3:name=systemd:/x\n0::/\n';
  const mounts = [
    '35 31 0:32 /box /sys/fs/group\\040one rw,relatime - cgroup cgroup rw,cpu,memory',
    '40 31 0:37 / /sys/fs/cgroup/pids rw,relatime - cgroup cgroup rw,pids',
    '41 31 0:38 / /sys/fs/cgroup/unified rw,relatime - cgroup2 cgroup2 rw',
  ].join('\n');
  expect(ownGroups(groups, mounts)).toEqual({
    memory: { path: '/sys/fs/group one/inner', top: '/sys/fs/group one' },
    pids: { path: '/sys/fs/cgroup/pids', top: '/sys/fs/cgroup/pids' },
    unified: { path: '/sys/fs/cgroup/unified', top: '/sys/fs/cgroup/unified' },
  });
});

test.each([
  [
    'a group outside what is mounted',
    '4:memory:/other\n',
    '35 31 0:32 /box /sys/fs/cgroup rw - cgroup cgroup rw,memory',
  ],
  ['a group above the namespace', '0::/../other\n', '35 31 0:32 / /sys/fs/cgroup rw - cgroup2 cgroup2 rw'],
  ['no hierarchy of that kind', '4:memory:/\n', '35 31 0:32 / /sys/fs/cgroup rw - cgroup2 cgroup2 rw'],
  ['nothing at all', '', ''],
])('%s is none', (_, groups, mounts) => {
  expect(ownGroups(groups, mounts)).toEqual({});
});
