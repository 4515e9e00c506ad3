import { describe, expect, it } from 'vitest';
import { openScreen } from './screen.ts';
import { makeProject } from './support.ts';

describe('trust', () => {
  it('is asked once by content before a repository can start a program of its own, and again when that changes', async () => {
    const config = (program: string): string => `agents:\n  own: { driver: command, run: [${program}] }\n`;
    const project = makeProject({ config: config('no-such-agent'), trusted: false });
    const refused = await project.forge('run', 'Add something', '--yes');
    expect(refused.code).toBe(2);
    expect(refused.stderr).toContain('the agent own starts ["no-such-agent"]');
    expect(refused.stderr).toContain('forge trust');
    expect(project.runs()).toEqual([]);

    // At a terminal it is asked: no is an answer, and leaving is none.
    const answers = [
      ['Enter', 2],
      ['C-c', 130],
      ['C-d', 130],
    ] as const;
    for (const [key, code] of answers) {
      const screen = openScreen(project, ['run', 'Add something'], { columns: 80 });
      await screen.shows(/Agree to it\?[\s\S]*2\. Yes[\s\S]*Enter/);
      screen.press(key);
      expect(await screen.exit()).toBe(code);
    }
    expect(project.runs()).toEqual([]);

    expect((await project.forge('trust')).code).toBe(3);
    expect((await project.forge('trust', '--yes')).stdout).toContain('Agreed.');
    expect(JSON.parse((await project.forge('trust', '--json')).stdout)).toMatchObject({ trusted: true });
    // Agreed to, it is started and cannot be found: another matter, and another exit code.
    expect((await project.forge('run', 'Add something', '--yes')).code).toBe(5);

    project.write({ '.forge/config.yaml': config('another-agent') });
    expect((await project.forge('run', 'Add something', '--yes')).code).toBe(2);
  });
});
