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
  for (const phase of phases) {
    console.log(`\n  ${plainLine(phaseLine(phase))}`);
    for (const line of ruleLines(phase)) console.log(`    ${plainLine(line)}`);
  }
}

type ShownPhase = ShownPipeline['phases'][number];

function phaseLine(phase: ShownPhase): string {
  const { command, role, persona, tier, judges, model, maxIterations, on_revision: back } = phase;
  const who = [...(role === command ? [] : [role]), persona, model ?? tier];
  const rounds = judges ? [`at most ${maxIterations} rounds`] : [];
  return `${command} (${[...who, ...rounds, ...(back === undefined ? [] : [`back to ${back}`])].join(', ')})`;
}

function ruleLines({ gate, outputs }: ShownPhase): readonly string[] {
  const rule = ({ field, op, value }: { field: string; op: string; value: string | readonly string[] }): string =>
    `${field} ${op} ${Array.isArray(value) ? `[${value.join(', ')}]` : String(value)}`;
  return [
    ...(gate?.artifacts ?? []).map(
      ({ path, minBytes }) => `needs ${path}${minBytes === 0 ? '' : ` (${minBytes} bytes)`}`,
    ),
    ...(gate?.after ?? []).map(({ phase, verdict }) => `after ${phase} = ${verdict}`),
    ...(gate?.require ?? []).map((one) => `requires ${rule(one)}`),
    ...(gate?.forbid ?? []).map((one) => `forbids ${rule(one)}`),
    ...(outputs?.artifacts ?? []).map(({ path }) => `leaves ${path}`),
    ...(outputs?.require ?? []).map((one) => `leaves ${rule(one)}`),
  ];
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
