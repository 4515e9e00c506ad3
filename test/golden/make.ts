/**
 * Writes a golden journal: `node .build/test/golden/make.js everything|waves|modules <file>`. The facts of a real run, with everything
 * that names a machine replaced, chained anew. Make one when the journal's format changes; never remake an old
 * one: they stand for runs people have.
 */
import { readFileSync, rmSync } from 'node:fs';
import type { Fact } from '../../src/engine/facts.ts';
import { Journal } from '../../src/engine/files/journal.ts';
import { runToEnd } from '../crash/kill.ts';
import { makeDesignScenario } from '../proof/design-scenario.ts';
import type { HostArguments } from '../proof/host.ts';
import { makeMilestoneScenario } from '../proof/milestone-scenario.ts';
import { makeModulesScenario } from '../proof/modules-scenario.ts';
import { makePipelineScenario } from '../proof/pipeline-scenario.ts';
import { makeScenario } from '../proof/scenario.ts';
import { makeWavesScenario } from '../proof/waves-scenario.ts';

const scenarios = {
  everything: makeScenario,
  waves: makeWavesScenario,
  modules: makeModulesScenario,
  design: makeDesignScenario,
  pipeline: makePipelineScenario,
  milestone: makeMilestoneScenario,
};
const workflow = process.argv[2] as HostArguments['workflow'];
const file = process.argv[3] ?? `${workflow}.jsonl`;
const subject = { workflow, make: scenarios[workflow], look: () => ({}) };
// Killed once on the way, so that what a crash leaves in a journal is part of it.
const { facts } = await runToEnd(subject, { places: [{ at: 'after', seq: 40 }] });
rmSync(file, { force: true });
let at = '';
const journal = Journal.create({ file, clock: { now: () => new Date(at), id: () => '' } });
for (const fact of facts) {
  at = fact.at;
  journal.append(fact.type, fact.key, anonymous(fact) as never);
}
journal.close();
console.log(`${file}: ${readFileSync(file, 'utf8').split('\n').length - 1} facts`);

function anonymous({ data }: Fact): unknown {
  const text = JSON.stringify(data)
    .replaceAll(/"host":"[^"]*"/g, '"host":"host"')
    .replaceAll(/"bootId":"[^"]*"/g, '"bootId":"boot"')
    .replaceAll(/\/[^"\s]*?\/forge-crash-[A-Za-z0-9]+/g, '/area');
  return JSON.parse(text);
}
