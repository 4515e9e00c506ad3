/**
 * Makes an ACP agent ready to be started for one job: finds its program, writes its configuration into the home of its
 * session, and says what the jail has to show. With a meter the provider's key stays outside: the agent gets the
 * meter's address and a key that is good for this job only.
 */
import { closeSync, existsSync, openSync, readSync, realpathSync } from 'node:fs';
import { basename, delimiter, dirname, isAbsolute, join, sep } from 'node:path';
import { ForgeError } from '../../errors.ts';
import { isExecutable } from '../../process/executable.ts';
import type { AgentJob } from '../agent.ts';
import { writeHomeFiles } from './home-files.ts';
import { type LoginMirror, mirrorLogin } from './login-mirror.ts';
import { type AcpLogin, type AcpPlace, type AcpRecord, installLine } from './record.ts';

export interface AcpProgram {
  readonly record: AcpRecord;
  /** Program and arguments; the record's own when left out. */
  readonly program?: readonly [string, ...string[]] | undefined;
  /** Variables given to this agent. */
  readonly env?: Readonly<Record<string, string>>;
  /** The provider's address without `/v1`, when it is not the usual one. */
  readonly url?: string | undefined;
  /** The provider's key; the first of the record's variables among `env` when left out. */
  readonly key?: string | undefined;
  /** The variable it comes from. */
  readonly keyVariable?: string | undefined;
  /** The directory of the agent's own login. */
  readonly login?: string | undefined;
}

export interface ReadyProgram {
  readonly argv: readonly string[];
  readonly env: Readonly<Record<string, string>>;
  readonly readable: readonly string[];
  readonly hidden: readonly string[];
  /** Of the login that is used, if one is: to be stopped when the job is over. */
  readonly mirror: LoginMirror | undefined;
}

export function acpPlace(agent: AcpProgram, job: AgentJob, systemPrompt: string): AcpPlace {
  const { policy, tree } = job.workspace;
  const own = agent.record.keys.map((name) => agent.env?.[name]).find((value) => value !== undefined);
  return {
    home: policy.home,
    tmp: policy.tmp,
    tree,
    url: job.meter?.url ?? agent.url,
    key: job.meter === undefined ? (agent.key ?? own) : job.meter.key,
    keyVariable: agent.keyVariable,
    model: job.model,
    effort: job.effort,
    thinking: job.thinking,
    access: job.access ?? 'write',
    systemPrompt,
  };
}

export async function readyProgram(agent: AcpProgram, job: AgentJob, place: AcpPlace): Promise<ReadyProgram> {
  const { record, env = {} } = agent;
  const [name, ...args] = agent.program ?? record.command;
  const configuration = record.configure(place);
  const found = findAgent(name, agent, job);
  const login = agent.login === undefined ? undefined : realpathSync(agent.login);
  await writeHomeFiles(place.home, configuration.files);
  const mirror =
    login === undefined || record.login === undefined
      ? undefined
      : mirrorLogin(login, join(place.home, record.login.directory), withoutWritten(record.login, configuration.files));
  const secret = job.meter === undefined ? [] : record.keys;
  const path = env['PATH'] ?? job.workspace.env['PATH'] ?? '';
  return {
    argv: [found, ...args, ...(configuration.args ?? [])],
    env: {
      ...Object.fromEntries(Object.entries(env).filter(([variable]) => !secret.includes(variable))),
      ...configuration.env,
      ...(mirror === undefined || record.login?.variable === undefined
        ? {}
        : { [record.login.variable]: mirror.directory }),
      PATH: pathFor(found, path),
    },
    readable: [
      ...(record.readable ?? []),
      ...[found, ...scriptAmong(args)].flatMap(shownFor).filter((shown) => !shown.startsWith(job.workspace.tree + sep)),
    ],
    mirror,
    hidden: (record.hides ?? []).map((entry) => join(job.workspace.tree, entry)),
  };
}

/** What Forge itself configures is not replaced by the person's. */
function withoutWritten(login: AcpLogin, files: Readonly<Record<string, string>>): AcpLogin {
  const isFree = (name: string): boolean => !Object.hasOwn(files, join(login.directory, name));
  return { ...login, copies: (login.copies ?? []).filter(isFree) };
}

/** The real path: links into directories that the jail does not show would lead nowhere. */
function findAgent(name: string, { record, env = {} }: AcpProgram, job: AgentJob): string {
  const { tree, env: given } = job.workspace;
  // A person's agents are often installed where only their own PATH leads.
  const paths = [env['PATH'], given['PATH'], process.env['PATH']].flatMap((path) => path?.split(delimiter) ?? []);
  const places = name.includes(sep)
    ? [isAbsolute(name) ? name : join(tree, name)]
    : paths.filter((directory) => isAbsolute(directory)).map((directory) => join(directory, name));
  const found = places.find(isExecutable);
  if (found !== undefined) return realpathSync(found);
  const install = installLine(record);
  throw new ForgeError('program-missing', `agent ${record.name}: no program ${name} to run`, {
    hint:
      install === undefined
        ? `Install ${name}, or correct the agent's command in the settings.`
        : `Install it (${install}), or name its program in the settings.`,
  });
}

/** `node /somewhere/agent.js`: what is run is the file. */
function scriptAmong([first]: readonly string[]): readonly string[] {
  return first !== undefined && isAbsolute(first) && existsSync(first) ? [realpathSync(first)] : [];
}

/** An installed package with all it needs; any other program with what lies beside it, unless that is everything. */
function shownFor(program: string): readonly string[] {
  if (['/usr/', '/opt/', '/nix/', '/bin/'].some((root) => program.startsWith(root))) return [];
  const parts = program.split(sep);
  const packages = parts.indexOf('node_modules');
  if (packages >= 0) return [parts.slice(0, packages + 1).join(sep)];
  return [basename(dirname(program)) === 'bin' ? program : dirname(program)];
}

/** A script for Node finds it by PATH, where a version manager's Node may be missing. */
function pathFor(program: string, path: string): string {
  const own = dirname(process.execPath);
  const hasNode = path.split(delimiter).some((directory) => isExecutable(join(directory, 'node')));
  return hasNode || !firstLine(program).startsWith('#!')
    ? path
    : [path, own].filter((part) => part !== '').join(delimiter);
}

function firstLine(file: string): string {
  const handle = openSync(file, 'r');
  try {
    const bytes = Buffer.alloc(128);
    return bytes.toString('latin1', 0, readSync(handle, bytes)).split('\n')[0] ?? '';
  } finally {
    closeSync(handle);
  }
}
