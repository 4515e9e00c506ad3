/** A run by the keyboard alone, from its form to its landing; and the same run on a phone, where its plan is approved. */
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { developed, makeProject, plan, type Project, script, until } from '../cli/support.ts';
import { type Dashboard, type OpenBrowser, openBrowser, startDashboard } from './browser.ts';
import { axe, views } from './looks.ts';

const [first] = plan.tasks;
const twoTasks = {
  ...plan,
  tasks: [first, { ...first, id: 'T2', title: 'Multiply many', depends: ['T1'], writes: ['src/many.js'] }],
  waves: [['T1'], ['T2']],
};

/** What has the focus: its label, or what it says. */
const focused = `(() => {
  const { activeElement: element } = document;
  const label = element.getAttribute('aria-label') ?? element.labels?.[0]?.innerText ?? element.innerText ?? '';
  return label.trim();
})()`;

/** As a person does who has no mouse. */
async function tabTo(page: Page, name: string): Promise<void> {
  for (let presses = 0; presses < 120; presses += 1) {
    if ((await page.evaluate(focused)) === name) return;
    await page.keyboard.press('Tab');
  }
  throw new Error(`the Tab key never came to ${name}`);
}

async function expectFits(page: Page, where: string): Promise<void> {
  const isTooWide = await page.evaluate('document.documentElement.scrollWidth > innerWidth + 1');
  expect({ where, isTooWide }).toEqual({ where, isTooWide: false });
  expect(await axe(page), where).toEqual([]);
}

describe('without a mouse, and on a phone', () => {
  let project: Project;
  let dashboard: Dashboard;
  let browser: OpenBrowser;

  beforeAll(async () => {
    project = makeProject({ script: script({ plan: twoTasks, develop: developed }) });
    dashboard = await startDashboard(project);
    browser = await openBrowser();
  });
  afterAll(async () => {
    await browser?.close();
    await dashboard?.kill();
  });

  it('a run is started by key, approved on the phone, looked at and landed by key', async () => {
    const page = await browser.newPage();
    await page.goto(dashboard.link);
    await page.getByText('There are no runs yet').waitFor();
    await page.keyboard.press('?');
    await page.getByRole('dialog', { name: 'Keyboard shortcuts' }).waitFor();
    await page.keyboard.press('Escape');
    await page.keyboard.press('g');
    await page.keyboard.press('n');
    await page.getByLabel('What should be built?').waitFor();
    await tabTo(page, 'What should be built?');
    await page.keyboard.type('Add a multiplication');
    await tabTo(page, 'Start');
    await page.keyboard.press('Enter');
    await page.getByRole('button', { name: 'Continue as it is' }).waitFor({ timeout: 120_000 });
    await tabTo(page, 'Continue as it is');
    await page.keyboard.press('Enter');
    await page.getByRole('heading', { name: 'Go ahead with this plan?' }).waitFor({ timeout: 120_000 });
    // The graph is part of what is approved.
    await page.getByRole('group', { name: 'Dependency graph' }).getByText('T2').first().waitFor();
    expect(await axe(page)).toEqual([]);

    const phone = await browser.newPage();
    await phone.setViewportSize({ width: 375, height: 812 });
    await phone.goto(dashboard.address);
    await phone.getByRole('heading', { name: 'Go ahead with this plan?' }).waitFor();
    await expectFits(phone, 'home');
    await phone.getByRole('link', { name: 'Read the whole plan' }).click();
    await phone.getByRole('heading', { name: 'What depends on what' }).waitFor();
    await expectFits(phone, 'the plan');
    await phone.getByRole('button', { name: 'Yes, start' }).click();

    // Numbers choose views; every one of them fits the phone too.
    await page.getByRole('button', { name: 'Land' }).waitFor({ timeout: 240_000 });
    for (const [at, name] of views.entries()) {
      await page.keyboard.press(String(at + 1));
      await page.locator(`[role="tab"][aria-selected="true"]:text-is("${name}")`).waitFor();
      await phone.getByRole('tab', { name }).click();
      await phone.locator('.view:not(:has(.loading))').waitFor();
      await expectFits(phone, name);
    }
    await phone.close();

    const before = project.git('rev-parse', 'main');
    for (const action of ['Land', 'Undo']) {
      // From the top of the page; a long view below may hold hundreds of links.
      await page.reload();
      await page.getByRole('button', { name: action }).waitFor({ timeout: 60_000 });
      await tabTo(page, action);
      await page.keyboard.press('Enter');
      await page.getByRole('dialog').waitFor();
      await page.keyboard.press('Tab');
      await tabTo(page, action);
      await page.keyboard.press('Enter');
      await page.getByRole('dialog').waitFor({ state: 'detached', timeout: 60_000 });
      await until(() => (project.git('rev-parse', 'main') === before) === (action === 'Undo'), `main after ${action}`);
    }
    expect(browser.faults).toEqual([]);
  });
});
