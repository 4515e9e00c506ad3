/**
 * Whether the project's own checks can start here, found out as a run would: in the jail, on the last commit. What they
 * come to is remembered by tree, so a run that follows does not pay for it again. A missing program, one that only the
 * jail hides, and a base that is red already are told apart. Changes nothing in the repository.
 */
import { randomBytes } from 'node:crypto';
import { mkdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { runBaseline } from '../checks/baseline.ts';
import type { Examination } from '../compose.ts';
import { checkDeps } from '../effects/check-deps.ts';
import { projectRedactor } from '../effects/known-secrets.ts';
import { ForgeError } from '../errors.ts';
import type { CheckReport, CommandResult } from '../policy/check-report.ts';
import { toolchainSetting } from '../policy/toolchain.ts';
import { openJail } from '../process/open-jail.ts';
import type { ApiContext } from './context.ts';
import { requireTrust } from '../trust/consent.ts';

/** Nothing where there is no repository to look at: the examination of that says why. */
export async function examineChecks(context: ApiContext): Promise<readonly Examination[]> {
  try {
    const report = await checkHead(context);
    return report === undefined ? [] : [describeReport(report)];
  } catch (error) {
    if (!(error instanceof ForgeError)) throw error;
    if (error.code === 'checks-cannot-start' || error.code === 'setup-failed' || error.code === 'bad-config')
      return [{ name: 'checks', ok: false, optional: false, detail: error.message, hint: error.hint ?? '' }];
    // Anything else is not a fault of the checks, and is reported where it belongs.
    return [
      { name: 'checks', ok: false, optional: true, detail: `not tried: ${error.message}`, hint: error.hint ?? '' },
    ];
  }
}

async function checkHead(context: ApiContext): Promise<CheckReport | undefined> {
  const forge = await context.forge();
  requireTrust(forge, context.env);
  const { repo, settings } = forge;
  const { jail } = await openJail({ mode: settings.jail.mode });
  const name = `doctor-${process.pid}-${randomBytes(4).toString('hex')}`;
  const directory = join(repo.dataDir, 'doctor', name);
  await mkdir(directory, { recursive: true, mode: 0o700 });
  try {
    const rooms = { repo, jail, settings, redactor: projectRedactor(settings, repo.root, context.env) };
    const deps = checkDeps(rooms, { run: { id: 'doctor' }, logs: directory, progress: () => {} });
    const request = { run: 'doctor', name, commit: repo.head, entries: { settings: settings.checks.run }, offer: true };
    return await runBaseline(deps, request, new AbortController().signal);
  } finally {
    await rm(directory, { recursive: true, force: true });
  }
}

function describeReport({ commands, hidden, status }: CheckReport): Examination {
  const base = { name: 'checks', optional: true };
  if (hidden !== undefined && hidden.length > 0) {
    const found = hidden.map(({ program, at, manager }) => `${program} is at ${at} (${manager})`).join(', ');
    return {
      ...base,
      ok: false,
      optional: false,
      detail: `they cannot start in the jail: ${found}, which it does not show`,
      hint: `Add this to .forge/config.yaml:\n${toolchainSetting(hidden)}`,
    };
  }
  if (commands.length === 0)
    return {
      ...base,
      ok: false,
      detail: 'this project has none, so nothing can verify the work of agents but the commands of a plan',
      hint: 'Name some in .forge/config.yaml, e.g. checks: { run: ["npm test"] }.',
    };
  const detail = commands.map(describeCommand).join('\n    ');
  const red =
    status === 'passed' || status === 'flaky'
      ? ''
      : 'What fails on the base already does not count against a run, where tests have names.';
  return { ...base, ok: red === '', detail, hint: red };
}

function describeCommand({ label, status, reason }: CommandResult): string {
  return `${label}: ${status} (${reason})`;
}
