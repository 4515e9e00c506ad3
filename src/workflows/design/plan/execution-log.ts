/** `execution-log.md`: what happened, event by event. Entries are only ever added. Pure. */
import { minuteMark } from '../../../policy/document-marks.ts';
import type { DeliveryEvent } from './delivery-state.ts';
import { oneLine, proseText } from './markdown-text.ts';

export const logTitle = '# Execution log\n';

export function logEntry({ title, context, event, details, outcome }: DeliveryEvent): string {
  const facts = details.length === 0 ? '- (none)' : details.map((detail) => `- ${proseText(detail)}`).join('\n');
  return [
    '',
    `### ${minuteMark} — ${oneLine(title)}`,
    '',
    `**Context:** ${oneLine(context)}`,
    '',
    `**Event:** ${oneLine(event)}`,
    '',
    '**Details:**',
    '',
    facts,
    '',
    `**Outcome:** ${oneLine(outcome)}`,
    '',
  ].join('\n');
}
