/** `forge ui`: serves the dashboard on this machine until Ctrl-C. Runs go on without it. */
import { openBrowser } from '../api/open-browser.ts';
import { ForgeError } from '../errors.ts';
import { backgroundWorker } from './background.ts';
import type { CommandCall } from './commands.ts';
import { printJson } from './print.ts';

export async function run({ values, switches }: CommandCall): Promise<number> {
  const { serveUi } = await import('../server/serve-ui.ts');
  const dashboard = await serveUi({
    cwd: process.cwd(),
    env: process.env,
    worker: backgroundWorker,
    all: switches.has('all'),
    host: values['host'],
    port: portOf(values['port']),
    allowRemote: switches.has('allow-remote'),
  });
  const leave = new Promise<void>((resolve) => {
    for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.once(signal, () => resolve());
  });
  const link = dashboard.link();
  if (switches.has('json')) printJson({ address: dashboard.address, link, port: dashboard.port });
  else {
    const isOpened = !switches.has('no-open') && (await openBrowser(link, process.env));
    console.log(
      isOpened ? `The dashboard is open in your browser: ${dashboard.address}` : `Open the dashboard:\n  ${link}`,
    );
    console.log('The link works once. Ctrl-C stops the dashboard; runs continue.');
  }
  await leave;
  await dashboard.close();
  return 0;
}

function portOf(text: string | undefined): number | undefined {
  if (text === undefined) return undefined;
  const port = Number(text);
  if (Number.isInteger(port) && port >= 0 && port <= 65_535) return port;
  throw new ForgeError('bad-input', `--port ${JSON.stringify(text)} is not a port`, {
    hint: 'Use a number from 0 to 65535.',
  });
}
