/**
 * Every effect there is: one map of schemas for input and output, and of what makes a piece of work this
 * one and no other (`identity`; the wording of a prompt does not count). Commits and JSON in, commits and
 * JSON out, so that an effect can be retried, replayed or travel. A kind without a performer does not compile.
 */
import { z } from 'zod';
import { taskComplexities, taskKinds, verifyEntrySchema } from '../plan/plan.ts';
import { agentOutcomeSchema } from '../policy/agent-outcome.ts';
import { tierNames } from '../policy/agent-settings.ts';
import { checkReportSchema, checkSources } from '../policy/check-report.ts';
import { contractResultSchema } from '../policy/contract-result.ts';
import { effortNames } from '../policy/effort.ts';
import { findingSchema, redGreenSchema } from '../policy/finding.ts';
import { hookRunSchema } from '../policy/hook-run.ts';
import { lessonSchema, runShapeSchema } from '../policy/lesson.ts';
import { inspectionSchema, promisesSchema, symbolResultSchema } from '../policy/promises.ts';
import { changeSchema, leftBehindSchema, receiptSchema, scopeFlagSchema } from '../policy/receipt.ts';
import { escalationKinds } from '../policy/routing.ts';
import { squareSchema } from '../policy/square.ts';
import { thinkingNames } from '../policy/thinking.ts';
import { toolSummarySchema } from '../policy/tool-summary.ts';
import { deliveryEffects } from './delivery-effects.ts';
import { commitSchema, defineEffect, pathNameSchema } from './effect-kind.ts';
import { refMoveSchema } from './facts.ts';
import { recordEffects } from './record-effects.ts';
import { repositoryEffects } from './repository-effects.ts';
import { routeSchema } from './route-schema.ts';

const forecastRole = z.strictObject({
  role: z.string(),
  often: z.tuple([z.number(), z.number(), z.number()]).default([1, 1, 1]),
  onRetry: z.boolean().optional(),
});

const forecastSpan = z.tuple([z.number(), z.number(), z.number()]);

