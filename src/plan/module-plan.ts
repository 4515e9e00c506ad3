/**
 * A plan in the dialect of modules (`dependsOn`, `files`, `acceptance_criteria`, …), said to be valid or not with
 * everything that is wrong at once. It ends in the same rules as every plan (validate-plan.ts): ids, paths and commands
 * that could not be run are errors here too. A plan in Forge's own dialect (`tasks`) is judged as it is. The input is
 * untrusted: any value is answered with a value.
 */
import { z } from 'zod';
import { resolveVerify } from './command-line.ts';
import { concurrentOverlaps } from './concurrent-overlap.ts';
import { findCycles } from './cycles.ts';
import { explainSchema } from './explain-schema.ts';
import { HeldPatterns } from './overlap.ts';
import { compilePatterns } from './path-pattern.ts';
import { behaviourChangeSchema, type Task, taskSchema, verifyEntrySchema } from './plan.ts';
import { clipText, quoteUntrusted } from './refusal.ts';
import { validatePlan } from './validate-plan.ts';

export interface PlanFault {
  readonly type: 'schema' | 'cycle' | 'missing_command';
  readonly message: string;
}

export interface PlanWarning {
  readonly type: 'file_overlap' | 'incomplete';
  readonly modules: readonly string[];
  readonly files: readonly string[];
  readonly message: string;
}

export interface ModulePlanReport {
  readonly valid: boolean;
  readonly errors: readonly PlanFault[];
  readonly warnings: readonly PlanWarning[];
  /** Programs that its commands start and that have to be installed, with the first module that needs each. */
  readonly programs: readonly { readonly program: string; readonly module: string }[];
}

export function validateModulePlan(input: unknown): ModulePlanReport {
  if (!isRecord(input)) return invalid([schemaFault('A plan is an object with modules.')]);
  if (input['modules'] === undefined && input['tasks'] !== undefined) return ownDialect(input);
  const { modules } = input;
  if (!Array.isArray(modules) || modules.length === 0) return invalid([schemaFault('The plan has no modules.')]);
  if (modules.length > mostModules)
    return invalid([schemaFault(`More than ${mostModules} modules are too many for one plan.`)]);
  const errors = modules.flatMap((module: unknown) => moduleFaults(module));
  const links = modules.map(linksOf);
  errors.push(...dependencyFaults(links));
  const parsed = modules.map((module: unknown) => moduleSchema.safeParse(module));
  const tasks = parsed.flatMap((one) => (one.success ? [taskOf(one.data)] : []));
  if (tasks.length === modules.length && errors.length === 0) errors.push(...planFaults(tasks));
  return errors.length > 0 ? invalid(errors) : judged(tasks);
}

const mostModules = 1000;
const sizes = { simple: 'S', medium: 'M', complex: 'L', S: 'S', M: 'M', L: 'L' } as const;
const text = z.string().trim().min(1);

const moduleSchema = z.object({
  id: z.string(),
  title: z.string(),
  objective: z.string(),
  dependsOn: z.array(z.string()).default([]),
  agent: z.string().optional(),
  files: z.array(z.string()),
  verify: z.array(verifyEntrySchema),
  doneWhen: z.string(),
  complexity: z.enum(['simple', 'medium', 'complex', 'S', 'M', 'L']).default('medium'),
  acceptance_criteria: z
    .array(z.object({ check: text, expected: z.string().default(''), blocking: z.boolean().default(true) }))
    .optional(),
  disallowed_changes: z.array(z.string()).optional(),
  behaviour_changes: z.array(behaviourChangeSchema).optional(),
  cost_budget: z
    .object({
      max_tokens: z.number().int().positive().optional(),
      max_retries: z.number().int().positive().optional(),
    })
    .optional(),
  success_evidence: text.optional(),
  expected_trajectory: z.array(z.string()).optional(),
  expected_minutes: z.number().positive().max(10_000).optional(),
});

const required = ['id', 'title', 'objective', 'files', 'verify', 'doneWhen'] as const;

/** What is missing is named in one sentence; what is there and malformed, one by one. */
function moduleFaults(module: unknown): PlanFault[] {
  if (!isRecord(module)) return [schemaFault('A module is an object.')];
  const name = nameOf(module);
  const missing = required.filter((field) => isEmpty(module[field]));
  const labels = missing.map((field) => (field === 'verify' ? 'verify (at least one)' : field));
  const faults = labels.length === 0 ? [] : [schemaFault(`Module ${name}: missing fields: ${labels.join(', ')}`)];
  const { error } = moduleSchema.safeParse(module);
  const malformed = (error?.issues ?? []).filter(
    ({ path }) => !missing.some((field) => path[0] === field && path.length === 1),
  );
  const said = explainSchema(malformed, module).map(({ where, problem, fix }) =>
    schemaFault(`Module ${name}: ${where}: ${problem} ${fix}`),
  );
  return [...faults, ...said];
}

interface Links {
  readonly id: string;
  readonly depends: readonly string[];
}

/** Of whatever it is, so that a plan with other faults hears of these too. */
function linksOf(module: unknown): Links {
  const { id, dependsOn } = isRecord(module) ? module : {};
  const depends = Array.isArray(dependsOn) ? dependsOn.filter((one) => typeof one === 'string') : [];
  return { id: typeof id === 'string' ? id : '', depends };
}

