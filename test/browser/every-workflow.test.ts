/**
 * Every view on runs of every workflow, a repository's own included: when they are over, and while they go on. A run that
 * goes on is a recorded one whose journal grows as it grew then, under a lease that this process holds. The dashboard
 * reads the same files as always.
 */
import { appendFileSync, cpSync, existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { userRepositories } from '../../src/api/user-repositories.ts';
import { takeLease } from '../../src/engine/files/lease.ts';
import { isAlive, ownIdentity } from '../../src/process/identity.ts';
import { script as modulesScript } from '../cli/modules-story.ts';
import { developed, makeProject, type Project } from '../cli/support.ts';
import { runsDirectory } from '../support/runs.ts';
import { type Dashboard, type OpenBrowser, openBrowser, startDashboard } from './browser.ts';
import { axe, views } from './looks.ts';

const survey = `import { z } from 'zod';

export const workflow = {
  name: 'survey',
  version: 1,
  summary: 'Look, then build',
  roles: { developer: { result: z.object({ status: z.string(), summary: z.string() }).loose(), access: 'write' } },
  async run(bench) {
    const { agents, requirement } = bench.run.input;
    const resultSchema = { type: 'object', properties: { summary: { type: 'string' } }, required: ['summary'] };
    const end = ({ outcome }) => ({ status: outcome.status === 'replied' ? 'done' : 'failed', figures: { looked: 3 } });
    const { commit } = await bench.step('look', { kind: 'survey', title: requirement, end }, () =>
      bench.perform('agent.run', 'T1/develop#1', {
        agent: agents.developer, role: 'developer', task: 'T1', attempt: 1, workspace: 'T1',
        commit: bench.run.base, prompt: requirement, resultSchema,
      }),
    );
    return { status: 'done', output: { commit } };
  },
};
`;

interface Recorded {
  readonly workflow: string;
  readonly repository: string;
  readonly directory: string;
}

/** Every run of this home whose journal says that it is over, one for each workflow. */
function finishedRuns(home: string): readonly Recorded[] {
  const found = new Map<string, Recorded>();
  for (const { id, root } of userRepositories({ HOME: home })) {
    const runs = runsDirectory(root, home);
    for (const name of namesIn(runs)) {
      const directory = join(runs, name);
      const text = readFileSync(join(directory, 'journal.jsonl'), 'utf8');
      const { workflow } = (JSON.parse(text.split('\n', 1)[0] ?? '') as { data: { workflow: string } }).data;
      const known = found.get(workflow);
      const isLonger = known === undefined || text.length > readFileSync(join(known.directory, 'journal.jsonl')).length;
      if (isLonger && text.includes('"type":"run.ended"')) found.set(workflow, { workflow, repository: id, directory });
    }
  }
  return [...found.values()];
}

function namesIn(directory: string): readonly string[] {
  return readdirSync(directory).filter((name) => existsSync(join(directory, name, 'journal.jsonl')));
}

/** A copy that stands where the run stood in its middle, with this process at work on it. */
function beginAgain({ directory }: Recorded): { readonly run: string; readonly goOn: (part: number) => void } {
  const run = `${basename(directory)}-again`;
  const copy = join(directory, '..', run);
  const lines = readFileSync(join(directory, 'journal.jsonl'), 'utf8').trimEnd().split('\n');
  mkdirSync(copy);
  for (const name of readdirSync(directory)) {
    if (!/^(?:lease|index|journal)/.test(name)) cpSync(join(directory, name), join(copy, name), { recursive: true });
  }
  let written = Math.floor(lines.length / 2);
  const text = (from: number, to: number): string =>
    lines
      .slice(from, to)
      .map((line) => `${line}\n`)
      .join('');
  writeFileSync(join(copy, 'journal.jsonl'), text(0, written));
  takeLease(copy, { self: ownIdentity(), isAlive, stop: async () => undefined });
  return {
    run,
    goOn: (part) => {
      const until = Math.max(written, Math.floor(lines.length * part));
      appendFileSync(join(copy, 'journal.jsonl'), text(written, until));
      written = until;
    },
  };
}

async function walk(page: Page, what: string): Promise<void> {
  for (const name of views) {
    await page.getByRole('tab', { name, exact: true }).click();
    await page.locator(`[role="tab"][aria-selected="true"]:text-is("${name}")`).waitFor();
    await page.locator('.view:not(:has(.loading))').waitFor();
    const seen: unknown = await page.evaluate(`({
      isTooWide: document.documentElement.scrollWidth > innerWidth + 1,
      trouble: [...document.querySelectorAll('.trouble')].map((one) => one.innerText),
      isEmpty: document.querySelector('#view').innerText.trim() === '',
    })`);
    expect({ what, name, seen }).toEqual({ what, name, seen: { isTooWide: false, trouble: [], isEmpty: false } });
    expect(await axe(page), `${what}, ${name}`).toEqual([]);
  }
}

describe('every workflow', () => {
  let project: Project;
  let dashboard: Dashboard;
  let browser: OpenBrowser;
  let recorded: readonly Recorded[] = [];

  beforeAll(async () => {
    const ownScript = [{ when: { role: 'developer' }, do: developed }];
    project = makeProject({ script: ownScript, files: { '.forge/workflows/survey.mjs': survey } });
    const { HOME = '' } = project.env;
    const modules = makeProject({ script: modulesScript(), env: { HOME } });
    const temporary = join(project.root, '../demos');
    mkdirSync(temporary);
    await Promise.all([
      project.start(['run', 'Look around', '--workflow', 'survey', '--yes']).ended,
      modules.start(['run', 'Five modules', '--workflow', 'modules', '--yes']).ended,
    ]);
    for (const demo of ['waves', 'design', 'pipeline', 'milestone'])
      expect((await project.start(['demo', demo], { TMPDIR: temporary }).ended).code, demo).toBe(0);
    recorded = finishedRuns(HOME);
    dashboard = await startDashboard(project, { args: ['--all'] });
    browser = await openBrowser();
  }, 900_000);
  afterAll(async () => {
    await browser?.close();
    await dashboard?.kill();
  });

  it('has all its views when it is over, in light and dark, wide and narrow', async () => {
    expect(recorded.map(({ workflow }) => workflow).toSorted()).toEqual(
      ['design', 'milestone', 'modules', 'pipeline', 'survey', 'waves'].toSorted(),
    );
    const page = await browser.newPage();
    await page.goto(dashboard.link);
    await page.getByText('Finished').first().waitFor();
    for (const [at, { workflow, repository, directory }] of recorded.entries()) {
      await page.emulateMedia({ colorScheme: at % 2 === 0 ? 'light' : 'dark' });
      await page.setViewportSize(at % 3 === 2 ? { width: 375, height: 812 } : { width: 1280, height: 900 });
      await page.goto(`${dashboard.address}#/run/${repository}/${basename(directory)}`);
      await page.getByRole('tab', { name: 'Steps' }).waitFor();
      await walk(page, workflow);
    }
    expect(browser.faults).toEqual([]);
    await page.close();
  }, 900_000);

  it('shows which requirements are proven, where a workflow knows them', async () => {
    const { repository = '', directory = '' } = recorded.find(({ workflow }) => workflow === 'design') ?? {};
    const page = await browser.newPage();
    await page.goto(`${dashboard.address}#/run/${repository}/${basename(directory)}/evidence`);
    await page.getByRole('heading', { name: 'Requirements' }).waitFor();
    await page.getByText(/\d+ of \d+ proven/).waitFor();
    await page.getByRole('group', { name: 'Requirements' }).getByText('F-001/AC1').first().waitFor();
    await page.close();
  });

  it('has all its views while it goes on', async () => {
    const page = await browser.newPage();
    for (const one of recorded) {
      const { run, goOn } = beginAgain(one);
      await page.goto(`${dashboard.address}#/run/${one.repository}/${run}`);
      await page.locator('.run-head .pill').getByText('running').waitFor();
      await walk(page, `${one.workflow}, live`);
      // It goes on under the eyes of whoever looks.
      await page.getByRole('tab', { name: 'Steps' }).click();
      for (const part of [0.7, 0.9, 1]) goOn(part);
      await page.locator('.run-head .pill:not(:has-text("running"))').waitFor();
      await walk(page, `${one.workflow}, ended`);
    }
    expect(browser.faults).toEqual([]);
    await page.close();
  }, 900_000);
});
