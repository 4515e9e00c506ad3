/** What the engine itself ran and measured, command by command: one piece of work after the other, newest last. */
import type { Chronicle } from '../chronicle.ts';
import { contractsAt } from '../validation.ts';
import { outputOf } from '../view-node.ts';
import { ownerName } from './report-spans.ts';

export interface ReportCheck {
  readonly key: string;
  readonly owner: string;
  /** On the work itself, or on the tree it was merged into. */
  readonly on: 'base' | 'work' | 'merged';
  readonly name: string;
  readonly status: string;
  readonly reason: string;
  readonly durationMs: number;
}

export function reportChecks(chronicle: Chronicle): ReportCheck[] {
  const all = [...chronicle.state.effects].flatMap(([key, { kind }]) => {
    if (kind === 'check.run') return commandsOf(chronicle, key);
    if (kind === 'contracts.check') return contractsOf(chronicle, key);
    return kind === 'evidence.measure' ? evidenceOf(chronicle, key) : [];
  });
  const owners = [...new Set(all.map((check) => check.owner))];
  return owners.flatMap((owner) => all.filter((check) => check.owner === owner));
}

function placed(key: string): Pick<ReportCheck, 'key' | 'owner' | 'on'> {
  const on = /^baseline(?:$|\/)/.test(key) ? 'base' : /\/integrate#\d+\/|^final\/check$/.test(key) ? 'merged' : 'work';
  return { key, owner: ownerName(key), on };
}

function commandsOf(chronicle: Chronicle, key: string): ReportCheck[] {
  const report = outputOf(chronicle, key, 'check.run');
  if (report === undefined) return [];
  if (report.commands.length === 0)
    return [
      { ...placed(key), name: 'checks', status: report.status, reason: 'there is nothing to run', durationMs: 0 },
    ];
  return report.commands.map(({ label, status, reason, durationMs }) => ({
    ...placed(key),
    name: label,
    status,
    reason,
    durationMs,
  }));
}

/** One row for all of a commit's files and contracts; what failed is named. */
function contractsOf(chronicle: Chronicle, key: string): ReportCheck[] {
  const results = contractsAt(chronicle, key);
  if (results.length === 0) return [];
  const failed = results.filter(({ passed }) => !passed);
  const reason =
    failed.length === 0
      ? `${results.length} of ${results.length} passed`
      : failed.map(({ file, message }) => `${file}: ${message}`).join('; ');
  const status = failed.length === 0 ? 'passed' : 'failed';
  return [{ ...placed(key), name: 'files, syntax and contracts', status, reason, durationMs: 0 }];
}

function evidenceOf(chronicle: Chronicle, key: string): ReportCheck[] {
  const measured = outputOf(chronicle, key, 'evidence.measure');
  return (measured?.redGreen ?? []).map(({ files, result, reason }) => ({
    ...placed(key),
    name: `without the change: ${files.join(', ')}`,
    status: result,
    reason,
    durationMs: 0,
  }));
}
