/**
 * A run whose agents say, write and name things that want to be more than text: markup, scripts, terminal sequences,
 * characters that turn the direction of a line, lines without an end. In the dashboard and in the file from disk all of it is
 * text, on a wide screen and on a phone.
 */
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { developed, makeProject, plan, type Project, script } from '../cli/support.ts';
import { type Dashboard, type OpenBrowser, openBrowser, startDashboard } from './browser.ts';
import { axe, views } from './looks.ts';

const markup = '<img src=x onerror="globalThis.taken=1"><script>globalThis.taken=1</script>';
const terminal = '\u001b[31mred\u001b[0m\u001b]8;;javascript:globalThis.taken=1\u0007link\u001b]8;;\u0007';
const turned = 'invoice\u202egnp.exe\u202c';
const endless = `begin-${'x'.repeat(5_000_000)}`;
const [task] = plan.tasks;

const hostilePlan = {
  ...plan,
  tasks: [
    {
      ...task,
      title: `Multiply ${markup}`,
      objective: `[click](javascript:globalThis.taken=1) ${markup}`,
      writes: ['src/**', 'test/mul.test.js'],
    },
  ],
};

const hostileWork = [
  { say: `${markup} ${terminal} ${turned}` },
  { say: endless },
  { write: { path: 'src/<b onclick=alert(1)>.js', content: `// ${markup}\n// ${turned}\n` } },
  { write: { path: 'src/\u202egnp.js', content: 'export const a = 1;\n' } },
  { write: { path: 'src/two\nlines.js', content: 'export const b = 1;\n' } },
  { write: { path: 'src/endless.js', content: `export const long = '${'y'.repeat(5_000_000)}';\n` } },
  ...developed,
];

/** Evaluated in the page. */
const lookForMore = `(() => ({
  taken: globalThis.taken,
  images: document.querySelectorAll('img, iframe, object, embed, [onclick], [onerror]').length,
  links: [...document.querySelectorAll('a[href]')]
    .map((link) => link.protocol)
    .filter((protocol) => !['http:', 'file:'].includes(protocol)),
  turned: /[\\u202a-\\u202e\\u2066-\\u2069\\u001b]/.test(document.body.innerText),
  isTooWide: document.documentElement.scrollWidth > globalThis.innerWidth + 1,
}))()`;

/** Nothing ran, nothing was loaded, nothing became an element, and no line makes the page wider than the window. */
async function expectOnlyText(page: Page, where: string): Promise<void> {
  const found: unknown = await page.evaluate(lookForMore);
  expect(found, where).toEqual({ taken: undefined, images: 0, links: [], turned: false, isTooWide: false });
}

async function walk(page: Page): Promise<void> {
  for (const name of views) {
    await page.getByRole('tab', { name }).click();
    await page.locator('.view:not(:has(.loading))').waitFor();
    await expectOnlyText(page, name);
    expect(await axe(page), name).toEqual([]);
  }
  await page.getByRole('tab', { name: 'Transcript' }).click();
  await page.locator('.view:not(:has(.loading))').waitFor();
}

