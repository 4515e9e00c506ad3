/**
 * A finished run looked at closely: every kind of file in its changes, where its checks failed on the way and what they
 * said on the base, its steps by key, and what a page says while the server is away.
 */
import type { Locator, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { developed, makeProject, plan, type Project, script } from '../cli/support.ts';
import { type Dashboard, type OpenBrowser, openBrowser, startDashboard } from './browser.ts';
import { axe } from './looks.ts';

const [task] = plan.tasks;
const widePlan = { ...plan, tasks: [{ ...task, writes: ['src/**', 'test/**', 'assets/**'] }] };

const table = Array.from({ length: 3000 }, (_, at) => `export const n${at} = ${at};\n`).join('');
const add = '/**\n * The sum of\n * two numbers.\n */\nexport const add = (a, b) => b + a;\n';
const write = (path: string, content: string): object => ({ write: { path, content } });

/** The product is a sum, which its own test sees. */
const wrong = [
  ...developed.slice(0, -1),
  write('src/mul.js', 'export const mul = (a, b) => a + b;\n'),
  write('src/add.js', add),
  write('src/table.js', table),
  write('src/mul.js.map', '{"version":3}\n'),
  { write: { path: 'assets/logo.bin', base64: 'AAEC/w==' } },
  ...developed.slice(-1),
];

describe('a finished run', () => {
  let project: Project;
  let dashboard: Dashboard;
  let browser: OpenBrowser;
  let page: Page;
  let address = '';

  const file = (path: string): Locator => page.locator(`details.file:has(summary:has-text("${path}"))`);

  beforeAll(async () => {
    const steps = script({ plan: widePlan }).map((step) => ({ ...step, repeat: true }));
    project = makeProject({ script: [{ when: { key: 'W1/develop#1' }, do: wrong }, ...steps] });
    const { code, stdout, stderr } = await project.forge('run', 'Add a multiplication', '--yes');
    expect({ code, said: code === 0 ? '' : stdout + stderr }).toEqual({ code: 0, said: '' });
    dashboard = await startDashboard(project);
    address = `${dashboard.address}#/run/-/${project.runs()[0]}`;
    browser = await openBrowser();
    page = await browser.newPage();
    await page.goto(dashboard.link);
    await page.getByText('Finished').first().waitFor();
  });
  afterAll(async () => {
    await browser?.close();
    await dashboard?.kill();
  });

  it('shows every kind of file as what it is', async () => {
    await page.goto(`${address}/changes`);
    await file('src/add.js').getByText('The sum of').waitFor();
    // Both sides, with a comment of several lines as a comment to its end.
    await expect.poll(() => file('src/add.js').locator('table.split-diff').count()).toBe(1);
    await file('src/add.js').locator('.code-comment', { hasText: 'two numbers' }).waitFor();
    await page.getByRole('button', { name: 'Unified' }).click();
    await expect.poll(() => file('src/add.js').locator('table.split-diff').count()).toBe(0);
    await file('src/add.js').locator('tr.removed').first().waitFor();
    // What a machine wrote, and what is long, waits until somebody wants it.
    await file('src/mul.js.map').getByText('generated').waitFor();
    for (const path of ['src/mul.js.map', 'src/table.js']) expect(await file(path).getAttribute('open')).toBeNull();
    await file('assets/logo.bin').getByText('This file is not text').waitFor();
    expect(await axe(page)).toEqual([]);
    await file('src/table.js').locator('summary').click();
    await file('src/table.js')
      .getByRole('button', { name: /more of 3,001 lines/ })
      .click();
    await file('src/table.js').getByText('n2999').waitFor();
    await file('test/mul.test.js')
      .getByText(/before, green after/)
      .waitFor();
  });

  it('shows failures of checks beside the lines they name, and what the base said', async () => {
    await page.goto(`${address}/changes?${new URLSearchParams({ work: 'W1/develop#1' }).toString()}`);
    await file('test/mul.test.js').getByText('check failure').waitFor();
    const note = file('test/mul.test.js').locator('.failure-note').first();
    await note.getByText('node --test').waitFor();
    expect(await note.innerText()).toMatch(/mul/);
    expect(await axe(page)).toEqual([]);
    // The result has none left.
    await page.goto(`${address}/changes`);
    await file('test/mul.test.js').waitFor();
    expect(await page.locator('.failure-note').count()).toBe(0);
    await page.goto(`${address}/evidence`);
    await page.locator('.check-row summary', { hasText: 'exit 1' }).click();
    await page.getByText('On the base:').waitFor();
    await page.getByText(/New failures: .*mul/).waitFor();
    await page.getByText('Output', { exact: true }).waitFor();
    expect(await axe(page)).toEqual([]);
  });

  it('keeps comments until they are sent or forgotten', async () => {
    await page.goto(`${address}/changes`);
    await file('src/add.js').getByRole('button', { name: 'Comment on line 5' }).click();
    await page.keyboard.type('Why turned round?');
    await page.getByRole('button', { name: 'Add comment' }).click();
    await page.reload();
    await page.getByRole('region', { name: 'Your comments' }).getByText('Why turned round?').waitFor();
    await file('src/add.js').getByText('1 comment').waitFor();
    await page.getByRole('button', { name: 'Forget them' }).click();
    await page.reload();
    await file('src/add.js').waitFor();
    expect(await page.getByText('Why turned round?').count()).toBe(0);
  });

  it.each(['Unified', 'Side by side'])('takes comments by key, on removed lines too: %s', async (layout) => {
    await page.goto(`${address}/changes`);
    await page.getByRole('button', { name: layout }).click();
    const line = file('src/add.js').getByRole('button', { name: 'Comment on removed line 1' });
    const words = file('src/add.js').getByRole('textbox', { name: 'Comment on removed line 1' });
    const focused = (): Promise<unknown> => page.evaluate(`document.activeElement.getAttribute('aria-label')`);
    await line.focus();
    await page.keyboard.press('Enter');
    await words.pressSequentially('Why did this go?');
    await page.keyboard.press('Escape');
    // Back where it was opened, and nothing that was written is lost.
    await expect.poll(focused).toBe('Comment on removed line 1');
    await page.keyboard.press('Enter');
    expect(await words.inputValue()).toBe('Why did this go?');
    await page.keyboard.press('Control+Enter');
    await expect.poll(focused).toBe('Comment on removed line 1');
    await page.getByRole('region', { name: 'Your comments' }).getByText('src/add.js:1 (removed) Why').waitFor();
    expect(await axe(page)).toEqual([]);
    await page.getByRole('button', { name: 'Forget them' }).click();
  });

  it('draws documents, and shows them as they are written', async () => {
    await page.goto(`${address}/documents?name=report.md`);
    await page.getByRole('heading', { name: 'Tasks', exact: true }).waitFor();
    await page.getByRole('columnheader', { name: 'Result' }).first().waitFor();
    expect(await axe(page)).toEqual([]);
    await page.getByRole('button', { name: 'Text', exact: true }).click();
    await page.getByText('## Tasks').waitFor();
  });

  it('leads from its steps by key', async () => {
    await page.goto(`${address}/steps`);
    const rows = page.getByRole('treeitem');
    await rows.first().focus();
    await page.keyboard.press('ArrowDown');
    expect(await page.evaluate('document.activeElement.innerText')).toBe(await rows.nth(1).innerText());
    await rows.filter({ hasText: 'developer' }).first().focus();
    await page.keyboard.press('Enter');
    await page.getByText('Writing mul').first().waitFor();
  });

  it('is started again with all that was asked', async () => {
    const asked = 'Add a division\nwith a rule for zero';
    await project.forge('run', asked, '--plan-only');
    const name = project.runs().find((run) => !address.endsWith(run)) ?? '';
    await project.forge('cancel', name);
    await page.goto(`${dashboard.address}#/run/-/${name}`);
    await page.getByRole('link', { name: 'Start again' }).click();
    await expect.poll(() => page.getByLabel('What should be built?').inputValue()).toBe(asked);
    expect(await page.getByRole('radio', { name: /^waves/ }).isChecked()).toBe(true);
  });

  it('says when a part of it did not come, and goes on', async () => {
    const other = await browser.newPage();
    await other.route(/\/assets\/(?:graph|money)-/, (route) => route.abort());
    await other.goto(`${address}/steps`);
    await other.getByRole('treeitem').first().waitFor();
    await other.getByRole('tab', { name: 'Money' }).click();
    await other.getByText('could not be loaded').waitFor();
    expect(await axe(other)).toEqual([]);
    await other.getByRole('tab', { name: 'Journal' }).click();
    await other.getByText('run.created').waitFor();
    await other.unroute(/\/assets\/(?:graph|money)-/);
    await other.getByRole('tab', { name: 'Money' }).click();
    await other.getByRole('button', { name: 'Load the page again' }).click();
    await other.getByRole('columnheader', { name: 'Cost' }).waitFor();
    await other.close();
  });

  it('says when the server is away, and takes up what was missed', async () => {
    const form = await browser.newPage();
    await form.goto(`${dashboard.address}#/start`);
    await form.getByLabel('What should be built?').fill('Add a division');
    await page.goto(`${address}/steps`);
    await page.getByRole('treeitem').first().waitFor();
    const { port } = dashboard;
    await dashboard.kill();
    await page.getByText('does not answer').first().waitFor();
    // What it asks for comes later.
    await page.getByRole('tab', { name: 'Documents' }).click();
    await page.getByText('Check that forge ui is still running').waitFor();
    await form.getByRole('button', { name: 'Start' }).click();
    await form.getByText('Check that forge ui is still running').waitFor();
    dashboard = await startDashboard(project, { port });
    await page.getByRole('link', { name: 'report.md' }).waitFor();
    for (const one of [page, form]) await one.getByRole('button', { name: 'Try now' }).waitFor({ state: 'detached' });
    expect(await form.getByLabel('What should be built?').inputValue()).toBe('Add a division');
    await form.close();
  });
});
