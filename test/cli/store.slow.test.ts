/** Records through the real command: a store from nothing to a committed task, its gates, its pages, and a store of another tool. */
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { makeProject } from './support.ts';

const sprint = JSON.stringify({
  sprintId: 'ACME-S01',
  title: 's',
  status: 'active',
  taskIds: ['ACME-S01-T01'],
  createdAt: '2026-01-01T00:00:00Z',
});
const path = 'engineering/sprints/ACME-S01/ACME-S01-T01';
const task = { taskId: 'ACME-S01-T01', sprintId: 'ACME-S01', title: 't', status: 'draft', path };

it('a gate opens when its files are committed and its verdicts recorded, and not before', async () => {
  const project = makeProject({ config: null });
  const forge = async (...args: string[]) => (await project.forge(...args)).code;
  expect(await forge('store', 'write', 'sprint', sprint)).toBe(0);
  expect(await forge('store', 'write', 'task', JSON.stringify(task))).toBe(0);
  expect(await forge('store', 'write', 'task', JSON.stringify({ ...task, status: 'approved' }))).toBe(1);
  expect(await forge('pipeline', 'gate', 'ACME-S01-T01', 'review-plan')).toBe(1);
  project.write({ [`${path}/PLAN.md`]: 'x'.repeat(300) });
  // In somebody's checkout it does not count.
  expect(await forge('pipeline', 'gate', 'ACME-S01-T01', 'review-plan')).toBe(1);
  project.commit('plan');
  expect(await forge('pipeline', 'gate', 'ACME-S01-T01', 'review-plan')).toBe(0);
  const blocked = await project.forge('pipeline', 'gate', 'ACME-S01-T01', 'implement', '--json');
  expect(JSON.parse(blocked.stdout)).toMatchObject({
    before: { ok: false, reasonCode: 'predecessor-verdict-missing' },
  });
  project.write({ [`${path}/REVIEW-PLAN-SUMMARY.json`]: '{"objective":"o","verdict":"approved"}' });
  expect(await forge('store', 'set-summary', 'ACME-S01-T01', 'review_plan')).toBe(0);
  expect(await forge('pipeline', 'verdict', 'ACME-S01-T01', 'review-plan')).toBe(0);
  expect(await forge('pipeline', 'gate', 'ACME-S01-T01', 'implement')).toBe(0);
  expect(await forge('pipeline', 'check')).toBe(0);
});

it('pages follow the records, and a second collation changes nothing', async () => {
  const project = makeProject({ config: null });
  expect(await project.forge('collate')).toMatchObject({ code: 1, stderr: expect.stringContaining('has no records') });
  expect(project.git('status', '--porcelain')).toBe('');
  await project.forge('store', 'write', 'sprint', sprint);
  await project.forge('store', 'write', 'task', JSON.stringify(task));
  expect((await project.forge('health')).code).toBe(1);
  expect((await project.forge('collate')).stdout).toBe('Wrote engineering/MASTER_INDEX.md\n');
  const state = readFileSync(join(project.root, '.forge/store/COLLATION_STATE.json'), 'utf8');
  expect((await project.forge('collate')).stdout).toBe('Everything is up to date.\n');
  expect(readFileSync(join(project.root, '.forge/store/COLLATION_STATE.json'), 'utf8')).toBe(state);
  const healthy = await project.forge('health');
  expect({ code: healthy.code, stdout: healthy.stdout }).toMatchObject({ code: 0 });
});

it('a store of another tool is migrated, and put back byte by byte', async () => {
  const project = makeProject({ config: null });
  const bug =
    '{"bugId":"BUG-001","title":"b","severity":"minor","status":"open","path":"x.ts","reportedAt":"2026-04-05","resolvedAt":null}';
  const event =
    '{"eventId":"x","taskId":"BUG-001","role":"plan","startTimestamp":"20260412T113212Z","endTimestamp":null,"verdict":"Revision Required"}';
  const name = '2026-04-12T11:32:12.000Z_BUG-001_plan_plan-fix';
  project.write({ '.forge/store/bugs/BUG-001.json': bug, [`.forge/store/events/bugs/${name}.json`]: event });
  expect((await project.forge('store', 'validate')).code).toBe(1);
  expect((await project.forge('store', 'migrate', '--dry-run')).stdout).toContain(
    '3 files would change; left to you: 0.',
  );
  expect(readFileSync(join(project.root, '.forge/store/bugs/BUG-001.json'), 'utf8')).toBe(bug);
  await project.forge('store', 'migrate');
  expect((await project.forge('store', 'validate')).code).toBe(0);
  const read = await project.forge('store', 'read', 'event', '20260412T113212000Z_BUG-001_plan_plan-fix', '--json');
  expect(JSON.parse(read.stdout)).toMatchObject({
    bugId: 'BUG-001',
    verdict: 'revision',
    action: 'plan-fix',
    durationMinutes: 0,
  });
  await project.forge('store', 'migrate', '--back');
  expect(readFileSync(join(project.root, '.forge/store/bugs/BUG-001.json'), 'utf8')).toBe(bug);
  expect(readFileSync(join(project.root, `.forge/store/events/bugs/${name}.json`), 'utf8')).toBe(event);
});

it('forcing and skipping checks need a person, and are on record', async () => {
  const project = makeProject({ config: null });
  await project.forge('store', 'write', 'sprint', sprint);
  await project.forge('store', 'write', 'task', JSON.stringify(task));
  const force = ['store', 'update-status', 'task', 'ACME-S01-T01', 'status', 'approved', '--force'];
  expect((await project.forge(...force)).code).toBe(1);
  expect((await project.start(force, { FORGE_ALLOW_FORCE: '1' }).ended).code).toBe(0);
  const odd = JSON.stringify({ ...task, status: 'approved', colour: 'blue' });
  expect((await project.forge('store', 'write', 'task', odd)).code).toBe(1);
  expect((await project.start(['store', 'write', 'task', odd], { FORGE_SKIP_WRITE_VALIDATION: '1' }).ended).code).toBe(
    0,
  );
  const log = readFileSync(join(project.root, '.forge/store/events/ACME-S01/progress.log'), 'utf8');
  expect(log).toMatch(/forced task ACME-S01-T01 status: draft → approved\n.*written without checks: colour\n$/s);
  // What does not fit is told wherever it is read.
  writeFileSync(join(project.root, '.forge/store/tasks/ACME-S01-T02.json'), '{bad');
  expect((await project.forge('store', 'read', 'task', 'ACME-S01-T02')).code).toBe(1);
  expect((await project.forge('store', 'read', 'task', 'ACME-S01-T01')).stderr).toContain('There is no field "colour"');
});
