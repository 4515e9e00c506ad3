/**
 * Before the first phase of a run: the records that were asked for, each with its pipeline and gates, in an order that
 * can work. Everything that cannot work is reported at once, before anything starts.
 */
import type { Bench } from '../../engine/bench.ts';
import { type Task, taskSchema } from '../../plan/plan.ts';
import { architecturePack, isCurrentPack } from '../../pipelines/packs.ts';
import { builtinGates } from '../../pipelines/builtin-pipelines.ts';
import { checkPipeline } from '../../pipelines/check-pipeline.ts';
import { phaseRole } from '../../pipelines/phase-roles.ts';
import type { RecordKind } from '../../pipelines/record-states.ts';
import { type ResolvedPipeline, resolvePipeline } from '../../pipelines/resolve-pipeline.ts';
import { type ExecutionMode, executionModes, type OrderedRecord, orderRecords } from '../../pipelines/sprint-order.ts';
import type { Checks } from '../moves/verify.ts';
import { placeIn, type ReadRecords, type RecordPipeline, recordsOf, type RunContext } from './context.ts';
import { type PipelineInput, readIds } from './pipeline-input.ts';

export type ReadyRecords =
  | {
      readonly status: 'ready';
      readonly records: readonly OrderedRecord[];
      readonly tasks: readonly Task[];
      readonly mode: ExecutionMode;
      readonly context: Omit<RunContext, 'checks'>;
      readonly read: ReadRecords;
      /** What people should know before anything begins. */
      readonly notes: readonly string[];
    }
  | { readonly status: 'stopped'; readonly reason: string };

export async function readyRecords(bench: Bench, input: PipelineInput): Promise<ReadyRecords> {
  const wanted = readIds(input.requirement);
  const read = await bench.perform('records.read', 'records', { ids: [...wanted] });
  const faults = [
    ...read.missing.map(
      (id) =>
        `There is no record ${id}.${read.near.length > 0 ? ` Did you mean ${read.near.join(', ')}?` : ' See forge store list task, bug or sprint.'}`,
    ),
    ...read.found.flatMap(({ id, faults: own }) =>
      own.map(({ where, problem, fix }) => `${id}, ${where}: ${problem} ${fix}`),
    ),
    ...wanted
      .filter((id) => !/^[A-Za-z0-9]/.test(id))
      .map((id) => `${id} cannot name a workspace: begin it with a letter or a digit.`),
  ];
  if (faults.length > 0) return stopped('the records cannot be used', faults);
  const parts = { sprints: recordsOf(read, 'sprint'), tasks: recordsOf(read, 'task'), bugs: recordsOf(read, 'bug') };
  const order = orderRecords({ ...parts, wanted });
  if (order.status === 'impossible') return stopped('the tasks cannot be ordered', order.reasons);
  const { records } = order;
  if (records.length === 0) return stopped('there is nothing to do', ['No task or bug belongs to what was asked for.']);
  const pipelines = await readPipelines(bench, { input, records, roles: read.roles });
  const unknown = unknownMode(input) ?? unknownUntil(input, pipelines);
  if (unknown !== undefined) return stopped(unknown, []);
  const architecture = await readArchitecture(bench, placeIn(read)(read.engineering));
  return {
    status: 'ready',
    notes: [...(architecture.note === undefined ? [] : [architecture.note]), ...idleHooks(read)],
    records,
    read,
    tasks: records.map(asTask),
    mode: modeOf(input, parts.sprints, wanted),
    context: {
      input,
      engineering: read.engineering,
      inRepository: placeIn(read),
      architecture: architecture.text,
      ownRoles: await readRoles(bench, pipelines, read.roles),
      sprints: parts.sprints,
      tasks: parts.tasks,
      features: recordsOf(read, 'feature'),
      pipelines,
      run: bench.run.id,
      hooks: read.hooks?.required ?? [],
    },
  };
}

export function withChecks(context: Omit<RunContext, 'checks'>, checks: Checks): RunContext {
  return { ...context, checks };
}

function stopped(reason: string, lines: readonly string[]): ReadyRecords {
  return { status: 'stopped', reason: lines.length === 0 ? reason : `${reason}: ${lines.join(' ')}` };
}

/** Gates come from the commit the run began at: what judges work never comes from that work. */
async function readPipelines(
  bench: Bench,
  about: {
    readonly input: PipelineInput;
    readonly records: readonly OrderedRecord[];
    readonly roles: readonly string[];
  },
): Promise<ReadonlyMap<string, RecordPipeline>> {
  const { input, records, roles } = about;
  const resolved = records.map(({ id, kind, record }) => {
    const key = record['pipeline'];
    return {
      id,
      kind,
      pipeline: resolvePipeline(input.pipelines, { kind, ...(typeof key === 'string' ? { key } : {}) }),
    };
  });
  const files = [...new Set(resolved.flatMap(({ pipeline: { gates } }) => (isPath(gates) ? [gates] : [])))];
  const texts =
    files.length === 0
      ? []
      : (await bench.perform('sources.read', 'gates', { commit: bench.run.base, paths: files, chars: 200_000 })).files;
  return new Map(
    resolved.map(({ id, kind, pipeline }) => {
      const { name, phases, note } = pipeline;
      return [id, { kind, name, phases, note, checked: checkedPipeline({ kind, pipeline, texts, roles }) }];
    }),
  );
}

