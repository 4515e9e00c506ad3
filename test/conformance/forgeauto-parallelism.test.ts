/**
 * Batches: mode, batch, skipped and pending as decisions. The two `errors` are about a plan that is not there: nothing is
 * started then, and the reason says what is missing.
 */
import { expect, it } from 'vitest';
import { parse } from 'yaml';
import { z } from 'zod';
import { assembleProject } from '../../src/gsd/assemble-project.ts';
import { nextUnit } from '../../src/gsd/next-unit.ts';
import { type Batch, type BatchTask, nextBatch } from '../../src/plan/batch.ts';
import { readVectors } from './read-vectors.ts';

const taskSchema = z.object({ id: z.string(), fm: z.string().nullable(), done: z.boolean().default(false) });
const caseSchema = z.object({
  name: z.string(),
  input: z.object({ tasks: z.array(taskSchema), maxConcurrent: z.number().nullable() }),
  expect: z.object({
    mode: z.string(),
    batch: z.array(z.string()),
    skipped: z.array(z.object({ id: z.string(), reason: z.string() })).optional(),
    pending: z.array(z.unknown()).optional(),
  }),
});
const frontMatterSchema = z.object({ depends: z.array(z.string()), writes: z.array(z.string()) });

it.each(readVectors('forgeauto-parallelism', caseSchema))('$name', ({ input, expect: wanted }) => {
  const batch = nextBatch(input.tasks.map(asTask), input.maxConcurrent ?? undefined);
  const { mode, batch: ids, skipped, pending } = wanted;
  expect(asVector(batch)).toEqual({ mode, batch: ids, ...(skipped && { skipped }), ...(pending && { pending }) });
});

it('starts nothing without a plan, and says why', () => {
  const roadmap = '# M001: x\n\n## Slices\n\n- [ ] **S01: one** `risk:low` `depends:[]`\n';
  const project = assembleProject(new Map([['milestones/M001/M001-ROADMAP.md', roadmap]]));
  const preferences = { skipDiscuss: true, skipResearch: true, parallel: 3 };
  expect(nextUnit(project, { milestone: 'M999', preferences })).toEqual({
    unit: 'none',
    reason: 'There is no milestone M999',
  });
  expect(nextUnit(project, { preferences })).toMatchObject({ unit: 'plan-slice', reason: 'The slice has no plan' });
});

it('known defect: a bare directory conflicts with a file in it', () => {
  const task = (id: string, write: string) => ({ id, depends: [], writes: [write], done: false });
  expect(nextBatch([task('T01', 'src/auth'), task('T02', 'src/auth/x.ts')])).toEqual({
    mode: 'single',
    batch: ['T01'],
    ready: 2,
    skipped: [{ id: 'T02', reason: 'overlap', with: 'T01' }],
  });
});

function asTask({ id, fm, done }: z.infer<typeof taskSchema>): BatchTask {
  if (fm === null) return { id, done, depends: undefined, writes: undefined };
  // Paths with backslashes are not valid escapes of YAML; the vectors mean them as they stand.
  return { id, done, ...frontMatterSchema.parse(parse(fm.replaceAll('\\', '\\\\'))) };
}

function asVector(batch: Batch): unknown {
  if (batch.mode === 'blocked') return { mode: batch.mode, batch: batch.batch, pending: batch.pending };
  if (batch.mode === 'none' || batch.mode === 'legacy') return { mode: batch.mode, batch: batch.batch };
  const skipped = batch.skipped.map((skip) => ({
    id: skip.id,
    reason: skip.reason === 'limit' ? 'max-concurrent reached' : `writes conflict with ${skip.with}`,
  }));
  return { mode: batch.mode, batch: batch.batch, skipped };
}
