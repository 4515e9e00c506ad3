/**
 * The supervisor as a service of this user: a systemd user unit that starts it with the machine and again when it ends.
 * Forge only writes and removes the file; the person turns it on.
 */
import { existsSync, mkdirSync, rmSync } from 'node:fs';
import { homedir } from 'node:os';
import { isAbsolute, join } from 'node:path';
import { z } from 'zod';
import { ForgeError } from '../errors.ts';
import { readConfinedText, writeConfined } from '../files/confined.ts';
import type { ApiContext } from './context.ts';
import type { Operation } from './operation.ts';

const name = 'forge-supervise.service';

const input = z.strictObject({
  action: z.enum(['install', 'uninstall']),
  /** The program and its arguments. */
  command: z.array(z.string()).min(1),
});
const output = z.strictObject({ file: z.string(), changed: z.boolean(), commands: z.array(z.string()) });

export const supervisorUnit: Operation<typeof input, typeof output> = {
  name: 'supervisor-unit',
  kind: 'command',
  description: 'Writes or removes the systemd user unit that keeps the supervisor running.',
  input,
  output,
  run: async ({ env }, { action, command }) => {
    const directory = unitDirectory(env);
    const file = join(directory, name);
    if (action === 'uninstall') {
      const changed = existsSync(file);
      rmSync(file, { force: true });
      return { file, changed, commands: [`systemctl --user disable --now ${name}`, 'systemctl --user daemon-reload'] };
    }
    mkdirSync(directory, { recursive: true });
    const text = unitText(command, env);
    const before = readConfinedText(directory, name);
    if (before !== undefined && !before.startsWith(mark)) {
      throw new ForgeError('bad-input', `${file} already exists, and Forge did not write it`, {
        hint: 'Move it away first; nothing was changed.',
      });
    }
    const changed = before !== text;
    if (changed) writeConfined(directory, name, text);
    return {
      file,
      changed,
      commands: ['systemctl --user daemon-reload', `systemctl --user enable --now ${name}`, 'loginctl enable-linger'],
    };
  },
};

function unitDirectory(env: ApiContext['env']): string {
  const config = env['XDG_CONFIG_HOME'] ?? '';
  return join(isAbsolute(config) ? config : join(env['HOME'] || homedir(), '.config'), 'systemd', 'user');
}

const mark = '# Written by forge supervise --install';
/** What runs need of the person's environment. Keys are not among it: a unit is no place for secrets. */
const kept = ['PATH', 'LANG', 'XDG_CONFIG_HOME', 'XDG_STATE_HOME', 'XDG_DATA_HOME', 'FORGE_STATE_DIR'];

function unitText(command: readonly string[], env: ApiContext['env']): string {
  const variables = kept.flatMap((variable) => {
    const value = env[variable];
    return value === undefined || value === '' ? [] : [`Environment=${quoted(`${variable}=${value}`)}`];
  });
  return [
    mark,
    '[Unit]',
    'Description=Forge supervisor: continues runs after crashes and reboots',
    '',
    '[Service]',
    `ExecStart=${command.map((word) => quoted(word).replaceAll('$', '$$$$')).join(' ')}`,
    ...variables,
    'Restart=always',
    'RestartSec=10',
    '# Runs have processes of their own, which outlive the supervisor.',
    'KillMode=process',
    '',
    '[Install]',
    'WantedBy=default.target',
    '',
  ].join('\n');
}

/** As systemd reads it: `%` means something everywhere, `$` in command lines alone. */
function quoted(text: string): string {
  // oxlint-disable-next-line no-control-regex -- a line break would begin another setting
  if (/[\u0000-\u001F]/.test(text)) {
    throw new ForgeError('bad-input', 'A path or variable holds a control character', {
      hint: 'systemd does not accept line breaks in it. Remove them.',
    });
  }
  const escaped = text.replaceAll(/["\\]/g, String.raw`\$&`).replaceAll('%', '%%');
  return `"${escaped}"`;
}
