/**
 * The real clients at the versions their records name, in a cache folder outside this package: one folder per client
 * below FORGE_CLIENTS, or below the user's cache. What is there at the right versions is left alone; what cannot be had
 * fails loudly, because a proof that is skipped proves nothing.
 */
import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { homedir } from 'node:os';
import { join } from 'node:path';
import type { AcpRecord } from '../../src/agents/acp/record.ts';
import { claude } from '../../src/agents/acp/records/claude.ts';
import { codex } from '../../src/agents/acp/records/codex.ts';
import { gemini } from '../../src/agents/acp/records/gemini.ts';
import { opencode } from '../../src/agents/acp/records/opencode.ts';

export const provenClients = { claude, codex, opencode, gemini } satisfies Record<string, AcpRecord>;
export type ClientName = keyof typeof provenClients;

/** The directory with the client's program. */
export function findClient(name: ClientName): string {
  const problem = whatIsMissing(name);
  if (problem !== undefined) {
    throw new Error(`The client ${name} is not installed as it has to be: ${problem}. Run npm run test:clients.`);
  }
  return join(folderOf(name), 'node_modules', '.bin');
}

export function installClients(names = Object.keys(provenClients) as readonly ClientName[]): void {
  for (const name of names) {
    const missing = whatIsMissing(name);
    if (missing !== undefined) install(name, missing);
    else process.stdout.write(`${name}: ${provenClients[name].packages.join(', ')}\n`);
  }
}

export function clientsFolder(): string {
  const cache = process.env['XDG_CACHE_HOME'] ?? join(homedir(), '.cache');
  return process.env['FORGE_CLIENTS'] ?? join(cache, 'forge-clients');
}

function folderOf(name: ClientName): string {
  return join(clientsFolder(), name);
}

function install(name: ClientName, missing: string): void {
  process.stdout.write(`${name}: installing, because ${missing}\n`);
  mkdirSync(clientsFolder(), { recursive: true });
  const place = mkdtempSync(join(clientsFolder(), `.${name}-`));
  try {
    const dependencies = Object.fromEntries(packagesOf(name));
    writeFileSync(join(place, 'package.json'), JSON.stringify({ private: true, dependencies }));
    // The floor of some clients is above ours, and they do run; npm must not choose an older version by itself.
    const args = ['install', '--no-audit', '--no-fund', '--engine-strict=false', '--loglevel=error'];
    execFileSync('npm', args, { cwd: place, stdio: ['ignore', 'inherit', 'inherit'] });
    rmSync(folderOf(name), { recursive: true, force: true });
    renameSync(place, folderOf(name));
  } catch (cause) {
    rmSync(place, { recursive: true, force: true });
    throw new Error(`The client ${name} cannot be had: its tests cannot be run.`, { cause });
  }
  const still = whatIsMissing(name);
  if (still !== undefined) throw new Error(`The client ${name} was installed, and yet ${still}.`);
}

function whatIsMissing(name: ClientName): string | undefined {
  const modules = join(folderOf(name), 'node_modules');
  for (const [packageName, version] of packagesOf(name)) {
    const file = join(modules, packageName, 'package.json');
    if (!existsSync(file)) return `${packageName} is not there`;
    const { version: found } = JSON.parse(readFileSync(file, 'utf8')) as { version: string };
    if (found !== version) return `${packageName} is ${found} instead of ${version}`;
  }
  const [program] = provenClients[name].command;
  return existsSync(join(modules, '.bin', program)) ? undefined : `there is no program ${program}`;
}

function packagesOf(name: ClientName): readonly (readonly [name: string, version: string])[] {
  return provenClients[name].packages.map((text) => {
    const at = text.lastIndexOf('@');
    return [text.slice(0, at), text.slice(at + 1)];
  });
}
