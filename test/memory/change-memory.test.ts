/** What a person does with lessons: only the lines of that lesson change, and a project's lessons stay in the project. */
import { existsSync, mkdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { changeLesson, findLessons, promoteLesson, replaceFile } from '../../src/memory/change-memory.ts';
import { openMemory } from '../../src/memory/memory-files.ts';
import { tempDir } from '../support/temp.ts';

const text = `# Notes of mine

## Testing (node)
- [2026-01-02,3] Use node --test.
- [2026-01-03,0,0.7] Build first.
prose below
`;

function place() {
  const area = tempDir('forge-lessons');
  const places = { project: join(area, '.forge/memory'), user: join(area, 'user/memory') };
  mkdirSync(places.project, { recursive: true });
  const file = join(places.project, 'testing.md');
  writeFileSync(file, text);
  return { places, file, read: () => readFileSync(file, 'utf8') };
}

describe('a lesson', () => {
  it('is changed or removed alone', async () => {
    const { places, file, read } = place();
    const [first, second] = await findLessons(places);
    expect(first).toMatchObject({ text: 'Use node --test.', scope: 'project', file });
    if (first === undefined || second === undefined) throw new Error('two lessons were written');
    await changeLesson(places, first, 'Use npm test\nalways.');
    expect(read()).toBe(text.replace('Use node --test.', 'Use npm test always.'));
    await changeLesson(places, second, undefined);
    expect(read()).toBe(
      text.replace('Use node --test.', 'Use npm test always.').replace('- [2026-01-03,0,0.7] Build first.\n', ''),
    );
    await expect(changeLesson(places, second, undefined)).rejects.toThrow('no such lesson any more');
  });

  it('reaches other projects only when a person promotes it', async () => {
    const { places } = place();
    const memory = openMemory(places);
    const saved = await memory.save({
      lessons: [{ category: 'Testing', keywords: [], text: 'Mind the time zone.' }],
      applied: [],
      date: '2026-02-01',
    });
    expect(saved).toMatchObject({ added: 1, files: [join(places.project, 'testing.md')] });
    expect(existsSync(places.user)).toBe(false);
    const lesson = (await findLessons(places)).find((one) => one.text === 'Build first.');
    if (lesson === undefined) throw new Error('it was written');
    expect(await promoteLesson(places.user, lesson)).toEqual({ added: 1 });
    expect(await promoteLesson(places.user, lesson)).toEqual({ added: 0 });
    const other = openMemory({ project: join(tempDir(), '.forge/memory'), user: places.user });
    expect((await other.list()).lessons).toMatchObject([{ text: 'Build first.', scope: 'user', confidence: 0.7 }]);
    // A promoted lesson is weighed wherever it is used; nothing is added beside it.
    const learnt = { category: 'Testing', keywords: [], text: 'Another one.' };
    await other.save({ lessons: [learnt], applied: [lesson.id], date: '2026-02-02' });
    expect((await openMemory({ project: '/nowhere/at/all', user: places.user }).list()).lessons).toMatchObject([
      { text: 'Build first.', applied: 1 },
    ]);
  });

  it('is not lost to an editor that was open while a run learnt, and links are not followed', async () => {
    const { places, file, read } = place();
    writeFileSync(file, `${text}- [2026-03-01,0] Learnt meanwhile.\n`);
    const edit = { before: text, after: '# empty\n' };
    await expect(replaceFile(places, file, edit)).rejects.toThrow('changed by a run in the meantime');
    expect(read()).toContain('Learnt meanwhile.');
    const now = { before: read(), after: '## Testing\n- no lesson\n' };
    expect(await replaceFile(places, file, now)).toMatchObject([{ line: 2 }]);
    await expect(replaceFile(places, '/etc/hostname', { before: '', after: 'x' })).rejects.toThrow(
      'no file of lessons',
    );
    const linked = tempDir('forge-lessons');
    symlinkSync(join(places.project, '..'), join(linked, '.forge'));
    expect(await findLessons({ project: join(linked, '.forge/memory'), user: undefined })).toEqual([]);
  });
});
