/** A sample of each kind with its required fields filled in, for people and agents who write one. Pure data. */
import type { EntityName, StoredRecord } from './entity.ts';

const day = '2026-01-01T00:00:00Z';

export const recordTemplates: Readonly<Record<EntityName, StoredRecord>> = {
  sprint: { sprintId: 'ACME-S01', title: 'What this sprint is for', status: 'planning', taskIds: [], createdAt: day },
  task: {
    taskId: 'ACME-S01-T01',
    sprintId: 'ACME-S01',
    title: 'What this task changes',
    status: 'draft',
    path: 'engineering/sprints/ACME-S01/ACME-S01-T01',
  },
  bug: {
    bugId: 'ACME-BUG-001',
    title: 'What goes wrong',
    severity: 'minor',
    status: 'reported',
    path: 'engineering/bugs/ACME-BUG-001',
    reportedAt: day,
  },
  event: {
    eventId: '20260101T000000000Z_ACME-S01-T01_engineer_implement',
    taskId: 'ACME-S01-T01',
    sprintId: 'ACME-S01',
    role: 'implement',
    action: 'complete',
    phase: 'implement',
    iteration: 1,
    startTimestamp: day,
    endTimestamp: '2026-01-01T00:10:00Z',
    durationMinutes: 10,
    model: 'unknown',
    provider: 'unknown',
  },
  feature: { id: 'FEAT-001', title: 'What users get', status: 'draft', created_at: day },
};
