/** A real Chromium and a real `forge ui`, each for one test file; both end with it. */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type BrowserContext, chromium, type Page } from 'playwright-core';
import type { Project } from '../cli/support.ts';
import { until } from '../cli/support.ts';

const program = process.env['CHROMIUM'] ?? '/usr/bin/chromium';
const args = [
  '--no-sandbox',
  '--disable-gpu',
  '--disable-quic',
  '--no-first-run',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
];

export interface OpenBrowser {
  readonly context: BrowserContext;
  /** What went wrong in any page: errors, refused content, requests to anybody else. */
  readonly faults: string[];
  newPage(): Promise<Page>;
  close(): Promise<void>;
}

export async function openBrowser(options: { readonly phone?: boolean } = {}): Promise<OpenBrowser> {
  const profile = mkdtempSync(join(tmpdir(), 'forge-chromium-'));
  const viewport = options.phone === true ? { width: 375, height: 812 } : { width: 1280, height: 900 };
  const context = await chromium.launchPersistentContext(profile, {
    executablePath: program,
    headless: true,
    args,
    viewport,
  });
  const faults: string[] = [];
  const watch = (page: Page): void => {
    page.on('pageerror', (error) => faults.push(error.message));
    page.on('console', (message) => {
      // A request that the server refuses is shown there too; tests look at what the page says about it.
      const text = message.text();
      if (message.type() === 'error' && !text.startsWith('Failed to load resource')) faults.push(text);
    });
    page.on('request', (request) => {
      const { protocol, hostname } = new URL(request.url());
      if (protocol.startsWith('http') && !['127.0.0.1', 'localhost'].includes(hostname)) faults.push(request.url());
    });
  };
  for (const page of context.pages()) watch(page);
  context.on('page', watch);
  return {
    context,
    faults,
    newPage: () => context.newPage(),
    close: async () => {
      await context.close();
      rmSync(profile, { recursive: true, force: true, maxRetries: 5 });
    },
  };
}

export interface Dashboard {
  readonly address: string;
  readonly link: string;
  readonly port: number;
  readonly pid: number;
  /** As when a laptop is closed: without a word. */
  kill(): Promise<void>;
}

export interface DashboardOptions {
  readonly port?: number;
  /** More words for `forge ui`. */
  readonly args?: readonly string[];
}

export async function startDashboard(project: Project, options: DashboardOptions = {}): Promise<Dashboard> {
  const { port = 0, args: more = [] } = options;
  const started = project.start(['ui', '--json', '--no-open', '--port', String(port), ...more]);
  const text = await until(() => started.printed().trim() || undefined, 'the address of the dashboard');
  const { address, link, port: listening } = JSON.parse(text) as { address: string; link: string; port: number };
  return {
    address,
    link,
    port: listening,
    pid: started.child.pid ?? 0,
    kill: async () => {
      started.child.kill('SIGKILL');
      await started.ended;
    },
  };
}
