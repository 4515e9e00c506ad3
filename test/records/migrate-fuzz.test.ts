/** Records of other tools, however broken: migration never throws, says every change, and a second one changes nothing. */
import fc from 'fast-check';
import { expect, it } from 'vitest';
import { checkRecord } from '../../src/records/check-record.ts';
import { entityNames } from '../../src/records/entity.ts';
import { idFromName, migrateRecord } from '../../src/records/migrate-records.ts';
import { recordTemplates } from '../../src/records/record-templates.ts';

const odd = fc.oneof(
  fc.constantFrom(
    null,
    '',
    0,
    -1,
    'open',
    'implemented',
    'Approved',
    'Revision Required',
    '20260415T141523000Z',
    '2026-04-15',
  ),
  fc.jsonValue(),
);
const field = fc.constantFrom(
  'status',
  'taskId',
  'sprintId',
  'bugId',
  'eventId',
  'verdict',
  'path',
  'createdAt',
  'type',
  'startTimestamp',
  'durationMinutes',
  'role',
  'x',
);

it('is the same after one migration and after two', () => {
  fc.assert(
    fc.property(
      fc.constantFrom(...entityNames),
      fc.dictionary(field, odd, { maxKeys: 6 }),
      fc.string({ maxLength: 30 }),
      (entity, changes, name) => {
        const origin = { entity, id: idFromName(name), sprint: 'S1' };
        const value = { ...recordTemplates[entity], ...changes };
        const once = migrateRecord(value, origin);
        expect(migrateRecord(once.record, origin)).toEqual({ record: once.record, changes: [] });
        if (once.changes.length === 0) expect(once.record).toEqual(value);
        const checked = checkRecord(entity, once.record);
        if (!checked.ok) for (const { where, problem } of checked.faults) expect([where, problem]).not.toContain('');
      },
    ),
    { numRuns: 100 },
  );
});
