/** A run on two accounts through the binary: the first is nearly used up, then the second; the run waits and goes on. */
import { execFileSync } from 'node:child_process';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { addAccount, useAccount } from '../../src/api/accounts.ts';
import { openContext } from '../../src/api/context.ts';
import { performOperation } from '../../src/api/operation.ts';
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
