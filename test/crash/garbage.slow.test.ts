/**
 * Garbage collection at the worst moments: after every fact of a run, git removes whatever no ref holds. The run pauses at
 * every merge that is only prepared, goes on, and ends as it does in peace. Where a commit is really gone, the run says
 * which, and one command gets it going again.
 */
import { execFileSync } from 'node:child_process';
import { mkdtempSync, realpathSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { openForge } from '../../src/compose.ts';
import type { RunHandle } from '../../src/engine/engine.ts';
import { commitsIn } from '../../src/engine/named-commits.ts';
import type { AppendProbe } from '../../src/engine/fact-log.ts';
import { settingsSchema } from '../../src/policy/settings.ts';
import { everything } from '../proof/everything.ts';
import { expected, makeScenario, plan, type Scenario, userGit } from '../proof/scenario.ts';

const area = realpathSync(mkdtempSync(join(tmpdir(), 'forge-garbage-')));
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
    // One at a time: an effect that is under way has objects that no fact names yet.
    input: { plan, limit: 1 },
    settings,
  });
  await engine.signal('proof', { type: 'answer', key: 'approve', answer: { option: 'yes' } });
  return handle;
}

function collect({ root }: Scenario): void {
  execFileSync('git', ['reflog', 'expire', '--expire=now', '--all'], { cwd: root });
  execFileSync('git', ['gc', '-q', '--prune=now'], { cwd: root, stdio: 'ignore' });
}

describe('git gc', () => {
  it('takes nothing that a fact names, after any effect', async () => {
    const scenario = newScenario();
    let pause: (() => void) | undefined;
    let loose: string[] = [];
    let finished = false;
    const probe: AppendProbe = {
      before: (_, text) => {
        const fact = JSON.parse(text) as { type: string; key: string; data: { output?: unknown } };
        finished = fact.type === 'effect.finished';
        if (finished && fact.key.endsWith('/prepare')) pause?.();
        const named = commitsIn(fact.data);
        // Trees are named too, as keys of what was checked; they come with their commits.
        const commits = named.filter((id) => userGit(scenario, 'cat-file', '-t', id) === 'commit');
        const refs = commits.length === 0 ? '' : userGit(scenario, 'rev-list', '--glob=refs/forge/proof/*');
        loose = loose.concat(commits.filter((id) => !refs.includes(id)).map((id) => `${fact.type} ${fact.key} ${id}`));
      },
      // Only effects make commits.
      after: () => {
        if (finished) collect(scenario);
      },
    };
    let handle = await begin(scenario, probe);
    let pauses = 0;
    for (;;) {
      const current = handle;
      pause = () => current.pause('for the garbage');
      const end = await handle.ended;
      if (end.status !== 'paused') {
        expect(end).toMatchObject({ status: 'done', output: expected.outcomes });
        break;
      }
      pauses += 1;
      collect(scenario);
      handle = await (await open(scenario, probe)).engine.resume('proof');
    }
    expect(pauses).toBeGreaterThan(2);
    expect(loose).toEqual([]);
    expect(userGit(scenario, 'ls-tree', '-r', '--name-only', 'forge/proof').split('\n')).toEqual(expected.files);
  });

  it('is survived even where somebody removed the refs: the run names the commit and retry gets it going', {
    timeout: 300_000,
  }, async () => {
    const scenario = newScenario();
    let current: RunHandle | undefined;
    let gone = '';
    const probe: AppendProbe = {
      before: (_, text) => {
        const fact = JSON.parse(text) as { type: string; key: string; data: { output?: { commit?: string } } };
        if (gone !== '' || fact.type !== 'effect.finished' || !fact.key.endsWith('T4/integrate#1/prepare')) return;
        gone = fact.data.output?.commit ?? '';
        current?.pause('for the garbage');
      },
      after: () => {},
    };
    current = await begin(scenario, probe);
    const first = await current.ended;
    expect([first.status, first.reason]).toEqual(['paused', 'for the garbage']);
    const refs = userGit(scenario, 'for-each-ref', '--format=%(refname)', '--contains', gone).split('\n');
    for (const ref of refs) userGit(scenario, 'update-ref', '-d', ref);
    collect(scenario);
    const { engine } = await open(scenario);
    const stopped = await (await engine.resume('proof')).ended;
    expect(stopped).toMatchObject({
      status: 'stopped',
      error: {
        code: 'commit-gone',
        message: `The commit ${gone.slice(0, 12)} of T4/integrate#1/prepare is not in the repository any more`,
        hint: expect.stringContaining('forge retry proof'),
      },
    });
    const end = await (await engine.retry('proof', [])).ended;
    expect(end).toMatchObject({ status: 'done', output: expected.outcomes });
    await expect(engine.retry('proof', [])).rejects.toMatchObject({ code: 'bad-input' });
  });
});
