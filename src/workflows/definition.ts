/**
 * What a workflow is, for Forge's own workflows and for those of a repository alike. A definition has two parts. The
 * head is plain data and costs nothing to load: command line, help, completion, MCP and forms are derived from it. The
 * program is loaded when a run starts or is shown: input, roles, the run itself, and what people see of it.
 * Invariant: everything about one workflow hangs here, so no other room knows a workflow by name.
 */
import type { z } from 'zod';
import type { Bench, WorkflowResult } from '../engine/bench.ts';
import type { StepEndInput } from '../engine/facts.ts';
import type { ConfinedTree } from '../files/confined-tree.ts';
import type { Task } from '../plan/plan.ts';
import type { tierNames } from '../policy/agent-settings.ts';
import type { Effort } from '../policy/effort.ts';
import type { Thinking } from '../policy/thinking.ts';
import type { Settings } from '../policy/settings.ts';
import type { Chronicle } from '../views/chronicle.ts';
import type { MorningReport } from '../views/morning-text.ts';
import type { OptionSpecs, OptionValues } from './workflow-options.ts';

export interface WorkflowHead<O extends OptionSpecs = OptionSpecs> {
  /** Also the command `forge <name>`. */
  readonly name: string;
  /** Raise it when keys or recorded data change their meaning. */
  readonly version: number;
  /** One line for help. */
  readonly summary: string;
  readonly argument: WorkflowArgument;
  readonly options: O;
  /** The folder of documents in a checkout that its runs continue: the argument may name something in it. */
  readonly keeps?: '.gsd' | '.forge/store';
  /** The folder of `examples/` that `forge demo <workflow>` plays. */
  readonly demo?: string;
  /** It works on one task at a time, so it takes no `--parallel`. */
  readonly sequential?: true;
  /** The text option that names other repositories, whose files its runs change too. */
  readonly repositoriesOption?: string;
  /** Flags that stand for an action beside the run: `forge design --status <plan-dir>` is `forge design status <plan-dir>`. */
  readonly actionFlags?: Readonly<Record<string, { readonly placeholder: string; readonly summary: string }>>;
  /** Command lines for help, each with what it does. */
  readonly examples?: readonly (readonly [command: string, about: string])[];
}

/** What follows the workflow's name on the command line. */
export interface WorkflowArgument {
  /** Its name in help, such as `requirement` or `design-dir`. */
  readonly name: string;
  /** `text` may also come from a file; a `directory` is a path inside the repository. */
  readonly kind: 'text' | 'directory';
  readonly summary: string;
  /** The option whose value stands for the argument where that is left out. */
  readonly orOption?: string | undefined;
}

/** What most workflows take. */
export const requirementArgument: WorkflowArgument = {
  name: 'requirement',
  kind: 'text',
  summary: 'what should be built',
};

export interface WorkflowDefinition<O extends OptionSpecs = OptionSpecs> extends WorkflowHead<O> {
  readonly load: () => Promise<{ readonly program: WorkflowProgram }>;
  /** For a repository's own workflow: an error of its making, with its file. */
  readonly explainFailure?: (error: unknown) => unknown;
}

/** Methods, so that a table can hold programs with different inputs and options. */
export interface WorkflowProgram<I = unknown> {
  /** What a run is started with, and what `run` gets. It extends the input that all workflows share. */
  readonly input: z.ZodType<I>;
  /** By name. Every role gets an agent from the settings. */
  readonly roles: Readonly<Record<string, RoleSpec>>;
  /** The fields of the input that only this workflow has. Throws a ForgeError for a request that cannot work. */
  prepare?(request: WorkflowRequest): Readonly<Record<string, unknown>> | Promise<Readonly<Record<string, unknown>>>;
  /** `input` was read by the schema above. */
  run(bench: Bench, input: I): Promise<WorkflowResult>;
  readonly presentation?: WorkflowPresentation;
  /** Only for a workflow that can build a plan made of past commits (`forge rehearse --from-history`). */
  readonly rehearsal?: PlanRehearsal;
}

