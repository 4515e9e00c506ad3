/** The pages people read: the same records are the same pages, and nothing a record says breaks out of its cell. */
import fc from 'fast-check';
import { expect, it } from 'vitest';
import { collateRecords } from '../../src/records/collate-records.ts';
import { recordTemplates } from '../../src/records/record-templates.ts';

const { sprint, task, bug, feature } = recordTemplates;

it('has an index and a page per feature', () => {
  const done = {
    ...task,
    taskId: 'ACME-S01-T02',
    title: 'Two',
    status: 'committed',
    feature_id: 'FEAT-001',
    estimate: 'S',
  };
  const pages = collateRecords({ sprints: [sprint], tasks: [done, task], bugs: [bug], features: [feature] });
  expect(pages.map(({ path }) => path)).toEqual(['MASTER_INDEX.md', 'features/FEAT-001.md']);
  const [index, page] = pages;
  expect(index?.text).toContain('## ACME-S01: What this sprint is for\n\nStatus: planning\n');
  expect(index?.text.indexOf('ACME-S01-T01')).toBeLessThan(index?.text.indexOf('ACME-S01-T02') ?? 0);
  expect(page?.text).toContain('1 of 1 tasks are committed.');
  expect(page?.text).toContain('| ACME-S01-T02 | Two | committed | S |');
});

it('keeps every table whole, whatever a title says', () => {
  fc.assert(
    fc.property(fc.string(), (title) => {
      const [index] = collateRecords({ sprints: [sprint], tasks: [{ ...task, title }], bugs: [], features: [] });
      const row = index?.text.split('\n').find((line) => line.startsWith('| ACME-S01-T01 |')) ?? '';
      expect(row.replace(/\\./g, '').split('|')).toHaveLength(6);
    }),
  );
});
