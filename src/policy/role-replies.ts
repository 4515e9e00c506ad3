/** What each role of Forge's own workflows answers with: one table for those who ask and those who tell of it. */
import type { z } from 'zod';
import { debuggerResult, modulePlanResult, overseerResult, reviewerResult, workerResult } from './module-results.ts';
import { developerResult, learnerResult, plannerResult, testerResult } from './role-results.ts';

export const roleSchemas = {
  planner: plannerResult,
  developer: developerResult,
  tester: testerResult,
  learner: learnerResult,
  architect: modulePlanResult,
  worker: workerResult,
  reviewer: reviewerResult,
  overseer: overseerResult,
  debugger: debuggerResult,
  auditor: reviewerResult,
} as const;

export type RoleName = keyof typeof roleSchemas;
export type RoleReply<R extends RoleName> = z.infer<(typeof roleSchemas)[R]>;
