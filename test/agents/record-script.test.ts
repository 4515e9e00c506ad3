/** Recorded changes are done again by the real scripted agent, in real repositories, and lead to the same tree. */
import { execFileSync, spawnSync } from 'node:child_process';
import { chmodSync, mkdirSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { asText, changeSteps, recordJob } from '../../src/agents/record-script.ts';
import { parseScript } from '../../src/agents/script.ts';
import { noUsage } from '../../src/policy/usage.ts';
import { openRepository } from '../../src/git/repository.ts';
import { readContentChanges, readPatches } from '../../src/git/recorded-changes.ts';
import { createRedactor } from '../../src/process/redact.ts';
import { tempDir } from '../support/temp.ts';

const child = resolve(import.meta.dirname, '../../dist/agents/scripted-child.js');
const plain = { redact: (text: string) => text };

describe('recorded changes', () => {
  it('lead from one tree to the other, also when they are done twice', async () => {
    const root = join(tempDir(), 'repository');
    const git = (...args: string[]): string =>
      execFileSync(
        'git',
        ['-C', root, '-c', 'core.autocrlf=false', '-c', 'user.name=a', '-c', 'user.email=a@b', ...args],
        {
          encoding: 'utf8',
        },
      ).trim();
    const put = (path: string, content: string | Uint8Array, mode = 0o644): void => {
      mkdirSync(dirname(join(root, path)), { recursive: true });
      writeFileSync(join(root, path), content);
      chmodSync(join(root, path), mode);
    };
    const commit = (): string => {
      git('add', '-A');
      git('commit', '-qm', 'x');
      return git('rev-parse', 'HEAD');
    };
    mkdirSync(root);
    git('init', '-q', '-b', 'main');
    const long = Array.from({ length: 40 }, (_, line) => `line ${line}\n`).join('');
    put('edited.txt', long);
    put('crlf.txt', long.replaceAll('\n', '\r\n'));
    put('latin1.txt', Buffer.from('caf\xe9\n'.repeat(30), 'latin1'));
    put('gone.txt', 'gone\n');
    put('mode.sh', '#!/bin/sh\n');
    put('unmode.sh', '#!/bin/sh\n', 0o755);
    put('dir/a', 'a\n');
    put('dir/sub/b', 'b\n');
    put('file', 'file\n');
    put('becomes-link', 'x\n');
    symlinkSync('gone.txt', join(root, 'becomes-file'));
    symlinkSync('gone.txt', join(root, 'moves'));
    const from = commit();
    put('edited.txt', long.replace('line 20', 'line twenty'));
    put('crlf.txt', long.replaceAll('\n', '\r\n').replace('line 20', 'line twenty'));
    put('latin1.txt', Buffer.from(`caf\xe9\n`.repeat(30) + '\xff', 'latin1'));
    put('binary.bin', Buffer.from([0, 1, 2, 255]));
    put('new dir/[ü].txt', 'ü\n');
    put('empty', '');
    put('mode.sh', '#!/bin/sh\n', 0o755);
    put('unmode.sh', '#!/bin/sh\nexit\n', 0o644);
    for (const path of ['gone.txt', 'dir', 'file', 'becomes-link', 'becomes-file', 'moves'])
      rmSync(join(root, path), { recursive: true });
    put('dir', 'now a file\n');
    put('file/inside', 'now a directory\n');
    symlinkSync('edited.txt', join(root, 'becomes-link'));
    put('becomes-file', 'a file\n');
    symlinkSync('new dir', join(root, 'moves'));
    const to = commit();

    const repo = await openRepository(root, { dataDir: tempDir() });
    const changes = await readContentChanges(repo, from, to);
    const patches = await readPatches(repo, { from, to }, ['crlf.txt', 'edited.txt']);
    const recorded = changes.map((change) => ({ ...change, patch: patches.get(change.path) }));
    const { entry, redacted } = changeSteps(recorded, plain);
    expect(redacted).toEqual([]);
    expect(entry.filter((step) => 'patch' in step)).toHaveLength(2);
    const { steps } = parseScript(JSON.stringify([{ do: entry }]), 'test').entries[0] ?? { steps: [] };
    const play = (): string => {
      const played = spawnSync(process.execPath, [child], {
        cwd: root,
        input: JSON.stringify({ steps }),
        encoding: 'utf8',
      });
      git('add', '-A');
      return `${played.status} ${git('write-tree')}`;
    };
    git('checkout', '-q', from);
    const wanted = `0 ${git('rev-parse', `${to}^{tree}`)}`;
    expect(play()).toBe(wanted);
    expect(play()).toBe(wanted);
  });

  it('keep secrets out, and say where that shows', () => {
    const redactor = createRedactor({ API_TOKEN: 'a-very-secret-value' });
    const file = (content: string) => ({ mode: '100644', content: Buffer.from(content) });
    const { entry, redacted } = changeSteps(
      [
        { path: 'a', before: undefined, after: file('key=a-very-secret-value\n') },
        { path: 'b', before: undefined, after: file('\0a-very-secret-value') },
        { path: 'c', before: file(''), after: file('long enough to have a patch'), patch: '-a-very-secret-value' },
      ],
      redactor,
    );
    expect(redacted).toEqual(['a', 'b']);
    expect(entry).toEqual([
      { write: { path: 'a', content: 'key=[redacted:API_TOKEN]\n' } },
      { write: { path: 'b', base64: Buffer.from('\0[redacted:API_TOKEN]').toString('base64') } },
      { write: { path: 'c', content: 'long enough to have a patch' } },
    ]);
  });
});

describe('a recorded job', () => {
  const ended = { usage: noUsage, durationMs: 12.4 };
  const stepsOf = (outcome: Parameters<typeof recordJob>[0]['outcome']) =>
    recordJob({ key: 'k', changes: [], said: [], outcome }, plain).entry.do;

  it('ends as the work did, without the waiting', () => {
    expect(stepsOf({ status: 'replied', reply: { a: 1 }, ...ended })).toEqual([{ reply: { a: 1 } }]);
    expect(stepsOf({ status: 'replied', reply: 'text', ...ended })).toEqual([{ reply: 'text' }]);
    expect(stepsOf({ status: 'replied', reply: [1], ...ended })).toEqual([{ reply: '[1]' }]);
    expect(stepsOf({ status: 'silent', exit: 0, ...ended })).toEqual([]);
    expect(stepsOf({ status: 'crashed', exit: null, signal: 'SIGKILL', ...ended })).toEqual([{ crash: 137 }]);
    expect(stepsOf({ status: 'crashed', exit: 3, signal: null, ...ended })).toEqual([{ crash: 3 }]);
    expect(stepsOf({ status: 'trouble', trouble: { code: 'refusal', message: 'no' }, ...ended })).toEqual([
      { error: { code: 'refusal', message: 'no' } },
    ]);
    for (const outcome of [
      { status: 'idle', idleMs: 1, ...ended },
      { status: 'timed-out', limitMs: 1, ...ended },
      { status: 'flooded', outputBytes: 1, ...ended },
    ] as const)
      expect(stepsOf(outcome)).toEqual([{ say: `(recorded: ${outcome.status})` }, { crash: 1 }]);
  });

  it('carries its session, its words, its usage and its time', () => {
    const usage = { inputTokens: 5, outputTokens: 1, costUsd: 0.1, turns: 2 };
    const outcome = { status: 'silent', exit: 0, session: 's', usage, durationMs: 12.4 } as const;
    expect(recordJob({ key: 'T1/develop#1', changes: [], said: ['hello'], outcome }, plain).entry).toEqual({
      when: { key: 'T1/develop#1' },
      took: '12ms',
      do: [{ session: 's' }, { say: 'hello' }, { usage }],
    });
  });
});

describe('text', () => {
  it('is what reads back as the same bytes', () => {
    fc.assert(
      fc.property(
        fc.oneof(
          fc.uint8Array(),
          fc.string({ unit: 'binary' }).map((text) => Buffer.from(text)),
        ),
        (bytes) => {
          const text = asText(bytes);
          if (text !== undefined) expect(Buffer.from(text)).toEqual(Buffer.from(bytes));
        },
      ),
    );
    expect(asText(Buffer.from('\ufeffa'))).toBe('\ufeffa');
    expect(asText(Buffer.from([0xff]))).toBeUndefined();
    expect(asText(Buffer.from([0]))).toBeUndefined();
  });
});
