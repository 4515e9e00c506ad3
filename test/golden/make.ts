/**
 * Writes a golden journal: the facts of a real run, with everything that names a machine replaced, chained anew. Make one
 * when the journal's format changes; never remake an old one: they stand for runs people have.
 *
 *     node .build/test/golden/make.js everything|waves|modules|pipeline <file>    plays the proof of that workflow
 *     node .build/test/golden/make.js demo design|pipeline|milestone <file>       plays the demo of that workflow
 *
 * What agents were asked in words is cut short: no decision reads it, and it would be most of the file.
 */
import { execFileSync } from 'node:child_process';
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import type { Fact } from '../../src/engine/facts.ts';
import { Journal } from '../../src/engine/files/journal.ts';
import { readJournalFile } from '../../src/engine/files/journal-file.ts';
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
const words = process.argv.slice(2);
const isDemo = words[0] === 'demo';
const [workflow = '', file = `${workflow}.jsonl`] = isDemo ? words.slice(1) : words;
const facts = isDemo ? playDemo(workflow) : await playProof(workflow as HostArguments['workflow']);
rmSync(file, { force: true });
let at = '';
const journal = Journal.create({ file, clock: { now: () => new Date(at), id: () => '' } });
// What came after the end, such as a landing, is no part of the workflow.
for (const fact of facts.slice(0, facts.findIndex(({ type }) => type === 'run.ended') + 1)) {
  at = fact.at;
  journal.append(fact.type, fact.key, anonymous(fact) as never);
}
journal.close();
console.log(`${file}: ${readFileSync(file, 'utf8').split('\n').length - 1} facts`);

/** Killed once on the way, so that what a crash leaves in a journal is part of it. */
async function playProof(name: HostArguments['workflow']): Promise<readonly Fact[]> {
  const subject = { workflow: name, make: scenarios[name], look: () => ({}) };
  return (await runToEnd(subject, { places: [{ at: 'after', seq: 40 }] })).facts;
}

/** The longest of its runs: a demo may go on with a second one. */
function playDemo(name: string): readonly Fact[] {
  const home = mkdtempSync(join(tmpdir(), 'forge-demo-'));
  try {
    const binary = resolve(import.meta.dirname, '../../../dist/cli/main.js');
    const env = { PATH: process.env['PATH'], HOME: home, TMPDIR: home };
    execFileSync(process.execPath, [binary, 'demo', name], { cwd: home, env, stdio: 'inherit' });
    const journals = readdirSync(join(home, '.local/state'), { recursive: true, encoding: 'utf8' })
      .filter((path) => path.endsWith('/journal.jsonl'))
      .map((path) => readJournalFile(join(home, '.local/state', path)).facts);
    // What is large lies beside the journal, and is read before that is removed.
    return structuredClone(journals.toSorted((a, b) => b.length - a.length)[0] ?? []);
  } finally {
    rmSync(home, { recursive: true, force: true });
  }
}

function anonymous({ type, data }: Fact): unknown {
  const text = JSON.stringify(data)
    .replaceAll(/"host":"[^"]*"/g, '"host":"host"')
    .replaceAll(/"bootId":"[^"]*"/g, '"bootId":"boot"')
    .replaceAll(/\/[^"\s]*?\/forge-(?:crash|demo)-[A-Za-z0-9]+/g, '/area')
    .replaceAll(/\/[^"\s]*?\/(?=forge\/workspaces\/)/g, '/area/');
  const plain = JSON.parse(text) as Record<string, unknown>;
  if (type !== 'effect.started') return plain;
  const { prompt, ...input } = Object(plain['input']) as Record<string, unknown>;
  if (typeof prompt !== 'string') return plain;
  return { ...plain, input: { ...input, prompt: prompt.slice(0, 200), resultSchema: {} } };
}
