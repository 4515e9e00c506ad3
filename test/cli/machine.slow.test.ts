/** A machine that refuses: a checkout that can only be read from, a disk that is full. Mounts of its own, so only as root. */
import { spawnSync } from 'node:child_process';
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { makeProject, type Project } from './support.ts';

const binary = join(import.meta.dirname, '../../dist/cli/main.js');
const canMount = process.getuid?.() === 0 && spawnSync('unshare', ['-m', 'true']).status === 0;

/** What the binary says after a mount that nobody else sees. Arguments are words without anything special in them. */
function forgeAfter(project: Project, mount: string, args: readonly string[]): { code: number | null; said: string } {
  const words = args.map((word) => `'${word}'`).join(' ');
  const script = `${mount} && cd "$ROOT" && exec "${process.execPath}" "${binary}" ${words}`;
  const env = { ...project.env, ROOT: project.root };
  const { status, stderr } = spawnSync('unshare', ['-m', 'sh', '-c', script], { env, encoding: 'utf8' });
  return { code: status, said: stderr };
}

const readOnly = (path: string): string => `mount --bind "${path}" "${path}" && mount -o remount,ro,bind "${path}"`;
const planOnly = ['run', 'Add a multiplication', '--plan-only', '--yes'];

describe.skipIf(!canMount)('a machine that refuses', () => {
  it('does not keep a run from a checkout whose .forge can only be read', () => {
    const project = makeProject();
    const { code, said } = forgeAfter(project, readOnly('$ROOT/.forge'), planOnly);
    expect({ code, said }).toEqual({ code: 0, said: expect.not.stringContaining('bug in Forge') });
    expect(project.runs()).toHaveLength(1);
  });

  it('is named with the path, and is no bug', () => {
    const project = makeProject({ config: null });
    const { code, said } = forgeAfter(project, readOnly('$ROOT/.forge'), ['init']);
    expect(code).toBe(5);
    expect(said).toMatch(/^forge: EROFS: read-only file system, .*\/sums\/\.forge\//);
    expect(said.trimEnd().split('\n')).toHaveLength(2);
  });

  it('has a full disk, which is said in one sentence', () => {
    const project = makeProject();
    const state = join(project.env['HOME'] ?? '', '.local/state');
    mkdirSync(state, { recursive: true });
    const full = `mount -t tmpfs -o size=64k x "${state}" && (dd if=/dev/zero of="${state}/fill" bs=1k 2>/dev/null || true)`;
    const { code, said } = forgeAfter(project, full, planOnly);
    expect(code).toBe(5);
    expect(said).toMatch(
      /^forge: ENOSPC: no space left on device.*\n {2}The disk is full: make room and try again\.\n$/,
    );
  });
});