export const effectMap = {
  ...deliveryEffects,
  /** Where the integration head stands now, and which commit's scripts and configuration judge: as a fact, so that what starts from it replays from the same place. */
  'integration.read': defineEffect({
    input: z.strictObject({ task: z.string().optional() }),
    output: z.strictObject({ commit: commitSchema, judge: commitSchema }),
    identity: ['task'],
  }),
  /** An agent works in a workspace made from `commit`; what it leaves is captured as a commit. */
  'agent.run': defineEffect({
    input: z.strictObject({
      agent: z.string(),
      role: z.string(),
      task: z.string().optional(),
      attempt: z.number().int().positive(),
      workspace: pathNameSchema,
      commit: commitSchema,
      access: z.enum(['write', 'read']).default('write'),
      /** What the workflow wants for this work; settings, plan and role file go first. A high risk goes up a tier. */
      tier: z.enum(tierNames).optional(),
      effort: z.enum(effortNames).optional(),
      /** Of strong models only. */
      thinking: z.enum(thinkingNames).optional(),
      risk: z.string().optional(),
      /** What the same work was too much for, or was refused by, is not asked again. */
      escalate: z.enum(escalationKinds).optional(),
      prompt: z.string(),
      /** The prompt itself says what the role is and how to answer: the role's file is not put before it. */
      isWhole: z.boolean().optional(),
      /** The model this piece of work is to be done with, before anything else that names one. */
      model: z.string().optional(),
      /** What Forge serves to it besides the tools of its role. */
      tools: z.array(z.enum(['records'])).optional(),
      resultSchema: z.record(z.string(), z.json()).default({}),
      session: z.string().optional(),
      wallMs: z.number().positive().default(3_600_000),
      idleMs: z.number().positive().default(300_000),
    }),
    output: z.strictObject({
      outcome: agentOutcomeSchema,
      commit: commitSchema,
      changes: z.array(changeSchema),
      leftBehind: z.array(leftBehindSchema),
      agentCommits: z.array(z.string()),
      /** What a person should know about the capture. */
      notes: z.array(z.string()).default([]),
      /** Who did it in the end, with what, and why. */
      route: routeSchema.optional(),
      /** When the work began and ended, as it was measured. */
      wall: z.strictObject({ from: z.string(), to: z.string() }).optional(),
    }),
    identity: ['role', 'task', 'attempt', 'workspace', 'commit'],
  }),
  /** The engine's own verification of a commit, judged by the configuration of `judge`. */
  'check.run': defineEffect({
    input: z.strictObject({
      commit: commitSchema,
      judge: commitSchema,
      task: z.string().optional(),
      source: z.enum(checkSources),
      entries: z.array(verifyEntrySchema),
      /** Key of the `check.run` on the base: only failures that are new since then count. */
      baseline: z.string().optional(),
      /**
       * `added`: run only what the entries add to the project's own checks. `plan`: run only the entries, also where they are
       * the project's own. Without it, the project's own always run.
       */
      part: z.enum(['added', 'plan']).optional(),
      /** Where checks cannot start on the base because the jail hides a program, say what to show instead of failing. */
      offer: z.boolean().optional(),
    }),
    output: checkReportSchema,
    identity: ['commit', 'judge', 'task', 'entries'],
  }),
  /** What a task did to the tests: red before green, weakened evidence. */
  'evidence.measure': defineEffect({
    input: z.strictObject({
      task: z.string(),
      kind: z.enum(taskKinds),
      base: commitSchema,
      commit: commitSchema,
      judge: commitSchema,
      source: z.enum(checkSources),
      entries: z.array(verifyEntrySchema),
      /** Key of the `check.run` on the base, as for checks. */
      baseline: z.string().optional(),
    }),
    output: z.strictObject({
      redGreen: z.array(redGreenSchema),
      findings: z.array(findingSchema),
      /** Old and new tests on old and new code; runs begun before this was measured lack it. */
      square: squareSchema.optional(),
    }),
    identity: ['task', 'base', 'commit'],
  }),
  /** Carries a task's commit onto the integration head as it is now. Nothing becomes visible. */
  'merge.prepare': defineEffect({
    input: z.strictObject({
      task: z.string(),
      base: commitSchema,
      commit: commitSchema,
      title: z.string(),
      body: z.string().default(''),
      /** The commits it was made of stay part of history. */
      keep: z.boolean().default(false),
      /** What of the change becomes a commit of its own, on top of the rest. */
      apart: z.strictObject({ title: z.string(), body: z.string().default(''), paths: z.array(z.string()) }).optional(),
    }),
    output: z.discriminatedUnion('status', [
      z.strictObject({
        status: z.literal('ready'),
        commit: commitSchema,
        before: commitSchema,
        changes: z.array(changeSchema),
        /** The commit between, where a part became a commit of its own. */
        below: commitSchema.optional(),
        /** Whose scripts and configuration judge at that head; runs begun before this was recorded lack it. */
        judge: commitSchema.optional(),
        /** Where the change adds a secret: a value that agents were given, or text that looks like a token. */
        secrets: z
          .array(z.strictObject({ path: z.string(), line: z.number().int(), kind: z.enum(['known', 'shape']) }))
          .optional(),
        /** Git hooks that it has to pass, by the settings. */
        hooks: z.array(hookRunSchema.shape.hook).optional(),
      }),
      z.strictObject({ status: z.literal('empty'), before: commitSchema }),
      z.strictObject({ status: z.literal('conflict'), before: commitSchema, files: z.array(z.string()) }),
    ]),
    identity: ['task', 'base', 'commit'],
  }),
  /** What the repository's git hooks say about a commit on top of `before`. */
  'hooks.run': defineEffect({
    input: z.strictObject({
      commit: commitSchema,
      before: commitSchema,
      judge: commitSchema,
      hooks: z.array(hookRunSchema.shape.hook),
    }),
    output: z.strictObject({ hooks: z.array(hookRunSchema) }),
    identity: ['commit', 'before', 'hooks'],
  }),
  /** Moves the integration head to a prepared commit by compare-and-swap, and leaves a receipt. */
  'merge.land': defineEffect({
    input: z.strictObject({
      task: z.string(),
      commit: commitSchema,
      before: commitSchema,
      base: commitSchema,
      source: commitSchema,
      declared: z.array(z.string()),
      changed: z.array(changeSchema),
      flags: z.array(scopeFlagSchema),
      leftBehind: z.array(leftBehindSchema),
      checks: z.array(z.strictObject({ label: z.string(), status: z.string() })),
    }),
    output: z.discriminatedUnion('status', [
      z.strictObject({ status: z.literal('merged'), receipt: receiptSchema }),
      z.strictObject({ status: z.literal('stale'), head: commitSchema }),
    ]),
    identity: ['task', 'commit', 'before'],
  }),
  /** The result becomes a branch the user can see. */
  'branch.publish': defineEffect({
    /** `squash`: as one commit on the base, with this message. */
    input: z.strictObject({ commit: commitSchema, squash: z.string().optional() }),
    output: refMoveSchema,
    identity: ['commit'],
  }),
  /** A run's result on top of a branch of the user's as it is now. Nothing becomes visible. */
  'landing.prepare': defineEffect({
    input: z.strictObject({
      branch: z.string(),
      commit: commitSchema,
      base: commitSchema,
      title: z.string(),
      /** What settles conflicts with the branch at `onto`: a commit, or the name of a branch that a person made. */
      resolved: z
        .strictObject({
          onto: commitSchema,
          by: z.string(),
          files: z.array(z.string()),
          /** The commit with the markers. Given for an agent: it may change nothing but the files. */
          from: commitSchema.optional(),
        })
        .optional(),
      /** Paths a person accepted a change of in the run. */
      accepted: z.array(z.string()).optional(),
    }),
    output: z.discriminatedUnion('status', [
      /** `before` is where the branch is; the commit goes on top of it. */
      z.strictObject({
        status: z.literal('ready'),
        commit: commitSchema,
        before: commitSchema,
        changes: z.array(changeSchema),
        /** Those of the accepted paths whose content is exactly the result's. */
        same: z.array(z.string()).optional(),
      }),
      z.strictObject({ status: z.literal('there'), before: commitSchema }),
      /** The commit holds both sides with markers in the files. */
      z.strictObject({
        status: z.literal('conflict'),
        commit: commitSchema,
        before: commitSchema,
        files: z.array(z.string()),
      }),
      z.strictObject({
        status: z.literal('unresolved'),
        before: commitSchema,
        files: z.array(z.string()),
        reason: z.string(),
      }),
      z.strictObject({ status: z.literal('gone') }),
    ]),
    identity: ['branch', 'commit'],
  }),
  /** A branch of the user's moves forward with its checkouts, if it still is where it was and nothing is in the way. */
  'branch.land': defineEffect({
    input: z.strictObject({ branch: z.string(), commit: commitSchema, before: commitSchema }),
    output: z.discriminatedUnion('status', [
      z.strictObject({ status: z.literal('landed'), move: refMoveSchema }),
      z.strictObject({ status: z.literal('stale') }),
      z.strictObject({ status: z.literal('refused'), reason: z.string() }),
    ]),
    identity: ['branch', 'commit', 'before'],
  }),
  /** Lessons of earlier runs that have to do with the query, best first. */
  'memory.recall': defineEffect({
    input: z.strictObject({
      query: z.string(),
      limit: z.number().int().positive().max(100),
      /** Only lessons of these categories; all when left out. */
      categories: z.array(z.string()).optional(),
    }),
    output: z.strictObject({ lessons: z.array(lessonSchema), problems: z.array(z.string()).default([]) }),
    identity: [],
  }),
  /** New lessons are merged into memory; saving the same ones again changes nothing. */
  'memory.save': defineEffect({
    input: z.strictObject({
      lessons: z.array(z.strictObject({ category: z.string(), keywords: z.array(z.string()), text: z.string() })),
      /** Ids of lessons that were made use of. */
      applied: z.array(z.string()),
      /** Ids of lessons that the run showed to be right, or wrong. */
      helped: z.array(z.string()).default([]),
      contradicted: z.array(z.string()).default([]),
      /** The shape of a run that succeeded, for the forecasts of later ones. */
      shape: runShapeSchema.optional(),
    }),
    output: z.strictObject({ added: z.number().int(), merged: z.number().int(), files: z.array(z.string()) }),
    identity: [],
  }),
  /** What a plan will probably use, from earlier work here, and what the run may use. */
  'forecast.make': defineEffect({
    input: z.strictObject({
      tasks: z.array(
        z.strictObject({
          id: z.string(),
          complexity: z.enum(taskComplexities),
          depends: z.array(z.string()),
          expectedMinutes: z.number().optional(),
        }),
      ),
      /** Roles that work on each task, and on the whole; `often` is how many times, at least, likely and at most. */
      perTask: z.array(forecastRole),
      whole: z.array(forecastRole),
      parallel: z.number().int().positive(),
    }),
    output: z.strictObject({
      text: z.string(),
      limits: z.string(),
      /** Agents whose use is known afterwards at best. */
      soft: z.array(z.string()),
      /** Low, likely and high; left out where nobody counts, and in runs from before it was recorded. */
      expected: z
        .strictObject({ usd: forecastSpan, minutes: forecastSpan, tokens: forecastSpan.optional() })
        .optional(),
    }),
    identity: [],
  }),
  /** What files say in a commit, most wanted first, within a number of characters. */
  'sources.read': defineEffect({
    input: z.strictObject({ commit: commitSchema, paths: z.array(z.string()), chars: z.number().int().positive() }),
    output: z.strictObject({
      files: z.array(z.strictObject({ path: z.string(), text: z.string(), cut: z.boolean() })),
      /** There was no room for these, or they are no text. */
      omitted: z.array(z.string()),
    }),
    identity: ['commit'],
  }),
  /** Files, syntax and contracts between modules in a commit; what the modules' own commands say is `check.run`'s. */
  'contracts.check': defineEffect({
    input: z.strictObject({
      commit: commitSchema,
      /** Where the work began: a declared file that was there and is gone was meant to go. */
      base: commitSchema.optional(),
      modules: z.array(z.strictObject({ task: z.string(), paths: z.array(z.string()) })),
      /** Only results that have to do with this one: its files, and contracts it takes part in. */
      about: z.string().optional(),
    }),
    output: z.strictObject({ results: z.array(contractResultSchema) }),
    identity: ['commit'],
  }),
  /** Whether names that a plan builds on are defined in a commit, by syntax. */
  'symbols.check': defineEffect({
    input: z.strictObject({ commit: commitSchema, names: z.array(z.string()), created: z.array(z.string()) }),
    output: z.strictObject({ symbols: z.array(symbolResultSchema) }),
    identity: ['commit'],
  }),
  /** Whether files and links that a plan promised are there in a commit, have substance and are used, by syntax. */
  'promises.inspect': defineEffect({
    input: z.strictObject({ commit: commitSchema, promises: promisesSchema }),
    output: inspectionSchema,
    identity: ['commit'],
  }),
  /** The documents that the user's checkout keeps in `.gsd`, as they are now. */
  'gsd.read': defineEffect({
    input: z.strictObject({ only: z.array(z.string()).optional() }),
    output: z.strictObject({
      /** Below `.gsd`, all or `only` some; without a text: it was found and not read. */
      files: z.array(z.strictObject({ path: z.string(), text: z.string().optional() })),
      remarks: z.array(z.strictObject({ file: z.string(), problem: z.string() })),
    }),
    identity: [],
  }),
  /** What an agent really did in a session, counted from its transcript. */
  'transcript.summarise': defineEffect({
    input: z.strictObject({ keys: z.array(z.string()) }),
    output: toolSummarySchema,
    identity: ['keys'],
  }),
  /** The difference between two commits as text, within a number of characters. */
  'diff.read': defineEffect({
    input: z.strictObject({ from: commitSchema, to: commitSchema, chars: z.number().int().positive() }),
    output: z.strictObject({ text: z.string(), cut: z.boolean() }),
    identity: ['from', 'to'],
  }),
  /** A workspace whose content is captured goes away; one that holds anything else stays. */
  'workspace.drop': defineEffect({
    /** `readOnly`: it was only ever mounted read-only, so there is nothing in it to lose. */
    input: z.strictObject({ workspace: pathNameSchema, captured: commitSchema, readOnly: z.boolean().default(false) }),
    output: z.strictObject({ dropped: z.boolean(), reason: z.string().default('') }),
    identity: ['workspace'],
  }),
  ...recordEffects,
  ...repositoryEffects,
};

export type EffectKind = keyof typeof effectMap;

/** Kinds that may have moved a ref before their fact was written: they are brought to an end, never just forgotten. */
export const refMovingKinds = [
  'merge.land',
  'documents.land',
  'branch.publish',
  'branch.land',
] as const satisfies readonly EffectKind[];
export type EffectInput<K extends EffectKind> = z.input<(typeof effectMap)[K]['input']>;
export type EffectRequest<K extends EffectKind> = z.output<(typeof effectMap)[K]['input']>;
export type EffectOutput<K extends EffectKind> = z.output<(typeof effectMap)[K]['output']>;
