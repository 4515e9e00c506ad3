/** `forge pipeline`: which phases tasks go through, what is wrong with them, and what a gate or a verdict says. */
import { openContext } from '../api/context.ts';
import { performOperation } from '../api/operation.ts';
import { askGate, askVerdict, type GateAnswer } from '../api/pipeline-gate.ts';
import { type ShownPipeline, showPipelines } from '../api/pipelines.ts';
import { plainLine } from '../views/terminal-text.ts';
import type { CommandCall } from './commands.ts';
import { printJson, tableLines } from './print.ts';

const hereContext = () => openContext({ cwd: process.cwd() });

export async function runList({ switches }: CommandCall): Promise<number> {
  const pipelines = await performOperation(showPipelines, hereContext(), {});
  if (switches.has('json')) printJson(pipelines);
  else list(pipelines);
  return 0;
}

export async function runShow({ words: [name], switches }: CommandCall): Promise<number> {
  const pipelines = await performOperation(showPipelines, hereContext(), name === undefined ? {} : { name });
  if (switches.has('json')) printJson(pipelines);
  else for (const pipeline of pipelines) show(pipeline);
  return 0;
}

export async function runCheck({ words: [name], switches }: CommandCall): Promise<number> {
  const pipelines = await performOperation(showPipelines, hereContext(), name === undefined ? {} : { name });
  if (switches.has('json')) printJson(pipelines);
  else for (const pipeline of pipelines) check(pipeline);
  return pipelines.some(({ errors }) => errors.length > 0) ? 1 : 0;
}

export async function runGate({ words: [record, phase], values: { commit }, switches }: CommandCall): Promise<number> {
  const asked = { record, phase, ...(commit === undefined ? {} : { commit }) };
  const answer = await performOperation(askGate, hereContext(), asked);
  if (switches.has('json')) printJson(answer);
  else sayGate(answer);
  return answer.before.ok ? 0 : 1;
}

export async function runVerdict({ words: [record, phase], switches }: CommandCall): Promise<number> {
  const answer = await performOperation(askVerdict, hereContext(), { record, phase });
  if (switches.has('json')) printJson(answer);
  else console.log(answer.verdict);
  return answer.verdict === 'approved' ? 0 : 1;
}

function list(pipelines: readonly ShownPipeline[]): void {
  const rows = pipelines.map(({ name, source, phases }) => [
    name,
    source === 'built in' ? 'built in' : 'settings',
    phases.map(({ command }) => command).join(' → '),
  ]);
  for (const line of tableLines(rows, process.stdout.columns ?? 200)) console.log(line);
}

function show({ name, description, phases }: ShownPipeline): void {
  console.log(plainLine(description === '' ? name : `${name}: ${description}`));
  for (const { command, role, persona, tier, maxIterations, on_revision: back, model, gate, outputs } of phases) {
    const rounds = back === undefined ? '' : `, back to ${back}`;
    const who = `${role === command ? '' : `${role}, `}${persona}, ${model ?? tier}`;
    console.log(plainLine(`  ${command} (${who}, at most ${maxIterations} rounds${rounds})`));
    for (const { path, minBytes } of gate?.artifacts ?? [])
      console.log(plainLine(`    needs ${path}${minBytes === 0 ? '' : ` (${minBytes} bytes)`}`));
    for (const rule of gate?.require ?? [])
      console.log(plainLine(`    requires ${rule.field} ${rule.op} ${[rule.value].flat().join(', ')}`));
    for (const rule of gate?.forbid ?? [])
      console.log(plainLine(`    forbids ${rule.field} ${rule.op} ${[rule.value].flat().join(', ')}`));
    for (const { phase, verdict } of gate?.after ?? []) console.log(plainLine(`    after ${phase} = ${verdict}`));
    for (const { path } of outputs?.artifacts ?? []) console.log(plainLine(`    leaves ${path}`));
  }
}

function check({ name, errors, notes }: ShownPipeline): void {
  for (const { where, problem, fix } of errors) console.log(plainLine(`✗ ${name}, ${where}: ${problem} ${fix}`));
  for (const { where, problem, fix } of notes) console.log(plainLine(`! ${name}, ${where}: ${problem} ${fix}`));
  if (errors.length === 0) console.log(plainLine(`✓ ${name}`));
}

function sayGate({ phase, before, after, hasGate }: GateAnswer): void {
  if (!hasGate) console.log(plainLine(`${phase} has no gate, so it may begin.`));
  else if (before.ok) console.log(plainLine(`${phase} may begin.`));
  else {
    for (const line of before.missing) console.log(plainLine(`✗ ${line}`));
    console.log(plainLine(before.remediation));
  }
  if (!after.ok) for (const line of after.missing) console.log(plainLine(`! not left yet: ${line}`));
}