/** How scripted agents play a plan that is known beforehand. */
export interface PlanRehearsal {
  /** The role that does the work of a task. */
  readonly worker: string;
  /** What that role answers when a task is done. */
  readonly done: (work: { readonly summary: string; readonly filesChanged: readonly string[] }) => object;
  /** What the other roles always answer, by role. */
  readonly replies: (tasks: readonly Task[]) => Readonly<Record<string, object>>;
  /** Fields of the input for work that nobody has to judge. */
  readonly input: Readonly<Record<string, unknown>>;
}

/** Parts that only make sense for a workflow that comes with Forge. */
type BuiltinParts = 'keeps' | 'demo' | 'sequential' | 'actionFlags' | 'rehearsal';

/** A repository's own workflow: one object with the parts of both. What is left out has a default. */
export type OwnWorkflow<O extends OptionSpecs = OptionSpecs> = Pick<WorkflowHead<O>, 'name' | 'version'> &
  Partial<Omit<WorkflowHead<O>, BuiltinParts>> &
  Partial<Omit<WorkflowProgram, 'run' | BuiltinParts>> &
  Pick<WorkflowProgram, 'run'>;

/** What a person asked for, with what Forge knows about the repository. */
export interface WorkflowRequest<O extends OptionSpecs = OptionSpecs> {
  readonly argument: string;
  readonly options: OptionValues<O>;
  readonly settings: Settings;
  /** The person wants to begin anew, whatever is there. */
  readonly fresh: boolean;
  readonly repository: RequestedRepository;
}

export interface RequestedRepository {
  /** Paths of the user's checkout with changes that are not committed. Agents do not see these changes. */
  readonly dirty: readonly string[];
  /** The commit that the run starts from. */
  readonly head: string;
  /** A directory as the person typed it, relative to the repository. Throws where there is none. */
  readonly directory: (typed: string) => string;
  /** The Markdown files of a commit; of the one the run starts from, unless another is named. */
  readonly documents: (revision?: string) => Promise<CommitDocuments>;
  /** Ids of the records in `.forge/store`, as they are in the checkout. */
  readonly records: () => readonly string[];
  /** Every file of the commit the run starts from, by path. */
  readonly files: () => Promise<readonly string[]>;
  /** Tags that the run's start holds, oldest first. */
  readonly tags: () => Promise<readonly { readonly name: string; readonly commit: string; readonly at: string }[]>;
}

export interface CommitDocuments extends ConfinedTree {
  readonly commit: string;
}

export interface RoleSpec<T = unknown> {
  /** A reply that does not fit counts as cut off. Descriptions in the schema reach the agent. */
  readonly result: z.ZodType<T>;
  /** Whether what the agent changes in its workspace is kept. A role file can take writing away, never add it. */
  readonly access: 'read' | 'write';
  readonly tier?: (typeof tierNames)[number];
  readonly effort?: Effort;
  /** Of strong models only: those of the tiers `heavy` and `max`. */
  readonly thinking?: Thinking;
  /** What a person reads about a reply: good or bad, one line, and details below it. */
  describe?(result: T): StepEndInput;
}

/** A role of a table, with its reply's type from the schema. */
export function defineRole<T>(spec: RoleSpec<T>): RoleSpec<T> {
  return spec;
}

/**
 * What a workflow adds to what people see of every run. Displays, summary and report are drawn from steps, tasks,
 * questions and what they report, and the page of an approval comes with its question: none of that belongs here.
 */
export interface WorkflowPresentation {
  /** Files that a run leaves in `.forge/` and in its own directory. A pure function of the recorded run. */
  readonly documents?: (run: Chronicle) => readonly WorkflowDocument[];
  /** What a person reads about a run that worked for hours without them. */
  readonly morning?: (run: Chronicle) => MorningReport;
  /** What is wrong with a draft that a person edited, with places; nothing when it can be used. */
  readonly editProblems?: (text: string, draft: string) => readonly string[];
}

export interface WorkflowDocument {
  /** A bare file name; below another folder than `.forge`, a path. */
  readonly path: string;
  readonly content: string;
  /** Where people look for it. Elsewhere than in `.forge`, what a person or another tool wrote is never written over. */
  readonly folder?: '.gsd';
  /** The text of somebody else that it may replace: itself with a box ticked, for example. */
  readonly over?: string;
}
