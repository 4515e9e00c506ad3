/** A run on two accounts through the binary: the first is nearly used up, then the second; the run waits and goes on. */
import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { addAccount, useAccount } from '../../src/api/accounts.ts';
import { openContext } from '../../src/api/context.ts';
import { performOperation } from '../../src/api/operation.ts';
import { findOnPath } from '../../src/api/known-agents.ts';
import { developed, makeProject, script } from './support.ts';

const config = 'agents:\n  worker: { driver: scripted, script: .forge/script.yaml, key: DEMO_KEY }\n';

it('moves work to the account with the most days left, waits for a reset, and never writes a token down', async () => {
  const [plan, developer, ...rest] = script() as readonly { when: object; do: readonly object[] }[];
  const project = makeProject({
    config,
    script: [
      { ...plan, do: [{ limits: { '5h': { used: 92, resets: '20s' } } }, ...(plan?.do ?? [])] },
      { ...developer, do: [{ limits: { '5h': { used: 97, resets: '10s' } } }, ...developed] },
      ...rest,
    ],
  });
  const tokens = { work: 'demo-token-1111-work', short: 'demo-token-2222-short', long: 'demo-token-3333-long' };
  const context = openContext({ cwd: project.root, env: project.env });
  for (const [name, token] of Object.entries(tokens)) {
    const expires = { work: '300d', short: '5d', long: '200d' }[name] ?? '1d';
    await performOperation(addAccount, context, { name, token, key: 'DEMO_KEY', expires, store: 'file' });
  }
  await performOperation(useAccount, context, { name: 'work' });

  const ended = await project.forge('run', 'Add a multiplication', '--yes', '--json');
  expect(ended).toMatchObject({ code: 0 });
  const [run = ''] = project.runs();
  const notes = project.facts(run).flatMap((fact) => {
    const { note } = (fact as unknown as { data: { note?: string } }).data;
    return note === undefined ? [] : [note];
  });
  expect(notes).toContain('worker (account work) has used 92 % of 5h: worker (account long) takes over');
  // What the developer reported is the account's it worked on: the next piece of work goes elsewhere again.
  expect(notes.some((note) => note.endsWith('takes over') && note.includes('account short'))).toBe(true);

  const listed = JSON.parse((await project.forge('accounts', '--json')).stdout) as { name: string; isInUse: boolean }[];
  expect(listed.filter(({ isInUse }) => isInUse).map(({ name }) => name)).toEqual(['work']);
  // Tokens are in their vault and nowhere else: not in journals, transcripts, logs, workspaces or the repository.
  const home = project.env['HOME'] ?? '';
  for (const token of Object.values(tokens)) {
    const found = execFileSync('sh', ['-c', 'grep -rlF -- "$1" "$2" "$3" || true', 'sh', token, home, project.root], {
      encoding: 'utf8',
    });
    expect(found.trim().split('\n')).toEqual([join(home, '.config/forge/accounts', token.replace(/^.*-/, ''))]);
  }
});

it('waits for the reset when all accounts are full, and goes on by itself', async () => {
  const [plan, ...rest] = script() as readonly { when: object; do: readonly object[] }[];
  const project = makeProject({
    config,
    script: [{ ...plan, do: [{ limits: { '5h': { used: 99, resets: '15s' } } }, ...(plan?.do ?? [])] }, ...rest],
  });
  const context = openContext({ cwd: project.root, env: project.env });
  await performOperation(addAccount, context, {
    name: 'only',
    token: 'demo-token-4444',
    key: 'DEMO_KEY',
    store: 'file',
  });
  await performOperation(useAccount, context, { name: 'only' });
  expect(await project.forge('run', 'Add a multiplication', '--yes', '--json')).toMatchObject({ code: 0 });
  const [run = ''] = project.runs();
  const facts = project.facts(run) as unknown as readonly { at: string; data: { note?: string } }[];
  const waited = facts.filter(({ data }) => data.note?.includes('nobody else can take over') === true);
  expect(waited).toHaveLength(1);
  const until = Date.parse(/until (\S+)$/.exec(waited[0]?.data.note ?? '')?.[1] ?? '');
  expect(Date.parse(facts.at(-1)?.at ?? '')).toBeGreaterThan(until);
});

const keyringPrograms = ['dbus-run-session', 'gnome-keyring-daemon', 'secret-tool'];
const hasKeyring = keyringPrograms.every((name) => findOnPath(name, process.env) !== undefined);

it.runIf(hasKeyring)('keeps a token in a real keyring, and nowhere else', () => {
  const project = makeProject();
  const home = project.env['HOME'] ?? '';
  const runtime = join(home, 'run');
  mkdirSync(runtime, { mode: 0o700 });
  const binary = join(import.meta.dirname, '../../dist/cli/main.js');
  // The keyring is one of this session alone, is unlocked before anything else asks for it, and ends with the session.
  const session = `
printf password | gnome-keyring-daemon --unlock --components=secrets --daemonize > /dev/null 2>&1
printf demo-token-5555 | node "$1" accounts add kept --key DEMO_KEY
node "$1" accounts
secret-tool lookup service forge account kept; echo
node "$1" accounts remove kept
secret-tool lookup service forge account kept; echo "looked up: $?"
`;
  const printed = execFileSync('dbus-run-session', ['--', 'bash', '-c', session, 'bash', binary], {
    cwd: project.root,
    env: { ...project.env, XDG_RUNTIME_DIR: runtime },
    encoding: 'utf8',
    stdio: ['ignore', 'pipe', 'ignore'],
    // A keyring that waits for a person would wait for ever.
    timeout: 120_000,
  });
  expect(printed.split('\n')).toEqual([
    'Added kept for DEMO_KEY. The token is in your keyring.',
    expect.stringMatching(/^ {2}kept {2}DEMO_KEY {2}keyring/),
    'demo-token-5555',
    'Removed kept and its token.',
    'looked up: 1',
    '',
  ]);
  expect(existsSync(join(home, '.config/forge/accounts'))).toBe(false);
});