function dependencyFaults(modules: readonly Links[]): PlanFault[] {
  const known = new Set(modules.map(({ id }) => id));
  const unknown = modules.flatMap(({ id, depends }) =>
    depends
      .filter((need) => !known.has(need))
      .map((need) => schemaFault(`Module ${id}: depends on unknown module '${clipText(need, 80)}'`)),
  );
  const links = modules.map(({ id, depends }) => ({ id, depends: [...depends] }));
  const cycles = findCycles(links).map(
    (members): PlanFault => ({
      type: 'cycle',
      message: `Dependency cycle detected among modules: ${clipText(members.join(', '))}`,
    }),
  );
  return [...unknown, ...cycles];
}

function taskOf(module: z.output<typeof moduleSchema>): Task {
  const { cost_budget: budget } = module;
  return taskSchema.parse({
    id: module.id,
    title: module.title,
    objective: module.objective,
    depends: module.dependsOn,
    writes: module.files,
    verify: module.verify,
    doneWhen: module.doneWhen,
    complexity: sizes[module.complexity],
    acceptance: module.acceptance_criteria ?? [],
    forbids: module.disallowed_changes ?? [],
    ...(module.behaviour_changes === undefined ? {} : { behaviourChanges: module.behaviour_changes }),
    ...(budget === undefined ? {} : { costBudget: { maxTokens: budget.max_tokens, maxRetries: budget.max_retries } }),
    ...(module.success_evidence === undefined ? {} : { successEvidence: module.success_evidence }),
    ...(module.expected_trajectory === undefined ? {} : { expectedTrajectory: module.expected_trajectory }),
    ...(module.expected_minutes === undefined ? {} : { expectedMinutes: module.expected_minutes }),
  });
}

/** Ids, paths and commands; what is wrong with dependencies was said already. */
function planFaults(tasks: readonly Task[]): PlanFault[] {
  const valid = validatePlan({ objective: '', tasks });
  if (valid.status === 'valid') return [];
  return valid.issues.map(({ where, problem, fix }) => {
    const [, place = '', field = where] = /^tasks\[(\d+)\]\.?(.*)$/.exec(where) ?? [];
    const module = tasks[Number(place)];
    const label = module === undefined || place === '' ? '' : `Module ${module.id}: `;
    return schemaFault(`${label}${theirName(field)}: ${problem} ${fix}`);
  });
}

function theirName(field: string): string {
  return field.replace(/^writes/, 'files').replace(/^forbids/, 'disallowed_changes');
}

function ownDialect(input: Readonly<Record<string, unknown>>): ModulePlanReport {
  // What else a planner answers with is not the plan's.
  const valid = validatePlan({ objective: '', tasks: input['tasks'] });
  if (valid.status === 'valid') return judged(valid.plan.tasks);
  return invalid(
    valid.issues.map(({ where, problem, fix }) => {
      const type = problem.includes('depend on each other in a circle') ? 'cycle' : 'schema';
      return { type, message: `${where}: ${problem} ${fix}` } as const;
    }),
  );
}

function judged(tasks: readonly Task[]): ModulePlanReport {
  return { valid: true, errors: [], warnings: overlaps(tasks), programs: programsOf(tasks) };
}

/** Only of modules that nothing orders, directly or not. */
function overlaps(tasks: readonly Task[]): PlanWarning[] {
  const { overlaps: found, complete } = concurrentOverlaps(tasks);
  const warnings = found.flatMap(({ task, others }) =>
    others.map((other): PlanWarning => {
      const [first, second] = [task, other.task].sort((a, b) => a - b).map((place) => tasks[place]);
      const modules = [first?.id ?? '', second?.id ?? ''];
      const files = sharedFiles(first, second);
      const message = `Modules ${modules.join(' and ')} both modify ${files.join(', ')} but could run in parallel. Consider adding a dependency edge.`;
      return { type: 'file_overlap', modules, files, message };
    }),
  );
  if (complete) return warnings;
  const message = 'So many files could meet that not all of them were compared.';
  return [...warnings, { type: 'incomplete', modules: [], files: [], message }];
}

function sharedFiles(a: Task | undefined, b: Task | undefined): string[] {
  const theirs = new HeldPatterns<string>();
  theirs.hold('a', compilePatterns(a?.writes ?? []));
  return (b?.writes ?? []).filter((path) => theirs.meeting(compilePatterns([path])) !== undefined).slice(0, 20);
}

function programsOf(tasks: readonly Task[]): ModulePlanReport['programs'] {
  const first = new Map<string, string>();
  for (const { id, verify } of tasks) {
    for (const entry of verify) {
      const resolved = resolveVerify(entry);
      const program = resolved.status === 'resolved' ? resolved.argv[0] : '';
      // One with a slash is of the repository, and may come with a module.
      if (program !== '' && !program.includes('/') && !first.has(program)) first.set(program, id);
    }
  }
  return [...first].map(([program, module]) => ({ program, module }));
}

function invalid(errors: readonly PlanFault[]): ModulePlanReport {
  const more = errors.length - mostFaults;
  const shown = errors.slice(0, mostFaults);
  const rest = more > 0 ? [schemaFault(`and ${more} more`)] : [];
  return { valid: false, errors: [...shown, ...rest], warnings: [], programs: [] };
}

const mostFaults = 100;

function schemaFault(message: string): PlanFault {
  return { type: 'schema', message: clipText(message, 1000) };
}

function nameOf(module: Readonly<Record<string, unknown>>): string {
  const { id } = module;
  return typeof id === 'string' && id !== '' ? (/^[\w.-]{1,80}$/.test(id) ? id : quoteUntrusted(id)) : '?';
}

function isEmpty(value: unknown): boolean {
  return value === undefined || value === null || value === '' || (Array.isArray(value) && value.length === 0);
}

function isRecord(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
