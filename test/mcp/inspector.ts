/**
 * The MCP inspector at a fixed version, in the cache folder of the other clients: its newest versions want a newer Node
 * than ours, this one's command line runs on it. What cannot be had fails loudly, because a proof that is skipped
 * proves nothing.
 */
import { execFileSync, spawn } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { clientsFolder } from '../clients/install.ts';

const name = '@modelcontextprotocol/inspector';
const version = '0.22.0';

/** Installs it unless it is there, and gives its program. */
export function findInspector(): string {
  const folder = join(clientsFolder(), 'mcp-inspector');
  if (installedVersion(folder) !== version) install(folder);
  const found = installedVersion(folder);
  if (found !== version) throw new Error(`The MCP inspector is ${found ?? 'not there'} instead of ${version}.`);
  return join(folder, 'node_modules', '.bin', 'mcp-inspector');
}

export interface Inspected {
  readonly code: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

export async function inspect(
  program: string,
  args: readonly string[],
  place: { readonly cwd: string; readonly env: Readonly<Record<string, string>> },
): Promise<Inspected> {
  const child = spawn(program, ['--cli', ...args], { ...place, stdio: ['ignore', 'pipe', 'pipe'] });
  const [out, err]: [Buffer[], Buffer[]] = [[], []];
  child.stdout.on('data', (chunk: Buffer) => out.push(chunk));
  child.stderr.on('data', (chunk: Buffer) => err.push(chunk));
  const code = await new Promise<number | null>((resolve, reject) => {
    child.once('error', reject);
    child.once('close', resolve);
  });
  return { code, stdout: Buffer.concat(out).toString(), stderr: Buffer.concat(err).toString() };
}

function installedVersion(folder: string): string | undefined {
  const file = join(folder, 'node_modules', name, 'package.json');
  return existsSync(file) ? (JSON.parse(readFileSync(file, 'utf8')) as { version: string }).version : undefined;
}

function install(folder: string): void {
  mkdirSync(clientsFolder(), { recursive: true });
  const place = mkdtempSync(join(clientsFolder(), '.mcp-inspector-'));
  try {
    writeFileSync(join(place, 'package.json'), JSON.stringify({ private: true, dependencies: { [name]: version } }));
    // It says that it wants a newer Node; what is used of it runs on ours.
    const args = [
      'install',
      '--no-audit',
      '--no-fund',
      '--engine-strict=false',
      '--ignore-scripts',
      '--loglevel=error',
    ];
    execFileSync('npm', args, { cwd: place, stdio: ['ignore', 'inherit', 'inherit'] });
    rmSync(folder, { recursive: true, force: true });
    renameSync(place, folder);
  } catch (cause) {
    rmSync(place, { recursive: true, force: true });
    throw new Error(`The MCP inspector ${version} cannot be had: its proof cannot be run.`, { cause });
  }
}
