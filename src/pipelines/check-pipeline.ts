/**
 * What is wrong with a pipeline before anybody runs it: phases that cannot be told apart, revisions that go nowhere,
 * gates that cannot be read, that ask for a phase which does not come before, or for a state that does not exist. Pure.
 */
import type { Issue } from '../plan/refusal.ts';
import type { PipelinePhase } from '../policy/pipeline-settings.ts';
import { isFiledEntity } from '../records/entity.ts';
import { didYouMean } from '../records/suggest-words.ts';
import { statesOf } from '../records/transitions.ts';
import type { FieldRule, GateTable, OutputTable } from './gate.ts';
import { parseGates, parseOutputs } from './parse-gates.ts';
import { knownPhaseRoles } from './phase-roles.ts';

export interface PipelineCheck {
  readonly errors: readonly Issue[];
  readonly notes: readonly Issue[];
}

export interface CheckedGates {
  readonly gates: GateTable;
  readonly outputs: OutputTable;
}

/** `roles`: role files that exist, for phases of the project's own. */
export function checkPipeline(
  phases: readonly PipelinePhase[],
  markdown: string,
  roles: readonly string[],
): PipelineCheck & CheckedGates {
  const gates = parseGates(markdown);
  const outputs = parseOutputs(markdown);
  const mistakes = [...(gates.ok ? [] : gates.mistakes), ...(outputs.ok ? [] : outputs.mistakes)];
  const table = gates.ok ? gates.table : {};
  const ends = outputs.ok ? outputs.table : {};
  return {
    gates: table,
    outputs: ends,
    errors: [
      ...phases.flatMap((phase, at) => phaseErrors(phase, at, phases, roles)),
      ...mistakes.map(({ line, problem, fix }) => ({ where: `gates, line ${line}`, problem, fix })),
      ...Object.entries(table).flatMap(([role, { after }]) => orderErrors(role, after, phases)),
    ],
    notes: [
      ...[...new Set([...Object.keys(table), ...Object.keys(ends)])].flatMap((role) => unusedNotes(role, phases)),
      ...Object.entries(table).flatMap(([role, { require, forbid }]) =>
        [...require, ...forbid].flatMap((rule) => stateNotes(role, rule)),
      ),
    ],
  };
}

function phaseErrors(
  { command, role, on_revision: target }: PipelinePhase,
  at: number,
  phases: readonly PipelinePhase[],
  roles: readonly string[],
): readonly Issue[] {
  const where = `phases[${at}]`;
  const earlier = phases.slice(0, at).map((phase) => phase.command);
  const known = [...knownPhaseRoles, ...roles];
  const errors: Issue[] = [];
  if (earlier.includes(command))
    errors.push({
      where: `${where}.command`,
      problem: `There is another phase ${command}.`,
      fix: 'Give it another name.',
    });
  if (target !== undefined && !earlier.includes(target)) {
    const fix = [didYouMean(target, earlier), 'Name a phase that comes before this one.'].filter(Boolean).join(' ');
    errors.push({
      where: `${where}.on_revision`,
      problem: `No earlier phase is called ${JSON.stringify(target)}.`,
      fix,
    });
  }
  if (!known.includes(role)) {
    const fix = [didYouMean(role, known), `Or write the role: .forge/roles/${role}.md.`].filter(Boolean).join(' ');
    errors.push({ where: `${where}.role`, problem: `There is no role ${JSON.stringify(role)}.`, fix });
  }
  return errors;
}

/** A gate that waits for a phase which comes later, or never, cannot open. */
function orderErrors(
  role: string,
  after: readonly { readonly phase: string }[],
  phases: readonly PipelinePhase[],
): readonly Issue[] {
  const at = phases.findIndex((phase) => phase.role === role);
  if (at === -1) return [];
  const earlier = phases.slice(0, at).map((phase) => phase.role);
  return after
    .filter(({ phase }) => !earlier.includes(phase))
    .map(({ phase }) => ({
      where: `gates of ${role}`,
      problem: `It waits for ${phase}, which does not come before it.`,
      fix: [didYouMean(phase, earlier), 'Remove the line, or move the phase.'].filter(Boolean).join(' '),
    }));
}

function unusedNotes(role: string, phases: readonly PipelinePhase[]): readonly Issue[] {
  const roles = phases.map((phase) => phase.role);
  if (roles.includes(role)) return [];
  const fix = didYouMean(role, roles) || 'Remove the block, or add the phase.';
  return [{ where: `gates of ${role}`, problem: 'The pipeline has no such phase.', fix }];
}

function stateNotes(role: string, { field, value }: FieldRule): readonly Issue[] {
  const [entity = '', name, ...more] = field.split('.');
  if (name !== 'status' || more.length > 0 || !isFiledEntity(entity)) return [];
  const states = statesOf(entity);
  return [value]
    .flat()
    .filter((state) => !states.includes(state))
    .map((state) => ({
      where: `gates of ${role}`,
      problem: `A ${entity} is never in the state ${JSON.stringify(state)}.`,
      fix: didYouMean(state, states) || `Its states: ${states.join(', ')}.`,
    }));
}
