/** A transcript that grows under the eyes of whoever looks: it stays at its end until a person scrolls away. */
import { existsSync, readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Page } from 'playwright-core';
import { expect, it } from 'vitest';
import { developed, makeProject, type Project, script, until } from '../cli/support.ts';
import { openBrowser, startDashboard } from './browser.ts';

const says = (from: number, to: number): readonly object[] =>
  Array.from({ length: to - from + 1 }, (_, at) => ({ say: `Line ${from + at}. ${'So it goes. '.repeat(at % 20)}` }));
const gate = (name: string): object => ({
  exec: ['sh', '-c', `touch at-${name}.tmp; until [ -e go-${name}.tmp ]; do sleep 0.05; done`],
});

/** The tree of the agent that waits at a gate, once it is there. */
function atGate(project: Project, name: string): Promise<string> {
  const area = join(project.env['HOME'] ?? '', '.local/share/forge/workspaces');
  return until(() => {
    const repositories = existsSync(area) ? readdirSync(area) : [];
    const trees = repositories.flatMap((one) => project.runs().map((run) => join(area, one, run, 'W1', 'tree')));
    return trees.find((tree) => existsSync(join(tree, `at-${name}.tmp`)));
  }, `the gate ${name}`);
}

async function inSight(page: Page, line: number): Promise<boolean> {
  return page.evaluate<boolean>(`(() => {
    const frame = document.querySelector('.entries')?.getBoundingClientRect();
    return [...document.querySelectorAll('.entry')].some((entry) => {
      const { top, bottom } = entry.getBoundingClientRect();
      return entry.innerText.includes('Line ${line}.') && top >= frame.top - 1 && bottom <= frame.bottom + 1;
    });
  })()`);
}

it('shows the last of what an agent says, and keeps still for a person who reads', async () => {
  const work = [...says(1, 60), gate('one'), ...says(61, 120), gate('two'), ...says(121, 180), gate('three')];
  const project = makeProject({
    script: script({ develop: [...work, ...developed] }),
    files: { '.gitignore': '*.tmp\n' },
  });
  await project.start(['run', 'Add a multiplication', '--yes', '--detach']).ended;
  const tree = await atGate(project, 'one');
  const dashboard = await startDashboard(project);
  const browser = await openBrowser();
  try {
    const page = await browser.newPage();
    await page.goto(dashboard.link);
    await page.goto(`${dashboard.address}#/run/-/${project.runs()[0]}/transcript`);
    await expect.poll(() => inSight(page, 60), { timeout: 60_000 }).toBe(true);
    writeFileSync(join(tree, 'go-one.tmp'), '');
    await expect.poll(() => inSight(page, 120), { timeout: 60_000 }).toBe(true);
    // Whoever reads what was said before is left alone.
    await page.locator('.entries').focus();
    await page.keyboard.press('Home');
    await expect.poll(() => inSight(page, 1), { timeout: 60_000 }).toBe(true);
    writeFileSync(join(tree, 'go-two.tmp'), '');
    await atGate(project, 'three');
    await page.getByText('Line 1.').waitFor();
    expect(await inSight(page, 1)).toBe(true);
    await page.locator('.entries').focus();
    await page.keyboard.press('End');
    await expect.poll(() => inSight(page, 180), { timeout: 60_000 }).toBe(true);
    expect(browser.faults).toEqual([]);
  } finally {
    await project.forge('cancel', project.runs()[0] ?? '');
    await browser.close();
    await dashboard.kill();
  }
});
