/**
 * A run from its form to its undoing, in a real browser: started, changed, approved, paused, resumed, commented on, landed
 * and undone; with a second window, a server that dies and comes back, the keyboard alone, and every view.
 */
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { developed, makeProject, type Project, script, until } from '../cli/support.ts';
import { type Dashboard, type OpenBrowser, openBrowser, startDashboard } from './browser.ts';
import { axe, views } from './looks.ts';

/** Evaluated in every page, before anything else: what its notifications say is kept for all of them. */
const keepNotifications = `{
  const Real = Notification;
  globalThis.Notification = class extends Real {
    constructor(title, options) {
      super(title, options);
      localStorage.setItem('told', JSON.stringify([...JSON.parse(localStorage.getItem('told') ?? '[]'), options.body]));
    }
  };
}`;

describe('a live run', () => {
  let project: Project;
  let dashboard: Dashboard;
  let browser: OpenBrowser;
  let page: Page;

  beforeAll(async () => {
    const slow = [{ say: `Thinking about mul${', and on'.repeat(40)}` }, { sleep: '6s' }, ...developed];
    project = makeProject({ script: script({ develop: slow }) });
    dashboard = await startDashboard(project);
    browser = await openBrowser();
    await browser.context.grantPermissions(['notifications']);
    await browser.context.addInitScript({ content: keepNotifications });
    page = await browser.newPage();
  });
  afterAll(async () => {
    await browser?.close();
    await dashboard?.kill();
  });

  it('is started, approved, paused, resumed, commented on, landed and undone in the browser', async () => {
    await page.goto(dashboard.link);
    // The token has left the address bar, and an empty home says what to do.
    expect(new URL(page.url()).pathname + new URL(page.url()).search).toBe('/');
    await page.getByText('There are no runs yet').waitFor();
    expect(await axe(page)).toEqual([]);
    await page.getByRole('button', { name: 'Notify me' }).click();
    await page.getByRole('button', { name: 'Notifications on' }).waitFor();
    await page.getByRole('link', { name: 'Start a run' }).click();
    await page.getByLabel('What should be built?').fill('Add a multiplication');
    expect(await axe(page)).toEqual([]);
    await page.getByRole('button', { name: 'Start' }).click();

    // The plan is approved where it is shown.
    await page.getByRole('heading', { name: 'Go ahead with this plan?' }).waitFor({ timeout: 120_000 });
    await page.getByText('Multiply two numbers').first().waitFor();
    // What is asked stands at the top, and nothing moves it away.
    expect(await page.evaluate('scrollY')).toBe(0);
    expect(await axe(page)).toEqual([]);

    // Another plan is made only for a reason.
    await page.getByRole('button', { name: 'Plan it differently' }).click();
    await page.getByText('Say what should be different first.').waitFor();
    expect(await page.evaluate('document.activeElement.labels[0].innerText')).toBe('What should be different');

    // It is edited as a form, with the same check as text.
    await page.getByRole('button', { name: 'Edit the plan…' }).click();
    const dialog = page.getByRole('dialog', { name: 'Edit the plan' });
    await dialog.getByLabel('Files it may change, one per line').fill('../outside');
    await dialog.getByLabel('Title').focus();
    await dialog.getByText('This cannot be sent yet:').waitFor();
    expect(await dialog.getByRole('button', { name: 'Use this plan' }).isDisabled()).toBe(true);
    // What is wrong stays where it was written, and is put right there.
    expect(await dialog.getByLabel('Files it may change, one per line').inputValue()).toBe('../outside');
    await dialog.getByLabel('Files it may change, one per line').fill('src/mul.js\ntest/mul.test.js');
    await dialog.getByLabel('Title').focus();
    await dialog.getByText('This cannot be sent yet:').waitFor({ state: 'detached' });
    expect(await dialog.getByLabel('Commands that prove it, one per line').inputValue()).toBe('node --test');
    expect(await axe(page)).toEqual([]);
    await page.keyboard.press('Escape');

    // A second window sees the same question; one answer wins, and the other is told.
    const other = await browser.newPage();
    await other.goto(dashboard.address);
    await other.getByRole('heading', { name: 'Go ahead with this plan?' }).waitFor();
    const first = page.waitForResponse('**/api/call/answer-question', { timeout: 120_000 });
    await other.route('**/api/call/answer-question', async (route) => {
      await first;
      await route.continue();
    });
    await other.getByRole('button', { name: 'No, stop here' }).click();
    await page.getByRole('button', { name: 'Yes, start' }).click();
    await other.getByText('was answered by somebody else first').waitFor({ timeout: 60_000 });
    expect(await axe(other)).toEqual([]);
    await other
      .getByRole('heading', { name: 'Go ahead with this plan?' })
      .waitFor({ state: 'detached', timeout: 60_000 });
    await other.getByText('Thinking about mul').first().waitFor({ timeout: 120_000 });
    await other.close();

    // On a phone, home is as wide as the phone, however long the line that an agent says.
    const phone = await browser.newPage();
    await phone.setViewportSize({ width: 375, height: 812 });
    await phone.goto(dashboard.address);
    await phone.getByText('Thinking about mul').first().waitFor();
    expect(await phone.evaluate('document.documentElement.scrollWidth > innerWidth + 1')).toBe(false);
    await phone.close();

    // What an agent says is shown while it works.
    await page.getByRole('tab', { name: 'Transcript' }).click();
    await page.getByText('Thinking about mul').first().waitFor({ timeout: 120_000 });

    // The server dies and comes back; the page goes on by itself.
    const { port } = dashboard;
    await dashboard.kill();
    await page.getByText('does not answer').waitFor({ timeout: 60_000 });
    dashboard = await startDashboard(project, { port });
    await page.getByText('does not answer').waitFor({ state: 'detached', timeout: 60_000 });

    await press(page, 'Pause');
    await page.getByRole('button', { name: 'Resume' }).waitFor({ timeout: 60_000 });
    await press(page, 'Resume');
    await page.getByRole('button', { name: 'Land' }).waitFor({ timeout: 240_000 });

    // Whoever asked for it was told once of the question, by whichever window, and of the end.
    await expect
      .poll(() => page.evaluate(`JSON.parse(localStorage.getItem('told') ?? '[]')`), { timeout: 60_000 })
      .toEqual(['Go ahead with this plan?', 'The run is done.']);

    for (const name of views) {
      await page.getByRole('tab', { name }).click();
      await page.locator('.view:not(:has(.loading))').waitFor();
      expect(await axe(page), name).toEqual([]);
    }

    // A comment becomes a new run from the result.
    await page.getByRole('tab', { name: 'Changes' }).click();
    await page.getByRole('button', { name: 'Comment on line 1' }).first().click();
    await page.getByRole('textbox', { name: 'Comment on line 1' }).fill('Say what it returns');
    await page.getByRole('button', { name: 'Add comment' }).click();
    expect(await axe(page)).toEqual([]);
    const finished = page.url();
    await page.getByRole('button', { name: 'Send as' }).click();
    await page.getByRole('heading', { name: 'Change this:' }).waitFor({ timeout: 120_000 });
    await page.getByRole('heading', { name: 'Go ahead with this plan?' }).waitFor({ timeout: 120_000 });
    await press(page, 'Cancel', { sure: true });
    await page.getByText('cancelled').first().waitFor({ timeout: 60_000 });

    await page.goto(finished);
    const before = project.git('rev-parse', 'main');
    await press(page, 'Land');
    await page.getByText('Landed on').waitFor({ timeout: 60_000 });
    expect(project.git('rev-parse', 'main')).not.toBe(before);
    await press(page, 'Undo');
    await until(() => project.git('rev-parse', 'main') === before, 'main is back');
    // What was undone exists nowhere else now, so cleaning up is refused until a person insists.
    await page.getByRole('group', { name: 'Actions' }).getByRole('button', { name: 'Clean up' }).click();
    await page.getByRole('dialog').getByRole('checkbox').check();
    await page.getByRole('dialog').getByRole('button', { name: 'Clean up', exact: true }).click();
    await page.getByRole('button', { name: 'Remove it all the same' }).click();
    await page.getByText('Finished').waitFor({ timeout: 60_000 });
    expect(browser.faults).toEqual([]);
  });

  it('lets nobody else in', async () => {
    const stranger = await openBrowser();
    try {
      const visitor = await stranger.newPage();
      await visitor.goto(dashboard.address);
      await visitor.getByText('This browser is not let in yet').waitFor();
      // A used link is worth nothing.
      await visitor.goto(dashboard.link);
      await visitor.getByText('This browser is not let in yet').waitFor({ state: 'detached' });
      await stranger.context.clearCookies();
      await visitor.goto(dashboard.link);
      await visitor.getByText('This browser is not let in yet').waitFor();
      const status = await visitor.evaluate(async () => (await fetch('/api/about')).status);
      expect(status).toBe(401);
    } finally {
      await stranger.close();
    }
  });
});

async function press(page: Page, name: string, { sure = false } = {}): Promise<void> {
  await page.getByRole('group', { name: 'Actions' }).getByRole('button', { name }).click();
  const dialog = page.getByRole('dialog');
  if (sure) await dialog.getByRole('checkbox').check();
  await dialog.getByRole('button', { name, exact: true }).click();
  await dialog.waitFor({ state: 'detached', timeout: 60_000 });
}