describe('hostile content', () => {
  let project: Project;
  let dashboard: Dashboard;
  let browser: OpenBrowser;
  let run = '';

  beforeAll(async () => {
    project = makeProject({ script: script({ plan: hostilePlan, develop: hostileWork }) });
    await project.forge('run', `Add ${markup} ${turned}`, '--yes');
    [run = ''] = project.runs();
    // Two ask the same.
    for (const what of ['about', 'again about'])
      await project.forge('run', `Ask ${what} ${markup} ${turned}`, '--plan-only', '--fresh');
    dashboard = await startDashboard(project);
    browser = await openBrowser();
  });
  afterAll(async () => {
    await browser?.close();
    await dashboard?.kill();
  });

  it.each([
    ['a wide window', { width: 1280, height: 900 }],
    ['a phone', { width: 375, height: 812 }],
  ])('is text in the dashboard, in %s', async (_, size) => {
    const page = await browser.newPage();
    await page.setViewportSize(size);
    await page.goto(dashboard.link);
    await page.locator('a[data-entry]').first().waitFor();
    await expectOnlyText(page, 'home');
    expect(await axe(page)).toEqual([]);
    await page.goto(`${dashboard.address}#/run/-/${run}`);
    await page.getByRole('tab', { name: 'Steps' }).waitFor();
    await walk(page);
    if (size.width < 600) {
      const option = page.locator('nav.sessions option', { hasText: /^developer/ }).first();
      await page.locator('nav.sessions select').selectOption(await option.getAttribute('value'));
    } else
      await page
        .getByRole('link', { name: /developer/ })
        .first()
        .click();
    await page.getByText('<img src=x onerror="globalThis.taken=1">').first().waitFor();
    await page.getByText('invoice⟨U+202E⟩gnp.exe').first().waitFor();
    await expectOnlyText(page, 'transcript');
    // A document is drawn, and what it holds of strangers stays text in it.
    await page.getByRole('tab', { name: 'Documents' }).click();
    await page.getByRole('link', { name: 'report.md' }).click();
    await page.getByRole('button', { name: 'Document', exact: true }).waitFor();
    await page.getByText('<script>globalThis.taken=1</script>').first().waitFor();
    await expectOnlyText(page, 'report.md');
    expect(await axe(page)).toEqual([]);
    await page.getByRole('tab', { name: 'Changes' }).click();
    await page.getByText('src/<b onclick=alert(1)>.js').first().waitFor();
    await page.getByText('⟨U+202E⟩gnp.js').first().waitFor();
    await page.getByText('src/two␊lines.js').first().waitFor();
    await expectOnlyText(page, 'changes');
    await page.close();
    expect(browser.faults).toEqual([]);
  });

  it.each([
    ['a wide window', { width: 1280, height: 900 }],
    ['a phone', { width: 375, height: 812 }],
  ])('is text in what a person is asked, in %s', async (_, size) => {
    const page = await browser.newPage();
    await page.setViewportSize(size);
    await page.goto(dashboard.link);
    await page.getByRole('heading', { name: 'Go ahead with this plan?' }).nth(1).waitFor();
    await expectOnlyText(page, 'home');
    expect(await axe(page)).toEqual([]);
    await page.getByRole('link', { name: 'Read the whole plan' }).first().click();
    await page.getByText(`Multiply ${markup}`).first().waitFor();
    await page.getByText('[click](javascript:globalThis.taken=1)').first().waitFor();
    await expectOnlyText(page, 'the plan');
    await page.getByRole('button', { name: 'Edit the plan…' }).click();
    await page.getByRole('dialog').getByLabel('Title').waitFor();
    await expectOnlyText(page, 'the plan as a form');
    await page.getByRole('dialog').getByRole('button', { name: 'Text' }).click();
    await expectOnlyText(page, 'the plan as text');
    await page.keyboard.press('Escape');
    await page.getByRole('group', { name: 'Actions' }).getByRole('button', { name: 'Cancel' }).click();
    await page.getByRole('dialog').waitFor();
    await expectOnlyText(page, 'what an action would do');
    await page.close();
    expect(browser.faults).toEqual([]);
  });

  it('leads no request out of the run', async () => {
    const page = await browser.newPage();
    await page.goto(dashboard.link);
    const asked: readonly (readonly [string, object])[] = [
      ['read-document', { run, name: '../journal.jsonl' }],
      ['read-document', { run, name: '/etc/passwd' }],
      ['diff-file', { run, path: '../../etc/passwd' }],
      ['diff-file', { run, path: '/etc/passwd' }],
      ['read-transcript', { run, key: '../../../../etc/passwd' }],
      ['read-check', { run, key: '../../..' }],
      ['inspect-run', { run: '../../etc' }],
    ];
    const answers = await page.evaluate(async (calls) => {
      const call = async ([operation, input]: readonly [string, object]): Promise<string> => {
        const headers = { 'content-type': 'application/json' };
        const body = JSON.stringify({ input });
        return (await fetch(`/api/call/${operation}`, { method: 'POST', headers, body })).text();
      };
      return Promise.all(calls.map(call));
    }, asked);
    expect(answers.filter((answer) => /root:|run\.created/.test(answer))).toEqual([]);
    // A page of another address can neither read nor change anything, although the browser has the cookie.
    await page.route('http://evil.example/**', (route) =>
      route.fulfill({ contentType: 'text/html', body: '<p>x</p>' }),
    );
    await page.goto('http://evil.example/');
    const reached = await page.evaluate(async (address) => {
      const init = { method: 'POST', credentials: 'include', body: '{"input":{}}' } as const;
      return fetch(`${address}api/call/describe-start`, init).then(
        ({ status }) => status,
        () => 'refused',
      );
    }, dashboard.address);
    expect(reached).toBe('refused');
    await page.close();
    browser.faults.length = 0;
  });

  it('is text in the file from disk, which asks nobody for anything', async () => {
    const file = join(project.root, '../run.html');
    expect((await project.forge('report', run, '--html', file)).code).toBe(0);
    const page = await browser.newPage();
    const asked: string[] = [];
    page.on('request', (request) => asked.push(request.url()));
    await page.goto(pathToFileURL(file).href);
    await page.getByRole('tab', { name: 'Steps' }).waitFor();
    await walk(page);
    await page
      .getByRole('link', { name: /developer/ })
      .first()
      .click();
    await page.getByText('<img src=x onerror="globalThis.taken=1">').first().waitFor();
    // Nothing can be changed in a file.
    expect(await page.getByRole('group', { name: 'Actions' }).count()).toBe(0);
    expect(asked.filter((url) => !url.startsWith('file:') && !url.startsWith('data:'))).toEqual([]);
    await page.setViewportSize({ width: 375, height: 812 });
    await expectOnlyText(page, 'a phone');
    await page.close();
    expect(browser.faults).toEqual([]);
  });
});