function isPath(gates: string | undefined): gates is string {
  return gates !== undefined && !gates.includes('\n');
}

function checkedPipeline(about: {
  readonly kind: RecordKind;
  readonly pipeline: ResolvedPipeline;
  readonly texts: readonly { readonly path: string; readonly text: string }[];
  readonly roles: readonly string[];
}): RecordPipeline['checked'] {
  const { kind, pipeline, texts, roles } = about;
  const { gates, phases } = pipeline;
  const text = isPath(gates) ? texts.find(({ path }) => path === gates)?.text : (gates ?? builtinGates(kind, phases));
  const checked = checkPipeline(phases, text ?? '', roles);
  if (text !== undefined) return checked;
  const missing = {
    where: 'gates',
    problem: `There is no file ${gates} in the commit.`,
    fix: 'Commit it, or change the settings.',
  };
  return { ...checked, errors: [...checked.errors, missing] };
}

/** Git hooks of the repository are run only where the settings say so. */
function idleHooks({ hooks }: ReadRecords): readonly string[] {
  const idle = hooks?.idle ?? [];
  if (idle.length === 0) return [];
  const names = idle.join(', ');
  return [
    `Forge does not run the git hook${idle.length === 1 ? '' : 's'} ${names} of this repository. Set checks.hooks: [${names}] to run ${idle.length === 1 ? 'it' : 'them'} before a merge.`,
  ];
}

function unknownMode({ options: { mode } }: PipelineInput): string | undefined {
  if (mode === undefined || executionModes.some((one) => one === mode)) return undefined;
  return `there is no mode ${mode}: ${executionModes.join(', ')}`;
}

function unknownUntil({ options: { until } }: PipelineInput, pipelines: ReadonlyMap<string, RecordPipeline>) {
  if (until === undefined) return undefined;
  const commands = [...new Set([...pipelines.values()].flatMap(({ phases }) => phases.map(({ command }) => command)))];
  return commands.includes(until) ? undefined : `there is no phase ${until}: ${commands.join(', ')}`;
}

const architectureChars = 400_000;

/** The pack, if it was made from the documents as they are in the commit; else the documents themselves. */
async function readArchitecture(
  bench: Bench,
  engineering: string,
): Promise<{ readonly text: string; readonly note?: string }> {
  const paths = [architecturePack, `${engineering}/architecture/*.md`];
  const { files, omitted } = await bench.perform('sources.read', 'architecture', {
    commit: bench.run.base,
    paths,
    chars: architectureChars,
  });
  const pack = files.find(({ path }) => path === architecturePack);
  const documents = files.filter((file) => file !== pack);
  const text = documents.map(({ path, text: whole }) => `### ${path}\n${whole.trim()}`).join('\n\n');
  if (pack === undefined) return { text };
  // What is too large to be read whole is what a pack is for.
  const isWhole = omitted.length === 0 && documents.every(({ cut }) => !cut);
  if (!isWhole || isCurrentPack(pack.text, documents)) return { text: pack.text };
  return { text, note: 'the architecture pack is older than its documents, which are used instead: forge rebuild' };
}

async function readRoles(bench: Bench, pipelines: ReadonlyMap<string, RecordPipeline>, brought: readonly string[]) {
  const used = [...pipelines.values()].flatMap(({ phases }) =>
    phases.flatMap(({ role }) => [role, phaseRole(role).persona]),
  );
  const roles = [...new Set([...used, 'halt-advisor', 'librarian'])].filter((role) => brought.includes(role));
  if (roles.length === 0) return {};
  return (await bench.perform('roles.read', 'roles', { roles })).roles;
}

function modeOf(
  { options }: PipelineInput,
  sprints: readonly Readonly<Record<string, unknown>>[],
  wanted: readonly string[],
): ExecutionMode {
  const own = sprints.find((sprint) => wanted.includes(String(sprint['sprintId'])))?.['executionMode'];
  const mode = options.mode ?? own;
  return executionModes.find((one) => one === mode) ?? 'wave-parallel';
}

const complexities = { S: 'S', M: 'M', L: 'L', XL: 'L' } as const;

function asTask({ id, kind, record, depends }: OrderedRecord): Task {
  const { title, description, estimate } = record;
  return taskSchema.parse({
    id,
    title: String(title),
    objective: typeof description === 'string' ? description : '',
    kind: kind === 'bug' ? 'fix' : 'feature',
    depends: [...depends],
    writes: ['**'],
    complexity: complexities[String(estimate) as keyof typeof complexities] ?? 'M',
  });
}
