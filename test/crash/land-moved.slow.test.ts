/**
 * Landing on a branch that has moved: the result goes on top, checked again there, as journaled work of the run that a
 * pause does not lose; a conflict becomes a question with the files, and undo takes the landing back.
 */
import { mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { openForge } from '../../src/compose.ts';
import type { RunHandle } from '../../src/engine/engine.ts';
import type { AppendProbe } from '../../src/engine/fact-log.ts';
import { planUndo, undoRefs } from '../../src/git/undo.ts';
import { settingsSchema } from '../../src/policy/settings.ts';
import { resultOf } from '../../src/views/landing.ts';
import { everything } from '../proof/everything.ts';
import { expected, makeScenario, plan, type Scenario, userGit } from '../proof/scenario.ts';

const area = realpathSync(mkdtempSync(join(tmpdir(), 'forge-land-')));
afterAll(() => rmSync(area, { recursive: true, force: true }));

let counter = 0;

async function open(scenario: Scenario, probe?: AppendProbe) {
  const script = { driver: 'scripted', script: '.forge/script.json' };
  const settings = settingsSchema.parse({ agents: { worker: script }, checks: { run: ['node check.js'] } });
  const { root, dataDir } = scenario;
  const options = { cwd: root, dataDir, workflows: [everything], settings };
  return openForge(probe === undefined ? options : { ...options, probe });
}

function newScenario(): Scenario {
  counter += 1;
  return makeScenario(join(area, String(counter)));
}

async function begin(scenario: Scenario, probe?: AppendProbe): Promise<RunHandle> {
  const { engine, repo, settings } = await open(scenario, probe);
  const handle = await engine.start({
    run: 'proof',
    title: 'Proof',
    workflow: 'everything',
    base: repo.head,
    branch: repo.branch,
    root: repo.root,
    input: { plan, limit: 4 },
    settings,
  });
  await engine.signal('proof', { type: 'answer', key: 'approve', answer: { option: 'yes' } });
  return handle;
}

/** A run that is done, and a commit of the person's on main since. */
async function moved(path: string, text: string) {
  const scenario = newScenario();
  const handle = await begin(scenario);
  expect(await handle.ended).toMatchObject({ status: 'done' });
  writeFileSync(join(scenario.root, path), text);
  userGit(scenario, 'add', path);
  userGit(scenario, 'commit', '-qm', 'mine');
  const mine = userGit(scenario, 'rev-parse', 'main');
  const commit = resultOf(handle.state) ?? '';
  return { scenario, mine, wish: { branch: 'main', commit } };
}

describe('landing on a branch that has moved', () => {
  it('puts the result on top, after a pause too, and undo takes it back', async () => {
    const { scenario, mine, wish } = await moved('mine.txt', 'mine\n');
    let current: RunHandle | undefined;
    let checked = 0;
    const probe: AppendProbe = {
      before: (_, text) => {
        const { type, key } = JSON.parse(text) as { type: string; key: string };
        if (type === 'effect.finished' && key === 'land#1/1/prepare') current?.pause('in the middle');
        if (type === 'effect.finished' && key === 'land#1/1/verify/check') checked += 1;
      },
      after: () => {},
    };
    const { engine } = await open(scenario, probe);
    current = await engine.land('proof', wish);
    expect(await current.ended).toMatchObject({ status: 'paused' });
    expect(userGit(scenario, 'rev-parse', 'main')).toBe(mine);
    const again = await open(scenario, probe);
    const handle = await again.engine.resume('proof');
    expect(await handle.ended).toMatchObject({ status: 'done', output: expected.outcomes });
    expect([again.landings.get('proof')?.status, checked]).toEqual(['landed', 1]);
    const history = userGit(scenario, 'log', '--format=%s', 'main').split('\n');
    expect(history.slice(-2)).toEqual(['mine', 'first']);
    expect(history.slice(0, -2).sort()).toEqual(['Make T1', 'Make T2', 'Make T3', 'Make T4']);
    expect(userGit(scenario, 'status', '--porcelain')).toBe('');
    expect(userGit(scenario, 'show', 'main:mine.txt')).toBe('mine');
    const made = handle.state.refs.map(({ ref, before, after }) => ({ ref, before, after }));
    const { back } = await planUndo(again.repo, made);
    await undoRefs(again.repo, back, { run: 'proof' });
    expect(userGit(scenario, 'rev-parse', 'main')).toBe(mine);
  });

  it('asks a person about a conflict, and lands what they settled', async () => {
    const { scenario, mine, wish } = await moved('src/shared.js', "export const names = ['mine'];\n");
    const { engine } = await open(scenario);
    const waiting = await engine.land('proof', wish, { whenWaiting: 'leave' });
    expect(await waiting.ended).toMatchObject({ status: 'waiting' });
    const [key = '', asked] = [...waiting.state.questions].find(([name]) => name.startsWith('land#')) ?? [];
    expect(asked?.question.detail).toContain('src/shared.js');
    const marked = /git switch -c settled (\w+)/.exec(asked?.question.detail ?? '')?.[1] ?? '';
    userGit(scenario, 'switch', '-qc', 'settled', marked);
    writeFileSync(join(scenario.root, 'src/shared.js'), "export const names = ['mine', 'b', 'c'];\n");
    userGit(scenario, 'commit', '-qam', 'settled');
    userGit(scenario, 'switch', '-q', 'main');
    await engine.signal('proof', { type: 'answer', key, answer: { text: 'settled' } });
    const again = await open(scenario);
    expect(await (await again.engine.resume('proof')).ended).toMatchObject({ status: 'done' });
    expect(again.landings.get('proof')).toMatchObject({ status: 'landed' });
    expect(userGit(scenario, 'show', 'main:src/shared.js')).toBe("export const names = ['mine', 'b', 'c'];");
    expect(userGit(scenario, 'merge-base', 'main', mine)).toBe(mine);
  });
});
