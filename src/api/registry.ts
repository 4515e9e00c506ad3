/**
 * Every operation by its name. A skin that finds out at run time what to call (MCP, HTTP, a process that is handed its
 * work) looks here. An operation's code is loaded when it is asked for, so that nobody pays for those they do not call.
 */
import type { z } from 'zod';
import type { Operation, StreamOperation } from './operation.ts';

/** An operation whose schemas are not known to the compiler. */
export type AnyOperation = Operation<z.ZodObject, z.ZodType> | StreamOperation<z.ZodObject, z.ZodType>;

const loaders = {
  'start-run': async () => (await import('./start-run.ts')).startRun,
  'follow-run': async () => (await import('./follow-run.ts')).followRun,
  'list-questions': async () => (await import('./list-questions.ts')).listQuestions,
  'answer-question': async () => (await import('./answer-question.ts')).answerQuestion,
  'list-runs': async () => (await import('./list-runs.ts')).listRuns,
  'run-status': async () => (await import('./run-status.ts')).runStatus,
  'show-run': async () => (await import('./show-run.ts')).showRun,
  'diff-run': async () => (await import('./diff-run.ts')).diffRun,
  'report-run': async () => (await import('./report-run.ts')).reportRun,
  'watch-run': async () => (await import('./watch-run.ts')).watchRun,
  'watch-runs': async () => (await import('./watch-runs.ts')).watchRuns,
  'inspect-run': async () => (await import('./inspect-run.ts')).inspectRun,
  'run-actions': async () => (await import('./run-actions.ts')).runActions,
  'diff-file': async () => (await import('./diff-run.ts')).diffFile,
  'read-journal': async () => (await import('./read-lines.ts')).readJournal,
  'verify-journal': async () => (await import('./verify-journal.ts')).verifyJournal,
  'read-transcript': async () => (await import('./read-lines.ts')).readTranscript,
  'watch-transcript': async () => (await import('./watch-transcript.ts')).watchTranscript,
  'read-check': async () => (await import('./read-check.ts')).readCheck,
  'describe-start': async () => (await import('./describe-start.ts')).describeStart,
  'edit-draft': async () => (await import('./edit-draft.ts')).editDraft,
  'request-changes': async () => (await import('./request-changes.ts')).requestChanges,
  'run-events': async () => (await import('./run-events.ts')).runEvents,
  'run-logs': async () => (await import('./run-logs.ts')).runLogs,
  'attach-run': async () => (await import('./attach-run.ts')).attachRun,
  'pause-run': async () => (await import('./pause-run.ts')).pauseRun,
  'resume-run': async () => (await import('./resume-run.ts')).resumeRun,
  'retry-run': async () => (await import('./retry-run.ts')).retryRun,
  'cancel-run': async () => (await import('./cancel-run.ts')).cancelRun,
  'land-run': async () => (await import('./land-run.ts')).landRun,
  'undo-run': async () => (await import('./undo-run.ts')).undoRun,
  'cleanup-run': async () => (await import('./cleanup-run.ts')).cleanupRun,
  'list-documents': async () => (await import('./list-documents.ts')).listDocuments,
  'read-document': async () => (await import('./read-document.ts')).readDocument,
  'runs-place': async () => (await import('./runs-place.ts')).runsPlace,
  'adopt-runs': async () => (await import('./runs-place.ts')).adoptRuns,
  'check-plan': async () => (await import('./check-plan.ts')).checkPlanDirectory,
  'check-design': async () => (await import('./check-design.ts')).checkDesign,
  'milestone-status': async () => (await import('./milestone-status.ts')).milestoneStatus,
  'new-milestone': async () => (await import('./milestone-edit.ts')).newMilestone,
  'discuss-milestone': async () => (await import('./milestone-edit.ts')).discussMilestone,
  'add-slice': async () => (await import('./milestone-edit.ts')).addMilestoneSlice,
  'add-task': async () => (await import('./milestone-edit.ts')).addMilestoneTask,
  'choose-milestone': async () => (await import('./milestone-runs.ts')).chooseMilestone,
  'milestone-report': async () => (await import('./milestone-runs.ts')).milestoneMorning,
  'reverse-decision': async () => (await import('./milestone-reverse.ts')).reverseDecision,
  dashboard: async () => (await import('./dashboard.ts')).regenerateDashboard,
  'ask-gate': async () => (await import('./pipeline-gate.ts')).askGate,
  'ask-verdict': async () => (await import('./pipeline-gate.ts')).askVerdict,
  'list-accounts': async () => (await import('./accounts.ts')).listAccounts,
  'add-account': async () => (await import('./accounts.ts')).addAccount,
  'use-account': async () => (await import('./accounts.ts')).useAccount,
  'remove-account': async () => (await import('./accounts.ts')).removeAccount,
  'supervise-runs': async () => (await import('./supervise.ts')).superviseRuns,
  'supervisor-unit': async () => (await import('./supervisor-unit.ts')).supervisorUnit,
  'show-config': async () => (await import('./show-config.ts')).showConfig,
  'status-line': async () => (await import('./status-line.ts')).statusLine,
  'notify-test': async () => (await import('./notify-test.ts')).notifyTest,
  'open-sprints': async () => (await import('./new-record.ts')).openSprints,
  'new-task': async () => (await import('./new-record.ts')).newTask,
  'new-bug': async () => (await import('./new-record.ts')).newBug,
  'sprint-status': async () => (await import('./sprint-status.ts')).sprintStatus,
  'record-status': async () => (await import('./sprint-status.ts')).recordStatus,
  'collate-store': async () => (await import('./collate-store.ts')).collateStore,
  'apply-enhancement': async () => (await import('./apply-enhancement.ts')).applyEnhancement,
  'upgrade-project': async () => (await import('./upgrade-project.ts')).upgradeProject,
  'rebuild-packs': async () => (await import('./rebuild-packs.ts')).rebuildPacks,
  'project-health': async () => (await import('./project-health.ts')).projectHealth,
  'show-pipelines': async () => (await import('./pipelines.ts')).showPipelines,
  'store-delete': async () => (await import('./store-write.ts')).storeDelete,
  'store-describe': async () => (await import('./store-read.ts')).storeDescribe,
  'store-emit': async () => (await import('./store-events.ts')).storeEmit,
  'store-inspect': async () => (await import('./store-read.ts')).storeInspect,
  'store-merge': async () => (await import('./store-events.ts')).storeMerge,
  'store-migrate': async () => (await import('./store-migrate.ts')).storeMigrate,
  'store-migrate-back': async () => (await import('./store-migrate.ts')).storeMigrateBack,
  'store-progress': async () => (await import('./store-events.ts')).storeProgress,
  'store-progress-clear': async () => (await import('./store-events.ts')).storeProgressClear,
  'store-query': async () => (await import('./store-read.ts')).storeQuery,
  'store-read': async () => (await import('./store-read.ts')).storeRead,
  'store-read-summary': async () => (await import('./store-read.ts')).storeReadSummary,
  'store-summary': async () => (await import('./store-write.ts')).storeSummary,
  'store-template': async () => (await import('./store-read.ts')).storeTemplate,
  'store-update': async () => (await import('./store-write.ts')).storeUpdate,
  'store-validate': async () => (await import('./store-read.ts')).storeValidate,
  'store-write': async () => (await import('./store-write.ts')).storeWrite,
  'design-impact': async () => (await import('./design-impact.ts')).findDesignImpact,
  'design-status': async () => (await import('./design-status.ts')).deliveryStatus,
  'init-project': async () => (await import('./init-project.ts')).initProject,
  'trust-project': async () => (await import('./trust.ts')).trustProject,
  doctor: async () => (await import('./doctor.ts')).doctor,
  'list-agents': async () => (await import('./list-agents.ts')).listAgents,
  'test-agent': async () => (await import('./test-agent.ts')).testAgent,
  'list-lessons': async () => (await import('./list-lessons.ts')).listLessons,
  'recall-lessons': async () => (await import('./recall-lessons.ts')).recallLessons,
  'save-lesson': async () => (await import('./save-lesson.ts')).saveLesson,
  'edit-lessons': async () => (await import('./edit-lessons.ts')).editLessons,
  'validate-plan': async () => (await import('./validate-plan.ts')).validatePlan,
  'validate-module': async () => (await import('./validate-module.ts')).validateModule,
  'iteration-state': async () => (await import('./iteration-state.ts')).iterationState,
  'session-state': async () => (await import('./session-state.ts')).sessionState,
  'record-run': async () => (await import('./record-run.ts')).recordRun,
  'rehearse-run': async () => (await import('./rehearse-run.ts')).rehearseRun,
  'rehearse-history': async () => (await import('./rehearse-history.ts')).rehearseHistory,
  'judge-rehearsal': async () => (await import('./judge-rehearsal.ts')).judgeRehearsal,
  'make-demo': async () => (await import('./make-demo.ts')).makeDemo,
  'change-demo': async () => (await import('./make-demo.ts')).changeDemo,
} satisfies Readonly<Record<string, () => Promise<object>>>;

export type OperationName = keyof typeof loaders;
type OperationNamed<N extends OperationName> = Awaited<ReturnType<(typeof loaders)[N]>>;
/** The schema of what an operation gives. */
export type OperationOutput<N extends OperationName> = OperationNamed<N>['output'];

export const operationNames = Object.keys(loaders) as readonly OperationName[];

/** Undefined where there is none of that name. */
export async function loadOperation(name: string): Promise<AnyOperation | undefined> {
  const load = Object.hasOwn(loaders, name) ? loaders[name as OperationName] : undefined;
  // Only schemas of one operation fit it; whoever calls it by its name goes through `perform`, which checks them.
  return load === undefined ? undefined : await load();
}
