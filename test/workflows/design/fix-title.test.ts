import { expect, it } from 'vitest';
import { fixTitle } from '../../../src/workflows/design/rules/fix-title.ts';

const quoted = { id: 'F-003/AC2', text: 'Given a comma, when it is exported,\nthen the field is quoted' };

it('names the criterion and its outcome, or several criteria', () => {
  expect(fixTitle('M-005', [quoted])).toBe('fix(M-005): F-003/AC2 the field is quoted');
  expect(fixTitle('e2e', [quoted, { id: 'J-001', text: '' }])).toBe('fix(e2e): F-003/AC2, J-001');
  expect(fixTitle('M-005', [{ id: 'F-003/AC1', text: `Performance: ${'x'.repeat(90)}` }])).toHaveLength(83);
  expect(fixTitle('e2e', [])).toBe('fix(e2e): satisfy acceptance criteria');
});
