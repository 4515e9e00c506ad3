/**
 * The operations a browser may call: what the dashboard shows and does. Everything else stays on the command line, so
 * that a page that was taken over can do no more than its buttons.
 */
import type { OperationName } from '../api/registry.ts';

const exposed: ReadonlySet<string> = new Set<OperationName>([
  'watch-runs',
  'watch-run',
  'watch-transcript',
  'inspect-run',
  'run-actions',
  'diff-run',
  'diff-file',
  'read-journal',
  'verify-journal',
  'read-transcript',
  'read-check',
  'list-documents',
  'read-document',
  'describe-start',
  'edit-draft',
  'start-run',
  'answer-question',
  'request-changes',
  'pause-run',
  'resume-run',
  'retry-run',
  'cancel-run',
  'land-run',
  'undo-run',
  'cleanup-run',
]);

export function isExposed(name: string): boolean {
  return exposed.has(name);
}
