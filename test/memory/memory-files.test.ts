import { existsSync, mkdirSync, readdirSync, readFileSync, statSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { lessonId } from '../../src/memory/lesson.ts';
import { openMemory, userMemory } from '../../src/memory/memory-files.ts';
import { tempDir } from '../support/temp.ts';

const date = '2026-05-06';
const pin = { category: 'Build', keywords: ['npm'], text: 'Pin versions of the compiler' };
const wait = { category: 'Testing', keywords: [], text: 'Wait for conditions' };

function places() {
  const root = tempDir();
  return { project: join(root, '.forge/memory'), user: join(root, 'data/forge/memory') };
}

function tree(directory: string): Record<string, string> {
  const names = existsSync(directory) ? readdirSync(directory).toSorted() : [];
  return Object.fromEntries(names.map((name) => [name, readFileSync(join(directory, name), 'utf8')]));
}

describe('memory', () => {
  it('is empty at first, and making a note of nothing writes nothing', async () => {
    const at = places();
    const memory = openMemory(at);
    expect(await memory.recall('anything', 5)).toEqual({ lessons: [], problems: [] });
    expect(await memory.save({ lessons: [], applied: ['0123456789'], date })).toEqual({
      added: 0,
      merged: 0,
      files: [],
      problems: [],
    });
    expect(existsSync(at.project) || existsSync(at.user)).toBe(false);
  });

  it('keeps lessons by category, once, and for the project alone', async () => {
    const at = places();
    const memory = openMemory(at);
    const files = [join(at.project, 'build.md'), join(at.project, 'testing.md')];
    expect(await memory.save({ lessons: [pin, wait], applied: [], date })).toEqual({
      added: 2,
      merged: 0,
      files,
      problems: [],
    });
    const kept = {
      'build.md': '## Build (npm)\n- [2026-05-06,0] Pin versions of the compiler\n',
      'testing.md': '## Testing\n- [2026-05-06,0] Wait for conditions\n',
    };
    expect([tree(at.project), tree(at.user)]).toEqual([kept, {}]);
    expect(await memory.save({ lessons: [{ ...pin, category: 'Versions' }], applied: [], date })).toEqual({
      added: 0,
      merged: 1,
      files: [],
      problems: [],
    });
    expect([tree(at.project), tree(at.user)]).toEqual([kept, {}]);
  });

  it('recalls them, and counts their use in both places', async () => {
    const at = places();
    const memory = openMemory(at);
    await memory.save({ lessons: [pin, wait], applied: [], date });
    await openMemory({ project: at.user, user: undefined }).save({ lessons: [pin, wait], applied: [], date });
    const id = lessonId(pin.category, pin.text);
    await memory.save({ lessons: [], applied: [id], date: '2026-06-07' });
    expect(await memory.recall('update the compiler', 5)).toEqual({
      lessons: [{ ...pin, id, scope: 'project', date, applied: 1, confidence: 0.5 }],
      problems: [],
    });
    // The user knows it too, and is asked alone.
    const own = await memory.recall('update the compiler', 5, { scope: 'user' });
    expect(own.lessons).toMatchObject([{ id, scope: 'user' }]);
    const all = await memory.list();
    expect(all.files).toEqual(
      [at.project, at.user].flatMap((place) => [join(place, 'build.md'), join(place, 'testing.md')]),
    );
    expect(all.lessons.map(({ scope, text, applied }) => ({ scope, text, applied }))).toEqual(
      (['project', 'user'] as const).flatMap((scope) => [
        { scope, text: pin.text, applied: 1 },
        { scope, text: wait.text, applied: 0 },
      ]),
    );
    expect(tree(at.user)['build.md']).toBe('## Build (npm)\n- [2026-05-06,1] Pin versions of the compiler\n');
  });

  it('adds to what a person wrote, and keeps the permissions of the file', async () => {
    const at = places();
    mkdirSync(at.project, { recursive: true });
    const mine = '# Ours\n\n## Build (make)\nRead this.\n- not one\n- [2026-01-01,4] Build twice\n';
    writeFileSync(join(at.project, 'notes.md'), mine, { mode: 0o600 });
    writeFileSync(join(at.project, 'testing.md'), '## Testing (vitest)\n');
    const saved = await openMemory({ ...at, user: undefined }).save({ lessons: [pin, wait], applied: [], date });
    expect(saved).toEqual({
      added: 2,
      merged: 0,
      files: [join(at.project, 'notes.md'), join(at.project, 'testing.md')],
      problems: [
        {
          source: join(at.project, 'notes.md'),
          line: 5,
          problem: '"- not one" is not a lesson "- [YYYY-MM-DD,0] text".',
        },
      ],
    });
    expect(tree(at.project)).toEqual({
      'notes.md': `${mine.replace('(make)', '(make, npm)')}- [2026-05-06,0] Pin versions of the compiler\n`,
      'testing.md': '## Testing (vitest)\n- [2026-05-06,0] Wait for conditions\n',
    });
    expect(statSync(join(at.project, 'notes.md')).mode & 0o777).toBe(0o600);
    expect(existsSync(at.user)).toBe(false);
  });

  it('neither reads nor writes through links, and leaves what it cannot read alone', async () => {
    const at = places();
    const outside = join(tempDir(), 'secret.md');
    writeFileSync(outside, '## Build\n- [2026-01-01,0] Pin everything\n');
    mkdirSync(at.project, { recursive: true });
    symlinkSync(outside, join(at.project, 'build.md'));
    writeFileSync(join(at.project, 'testing.md'), Buffer.from([0x23, 0xff, 0xfe]));
    mkdirSync(join(at.project, 'folder.md'));
    const memory = openMemory({ ...at, user: undefined });
    const problems = [
      { source: join(at.project, 'build.md'), line: 0, problem: 'It cannot be read: it is a symbolic link.' },
      { source: join(at.project, 'folder.md'), line: 0, problem: 'It cannot be read: it is not a regular file.' },
      { source: join(at.project, 'testing.md'), line: 0, problem: 'It cannot be read: it is not UTF-8 text.' },
    ];
    expect(await memory.recall('pin everything', 5)).toEqual({ lessons: [], problems });
    expect(await memory.save({ lessons: [pin, wait], applied: [], date })).toEqual({
      added: 2,
      merged: 0,
      files: [join(at.project, 'build-2.md'), join(at.project, 'testing-2.md')],
      problems,
    });
    expect(readFileSync(outside, 'utf8')).toBe('## Build\n- [2026-01-01,0] Pin everything\n');
    expect(readFileSync(join(at.project, 'testing.md'))).toEqual(Buffer.from([0x23, 0xff, 0xfe]));
  });

  it.each(['.forge', '.forge/memory'])('does not follow %s out of the repository', async (link) => {
    const root = tempDir();
    const outside = tempDir();
    mkdirSync(join(outside, 'memory'));
    if (link !== '.forge') mkdirSync(join(root, '.forge'));
    symlinkSync(outside, join(root, link));
    const memory = openMemory({ project: join(root, '.forge/memory'), user: undefined });
    const problem = 'It is not a directory of its own, so no lessons are kept there.';
    const problems = [{ source: join(root, link), line: 0, problem }];
    expect(await memory.save({ lessons: [pin], applied: [], date })).toEqual({
      added: 0,
      merged: 0,
      files: [],
      problems,
    });
    expect(await memory.recall('pin', 5)).toEqual({ lessons: [], problems });
    expect(await memory.list()).toEqual({ lessons: [], files: [], problems });
    expect([readdirSync(outside), readdirSync(join(outside, 'memory'))]).toEqual([['memory'], []]);
  });

  it('reports a place that cannot be written, and still keeps the other', async () => {
    const at = places();
    mkdirSync(join(at.user, '..'), { recursive: true });
    writeFileSync(at.user, 'a file in the way');
    const saved = await openMemory(at).save({ lessons: [pin], applied: ['0123456789'], date });
    expect(saved).toMatchObject({ added: 1, merged: 0, files: [join(at.project, 'build.md')] });
    expect(saved.problems).toEqual([
      { source: at.user, line: 0, problem: expect.stringContaining('cannot be written') },
    ]);
  });

  it('loses nothing when many save at once, and a dead holder does not block them', async () => {
    const at = places();
    mkdirSync(at.project, { recursive: true });
    const { hostname } = await import('node:os');
    writeFileSync(join(at.project, '.lock'), JSON.stringify({ host: hostname(), pid: 2 ** 22 + 1 }));
    const lessons = Array.from({ length: 20 }, (_, n) => ({ ...pin, text: `Pin number ${n}` }));
    const saved = await Promise.all(
      lessons.map(async (lesson) => openMemory(at).save({ lessons: [lesson], applied: [], date })),
    );
    expect(saved.map(({ added, problems }) => ({ added, problems }))).toEqual(
      lessons.map(() => ({ added: 1, problems: [] })),
    );
    for (const place of [at.project]) {
      expect(Object.keys(tree(place))).toEqual(['build.md']);
      expect(tree(place)['build.md']?.trim().split('\n').slice(1).toSorted()).toEqual(
        lessons.map(({ text }) => `- [2026-05-06,0] ${text}`).toSorted(),
      );
    }
  });

  it('has a file name for every category', async () => {
    const at = places();
    const lessons = ['Прочее', 'Größe & Maß', '../../etc', ''].map((category, n) => ({
      category,
      keywords: [],
      text: `x${n}`,
    }));
    await openMemory({ ...at, user: undefined }).save({ lessons, applied: [], date });
    expect(readdirSync(at.project).toSorted()).toEqual([
      expect.stringMatching(/^category-[0-9a-f]{8}\.md$/),
      'etc.md',
      'general.md',
      expect.stringMatching(/^gro.*\.md$/),
    ]);
  });
});

describe("the user's memory", () => {
  it('is where the system keeps data', () => {
    expect(userMemory({ XDG_DATA_HOME: '/data' }, '/home/me')).toBe('/data/forge/memory');
    expect(userMemory({ XDG_DATA_HOME: 'data' }, '/home/me')).toBe('/home/me/.local/share/forge/memory');
    expect(userMemory({}, '/home/me')).toBe('/home/me/.local/share/forge/memory');
  });
});
