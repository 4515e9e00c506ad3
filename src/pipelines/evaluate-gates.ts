/**
 * Whether a phase may begin, and whether it left what it should. Pure functions over the record and a reader of files
 * that answers from a commit: nobody's checkout counts. Everything that is missing is reported at once, with one reason
 * code, one detail and what to do. A phase without a gate passes; a gate that cannot be evaluated never does.
 */
import { fieldValue } from '../records/record-filter.ts';
import type { ArtifactRule, FieldRule, GateTable, OutputTable } from './gate.ts';
import { readVerdict } from './read-verdict.ts';

/** The size of a file in the commit; undefined where there is none, or a directory. */
export type ArtifactReader = (path: string) => number | undefined;

export interface GateSubject {
  /** The record and what else fields may name: `task.status`, `bug.severity`, `summaries.plan.verdict`. */
  readonly state: Readonly<Record<string, unknown>>;
  /** What `{names}` in paths stand for. */
  readonly names: Readonly<Record<string, string>>;
  readonly artifact: ArtifactReader;
}

export const gateReasons = [
  'artifact-missing',
  'predecessor-verdict-missing',
  'illegal-status',
  'output-missing',
  'output-stub',
  'require-failed',
  'unknown-phase',
] as const;
export type GateReason = (typeof gateReasons)[number];

export type GateResult =
  | { readonly ok: true }
  | {
      readonly ok: false;
      readonly phase: string;
      readonly reasonCode: GateReason;
      readonly detail: string;
      readonly remediation: string;
      readonly missing: readonly string[];
    };

interface Miss {
  readonly reason: GateReason;
  readonly text: string;
}

export function checkPreflight(gates: GateTable, phase: string, subject: GateSubject): GateResult {
  const gate = Object.hasOwn(gates, phase) ? gates[phase] : undefined;
  if (gate === undefined) {
    const text = `No gate is defined for the phase ${JSON.stringify(phase)}`;
    return failed(phase, [{ reason: 'unknown-phase', text }]);
  }
  const { state } = subject;
  return failed(phase, [
    ...gate.artifacts.flatMap((rule) =>
      missingArtifact(rule, subject, { absent: 'artifact-missing', small: 'artifact-missing' }),
    ),
    ...gate.require
      .filter((rule) => !holds(rule, state))
      .map((rule) => ({
        reason: 'illegal-status' as const,
        text: `It is required that ${ruleText(rule)}, but it is ${shown(rule, state)}`,
      })),
    ...gate.forbid
      .filter((rule) => holds(rule, state))
      .map((rule) => ({ reason: 'illegal-status' as const, text: `It is forbidden that ${ruleText(rule)}` })),
    ...gate.after.flatMap((rule) => missingVerdict(rule, state)),
  ]);
}

export function checkPostflight(outputs: OutputTable, phase: string, subject: GateSubject): GateResult {
  const rules = Object.hasOwn(outputs, phase) ? outputs[phase] : undefined;
  if (rules === undefined) return { ok: true };
  return failed(phase, [
    ...rules.artifacts.flatMap((rule) =>
      missingArtifact(rule, subject, { absent: 'output-missing', small: 'output-stub' }),
    ),
    ...rules.require
      .filter((rule) => !holds(rule, subject.state))
      .map((rule) => ({
        reason: 'require-failed' as const,
        text: `It is required that ${ruleText(rule)}, but it is ${shown(rule, subject.state)}`,
      })),
  ]);
}

const remedies: Readonly<Record<GateReason, string>> = {
  'artifact-missing': 'Run the phase that writes this file, then resume.',
  'predecessor-verdict-missing': 'Let the earlier phase end with a verdict in its summary, then resume.',
  'illegal-status': 'Bring the record to a state this phase accepts, then resume.',
  'output-missing': 'Run the phase again: it did not write this file.',
  'output-stub': 'Run the phase again: the file is there but too short to be complete.',
  'require-failed': 'Correct the record so that the condition holds, then resume.',
  'unknown-phase': 'Add a gates block for this phase, or name one that exists: forge pipeline check.',
};

function failed(phase: string, misses: readonly Miss[]): GateResult {
  const [first] = misses;
  if (first === undefined) return { ok: true };
  const missing = misses.map(({ text }) => text);
  const remediation = remedies[first.reason];
  return { ok: false, phase, reasonCode: first.reason, detail: missing.join('; '), remediation, missing };
}

function missingArtifact(
  { path, minBytes }: ArtifactRule,
  { names, artifact }: GateSubject,
  reasons: { readonly absent: GateReason; readonly small: GateReason },
): readonly Miss[] {
  const filled = fillNames(path, names);
  const open = /\{\w+\}/.exec(filled)?.[0];
  if (open !== undefined) return [{ reason: reasons.absent, text: `Nothing is known for ${open} in ${filled}` }];
  const size = artifact(filled);
  if (size === undefined) return [{ reason: reasons.absent, text: `There is no file ${filled}` }];
  if (size >= minBytes) return [];
  return [{ reason: reasons.small, text: `${filled} has ${size} bytes and needs at least ${minBytes}` }];
}

function missingVerdict(
  rule: { readonly phase: string; readonly verdict: string },
  state: GateSubject['state'],
): readonly Miss[] {
  const { verdict, source, key } = readVerdict(state['bug'] ?? state['task'] ?? null, rule.phase);
  if (verdict === rule.verdict) return [];
  const reason = 'predecessor-verdict-missing';
  if (verdict === null) {
    const where = key === null ? source : `summaries.${key}`;
    return [{ reason, text: `The phase ${rule.phase} left no verdict (looked in ${where})` }];
  }
  return [{ reason, text: `The phase ${rule.phase} says ${verdict}, and ${rule.verdict} is needed` }];
}

/** `{task}` by what it stands for; a name nobody knows stays as it is. */
export function fillNames(path: string, names: Readonly<Record<string, string>>): string {
  return path.replace(/\{(\w+)\}/g, (whole, name: string) =>
    Object.hasOwn(names, name) ? (names[name] ?? whole) : whole,
  );
}

function holds(rule: FieldRule, state: GateSubject['state']): boolean {
  const text = String(valueOf(rule.field, state));
  if (rule.op === 'in') return rule.value.includes(text);
  return (text === rule.value) === (rule.op === '==');
}

/** A field of the record may be named without saying which kind it is. */
function valueOf(field: string, state: GateSubject['state']): unknown {
  const direct = fieldValue(state, field);
  return direct === undefined ? fieldValue(state['bug'] ?? state['task'], field) : direct;
}

function ruleText(rule: FieldRule): string {
  return rule.op === 'in' ? `${rule.field} in [${rule.value.join(', ')}]` : `${rule.field} ${rule.op} ${rule.value}`;
}

function shown(rule: FieldRule, state: GateSubject['state']): string {
  const value = valueOf(rule.field, state);
  return value === undefined ? 'not set' : JSON.stringify(value);
}
