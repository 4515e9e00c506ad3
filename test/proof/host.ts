/**
 * A Forge process for the proofs: starts or resumes the run `proof` of a scenario and dies where it is told,
 * as if the machine had killed it. Arguments: one JSON object. Prints how it ended, as JSON.
 */
import { appendFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { openForge } from '../../src/compose.ts';
import type { AppendProbe } from '../../src/engine/fact-log.ts';
import { settingsSchema } from '../../src/policy/settings.ts';
import { designRoles } from '../../src/workflows/design/roles.ts';
import { milestoneRoles } from '../../src/workflows/milestone/roles.ts';
import { moduleRoles } from '../../src/workflows/modules/roles.ts';
import { pipelineRoles } from '../../src/workflows/pipeline/roles.ts';
import { runsDirectory } from '../support/runs.ts';
import { everything } from './everything.ts';
import { designCrashInput } from './design-scenario.ts';
import { milestoneCrashOptions } from './milestone-scenario.ts';
import { crashPipelines, crashRequest } from './pipeline-scenario.ts';
import { type Death, placeOf } from './place.ts';
import { plan } from './scenario.ts';

export interface HostArguments {
  readonly root: string;
  readonly dataDir: string;
  readonly mode: 'start' | 'resume';
  readonly workflow: 'everything' | 'waves' | 'modules' | 'design' | 'pipeline' | 'milestone';
  /** Dies at the first of these that comes, and writes its number in the list to `epitaph`. */
  readonly deaths: readonly Death[];
  readonly epitaph: string;
}

const script = { driver: 'scripted', script: '.forge/script.json' };
const checks = {
  everything: 'node check.js',
  waves: 'node --test',
  modules: 'node --test',
  design: 'node --test',
  pipeline: 'node --test',
  milestone: 'node --test',
};
const roles = ['planner', 'developer', 'tester', 'learner'];

async function main(args: HostArguments): Promise<void> {
  const { workflow, deaths } = args;
  const settings = { agents: { worker: script }, checks: { run: [checks[workflow]], timeout: 600 } };
  const {
    engine,
    repo,
    settings: inForce,
  } = await openForge({
    cwd: args.root,
    dataDir: args.dataDir,
    workflows: [everything],
    settings: settingsSchema.parse(settings),
    ...(deaths.length === 0 ? {} : { probe: dyingProbe(args) }),
  });
  const common = {
    requirement: 'Add more arithmetic',
    slug: 'add-arithmetic',
    checks: inForce.checks.run,
    scope: inForce.scope,
    planOnly: false,
    guidance: '',
  };
  const played = (names: readonly string[]) => Object.fromEntries(names.map((role) => [role, 'worker']));
  const input = {
    everything: { plan, limit: 4 },
    waves: { ...common, agents: played(roles) },
    modules: { ...common, agents: played(Object.keys(moduleRoles)), parallel: 2 },
    design: { ...common, ...designCrashInput, agents: played(Object.keys(designRoles)) },
    pipeline: {
      ...common,
      requirement: crashRequest,
      agents: played(Object.keys(pipelineRoles)),
      parallel: 2,
      options: { do: 'run', finish: true, again: false, inline: false },
      pipelines: crashPipelines,
    },
    milestone: {
      ...common,
      agents: played(Object.keys(milestoneRoles)),
      parallel: 2,
      options: milestoneCrashOptions,
    },
  };
  const request = {
    run: 'proof',
    title: 'Proof',
    workflow,
    base: repo.head,
    branch: repo.branch,
    root: repo.root,
    input: input[workflow],
    settings,
  };
  const handle = args.mode === 'start' ? await engine.start(request) : await engine.resume('proof');
  const { questions, earlyAnswers } = handle.state;
  // What a person answers, before they are asked.
  const [key, option] = workflow === 'milestone' ? ['triage/S01-R2', 'follow-up'] : ['approve', 'yes'];
  if (questions.get(key)?.answer === undefined && !earlyAnswers.has(key)) {
    await engine.signal('proof', { type: 'answer', key, answer: { option } });
  }
  const end = await handle.ended;
  console.log(JSON.stringify(end.status === 'stopped' ? { status: 'stopped', reason: end.reason } : end));
}

function dyingProbe({ root, deaths, epitaph }: HostArguments): AppendProbe {
  let death = -1;
  const die = (): void => {
    writeFileSync(epitaph, String(death));
    process.kill(process.pid, 'SIGKILL');
  };
  return {
    before: (seq, text) => {
      const place = placeOf(JSON.parse(text));
      death = deaths.findIndex((one) => ('seq' in one ? one.seq === seq : one.place === place));
      const at = deaths[death]?.at;
      if (at === undefined || at === 'after') return;
      if (at === 'torn')
        appendFileSync(join(runsDirectory(root), 'proof/journal.jsonl'), text.slice(0, Math.ceil(text.length / 2)));
      die();
    },
    after: () => {
      if (death !== -1) die();
    },
  };
}

if (process.argv[2] !== undefined) await main(JSON.parse(process.argv[2]) as HostArguments);
