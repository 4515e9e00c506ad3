/**
 * A Forge process for the proofs: starts or resumes the run `proof` of a scenario and dies where it is told,
 * as if the machine had killed it. Arguments: one JSON object. Prints how it ended, as JSON.
 */
import { appendFileSync } from 'node:fs';
import { join } from 'node:path';
import { openForge } from '../../src/compose.ts';
import type { AppendProbe } from '../../src/engine/journal.ts';
import { settingsSchema } from '../../src/policy/settings.ts';
import { everything } from './everything.ts';
import { plan } from './scenario.ts';

export interface HostArguments {
  readonly root: string;
  readonly dataDir: string;
  readonly mode: 'start' | 'resume';
  /** Die around the append with this number: before it, in the middle of its line, or after it. */
  readonly die?: { readonly at: 'before' | 'torn' | 'after'; readonly seq: number };
}

export const settings = {
  agents: { worker: { driver: 'scripted', script: '.forge/script.json' } },
  checks: { run: ['node check.js'], timeout: 60 },
};

async function main(args: HostArguments): Promise<void> {
  const { engine, repo } = await openForge({
    cwd: args.root,
    dataDir: args.dataDir,
    workflows: [everything],
    settings: settingsSchema.parse(settings),
    ...(args.die === undefined
      ? {}
      : { probe: dyingProbe(join(args.root, '.forge/runs/proof/journal.jsonl'), args.die) }),
  });
  const request = {
    run: 'proof',
    title: 'Proof',
    workflow: 'everything',
    base: repo.head,
    branch: repo.branch,
    root: repo.root,
    input: { plan, limit: 4 },
    settings,
  };
  const handle = args.mode === 'start' ? await engine.start(request) : await engine.resume('proof');
  const { questions, earlyAnswers } = handle.state;
  if (questions.get('approve')?.answer === undefined && !earlyAnswers.has('approve')) {
    await engine.signal('proof', { type: 'answer', key: 'approve', answer: { option: 'yes' } });
  }
  const end = await handle.ended;
  console.log(JSON.stringify(end.status === 'stopped' ? { status: 'stopped', reason: end.reason } : end));
}

function dyingProbe(journal: string, { at, seq }: NonNullable<HostArguments['die']>): AppendProbe {
  const die = (): void => {
    process.kill(process.pid, 'SIGKILL');
  };
  return {
    before: (now, text) => {
      if (now !== seq || at === 'after') return;
      if (at === 'torn') appendFileSync(journal, text.slice(0, Math.ceil(text.length / 2)));
      die();
    },
    after: (now) => {
      if (now === seq && at === 'after') die();
    },
  };
}

if (process.argv[2] !== undefined) await main(JSON.parse(process.argv[2]) as HostArguments);
