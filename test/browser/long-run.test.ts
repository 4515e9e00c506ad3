/**
 * A run of 100,000 facts with a transcript of 100 MB: it opens at once, every view of it can be used, lists scroll to their
 * end, and many windows cost the server hardly more than one. Times are printed; their limits are far from what a quiet
 * machine needs, so that only a mistake meets them. `npm run bench` has the figures.
 */
import { mkdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { transcriptName } from '../../src/agents/transcript-name.ts';
import { makeProject, type Project } from '../cli/support.ts';
import { makeLongRun, makeLongTranscript } from '../support/long-run.ts';
import { type Dashboard, type OpenBrowser, openBrowser, startDashboard } from './browser.ts';
import { views } from './looks.ts';

const facts = 100_000;
const session = 'T9/develop#1';
const longestMs = 20_000;

/** Memory of a process, in megabytes. */
function megabytesOf(pid: number): number {
  const text = readFileSync(`/proc/${pid}/status`, 'utf8');
  return Number(/VmRSS:\s+(\d+)/.exec(text)?.[1] ?? 0) / 1024;
}

async function timed(what: string, action: () => Promise<unknown>): Promise<void> {
  const begun = performance.now();
  await action();
  const took = performance.now() - begun;
  console.log(`${what}: ${(took / 1000).toFixed(2)} s`);
  expect(took, what).toBeLessThan(longestMs);
}

/** As another window would: everything there is, and then it stays. Gives how many bytes came. */
async function followWhole(
  { address }: Dashboard,
  { cookie, signal }: { readonly cookie: string; readonly signal: AbortSignal },
): Promise<number> {
  const wanted = encodeURIComponent(JSON.stringify([{ id: '1', operation: 'watch-run', input: { run: 'long' } }]));
  const { body } = await fetch(`${address}api/events?s=${wanted}`, { headers: { cookie }, signal });
  let bytes = 0;
  let end = '';
  // The last piece is the one with a position.
  for await (const part of body ?? []) {
    const text = Buffer.from(part).toString('utf8');
    bytes += part.length;
    end = (end + text).slice(-500);
    if (/"position":"[^"]/.test(end)) return bytes;
  }
  return bytes;
}

describe('a long run', () => {
  let project: Project;
  let dashboard: Dashboard;
  let browser: OpenBrowser;
  let page: Page;
  let entries = 0;

  beforeAll(async () => {
    project = makeProject();
    // The repository becomes one of Forge's.
    await project.forge('list');
    const directory = project.directory('long');
    mkdirSync(join(directory, '..'), { recursive: true });
    makeLongRun(directory, facts);
    entries = makeLongTranscript(join(directory, transcriptName(session)), 100);
    dashboard = await startDashboard(project);
    browser = await openBrowser();
    page = await browser.newPage();
    await page.goto(dashboard.link);
    await page.getByText('A long run').first().waitFor();
  }, 300_000);
  afterAll(async () => {
    await browser?.close();
    await dashboard?.kill();
  });

  it('opens, and every view of it can be used', async () => {
    await timed('first view', async () => {
      await page.goto(`${dashboard.address}#/run/-/long`);
      await page.getByRole('treeitem').first().waitFor();
    });
    for (const name of views) {
      await timed(name, async () => {
        await page.getByRole('tab', { name, exact: true }).click();
        await page.locator(`[role="tab"][aria-selected="true"]:text-is("${name}")`).waitFor();
        await page.locator('.view:not(:has(.loading))').waitFor();
      });
      // Never more than a browser draws with ease.
      const elements: number = await page.evaluate(`document.querySelectorAll('*').length`);
      expect({ name, isMuch: elements > 12_000 }).toEqual({ name, isMuch: false });
    }
    expect(browser.faults).toEqual([]);
  });

  it('scrolls to its end, and finds one fact among all', async () => {
    await timed('the last facts', async () => {
      await page.getByRole('button', { name: 'To the end' }).click();
      await page.getByText('run.ended').waitFor();
    });
    await timed('a search', async () => {
      await page.getByLabel('Search the journal').fill('T5000/develop#2');
      await page.getByText(/\d+ fit/).waitFor();
    });
  });

  it('shows a transcript of 100 MB, from its first entry to its last', async () => {
    await timed('the transcript', async () => {
      await page.goto(`${dashboard.address}#/run/-/long/transcript?key=${encodeURIComponent(session)}`);
      await page.getByText('Entry 1. ').waitFor();
    });
    await timed('its last entry', async () => {
      await page.goto(
        `${dashboard.address}#/run/-/long/transcript?key=${encodeURIComponent(session)}&entry=${entries}`,
      );
      await page.getByText(`Entry ${entries}. `).first().waitFor();
    });
    await timed('a search in it', async () => {
      await page.getByLabel('Search this transcript').fill(`Entry ${entries - 7}.`);
      await page.getByText(`1 of ${entries} entries`).waitFor();
    });
    expect(browser.faults).toEqual([]);
  });

  it('costs the server hardly more when many look', async () => {
    const before = megabytesOf(dashboard.pid);
    const cookies = await browser.context.cookies(dashboard.address);
    const cookie = cookies.map(({ name, value }) => `${name}=${value}`).join('; ');
    const left = new AbortController();
    const received = await Promise.all(
      Array.from({ length: 30 }, () => followWhole(dashboard, { cookie, signal: left.signal })),
    );
    const after = megabytesOf(dashboard.pid);
    left.abort();
    expect(received.filter((bytes) => bytes < 1_000_000)).toEqual([]);
    console.log(`server: ${before.toFixed(0)} MB with one window, ${after.toFixed(0)} MB with 31`);
    expect(after - before).toBeLessThan(150);
    expect(after).toBeLessThan(900);
  });
});
