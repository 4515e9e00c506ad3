/** What lies in `.gsd` is read without following a link, and what is not read is named. */
import { mkdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { readGsdProject } from '../../src/gsd/read-project.ts';
import { tempDir } from '../support/temp.ts';

it('names links, the folder itself too', () => {
  const area = tempDir('gsd');
  const roadmap = join(area, 'elsewhere/milestones/M001/M001-ROADMAP.md');
  mkdirSync(join(roadmap, '..'), { recursive: true });
  writeFileSync(roadmap, '# M001: a\n\n- [ ] **S01: b**\n');
  symlinkSync('elsewhere', join(area, '.gsd'));
  const whole = readGsdProject(area);
  expect([whole.milestones, whole.remarks.map(({ file }) => file)]).toEqual([[], ['.gsd']]);
  mkdirSync(join(area, 'other/.gsd'), { recursive: true });
  symlinkSync('../../elsewhere/milestones', join(area, 'other/.gsd/milestones'));
  const part = readGsdProject(join(area, 'other'));
  expect([part.milestones, part.remarks.map(({ file }) => file)]).toEqual([[], ['milestones']]);
});
