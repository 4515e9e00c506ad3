/** The deliveries that a commit holds: plan directories with their plans and with what was proven. Untrusted; only read. */
import { compareIds } from '../plan/task-id.ts';
import { readTraceability, type TraceabilityFile } from '../delivery/read-traceability.ts';
import { fileOfCommit, filesOfCommit } from '../git/blame.ts';
import { readCommitDocuments } from '../git/commit-documents.ts';
import { plannedModule } from '../delivery/check-plan-readme.ts';
import type { ModulePlan } from '../delivery/module-plan.ts';
import { readModulePlan } from '../delivery/read-module-plan.ts';

export interface Delivery {
  readonly dir: string;
  readonly trace: TraceabilityFile;
  readonly plans: ReadonlyMap<string, ModulePlan>;
  /** Paths of plans by module. */
  readonly files: ReadonlyMap<string, string>;
  readonly names: ReadonlyMap<string, string>;
}

const traceFile = 'reports/traceability.json';
const mostDeliveries = 50;
const mostBytes = 8 * 1024 * 1024;

/** Newest names first, so that a later delivery of the same design comes before an older one. */
export async function findDeliveries(root: string, commit: string): Promise<readonly Delivery[]> {
  const paths = await filesOfCommit(root, commit);
  const readmes = paths.filter((path) => path.endsWith('/plans/conventions.md'));
  const dirs = readmes
    .map((path) => path.slice(0, -'/plans/conventions.md'.length))
    .toSorted(compareIds)
    .toReversed();
  if (dirs.length === 0) return [];
  const documents = await readCommitDocuments(root, commit);
  const found: Delivery[] = [];
  for (const dir of dirs.slice(0, mostDeliveries)) {
    const json = paths.includes(`${dir}/${traceFile}`)
      ? await fileOfCommit(root, { commit, path: `${dir}/${traceFile}`, most: mostBytes })
      : undefined;
    const trace = json === undefined ? undefined : readTraceability(json);
    found.push({ dir, trace: trace ?? { criteria: [], tests: [], modules: [] }, ...readPlans(documents, dir) });
  }
  return found;
}

function readPlans(
  documents: Awaited<ReturnType<typeof readCommitDocuments>>,
  dir: string,
): Pick<Delivery, 'plans' | 'files' | 'names'> {
  const listed = documents.list(`${dir}/plans`);
  const plans = new Map<string, ModulePlan>();
  const files = new Map<string, string>();
  const names = new Map<string, string>();
  for (const { name } of listed.status === 'read' ? listed.entries : []) {
    const module = plannedModule(name);
    const file = documents.read(`${dir}/plans/${name}`);
    if (module === undefined || file.status !== 'read') continue;
    const text = file.bytes.toString('utf8');
    const reading = readModulePlan(text);
    files.set(module, `${dir}/plans/${name}`);
    names.set(module, /^# Plan: M-\d{3,}\s*[:–—-]?\s*(.*)$/m.exec(text)?.[1]?.trim() ?? '');
    if (reading.status === 'read') plans.set(module, reading.plan);
  }
  return { plans, files, names };
}
