/** Commands about what belongs to the person, not to one repository, as data; code is loaded when a command runs. */
import type { CommandEntry } from './commands.ts';
import { jsonFlag } from './shared-flags.ts';

export const userCommands: readonly CommandEntry[] = [
  {
    name: 'accounts',
    summary: 'Add, choose or remove the accounts that runs use',
    words: ['action?', 'name?'],
    choices: ['list', 'add', 'use', 'remove'],
    flags: {
      key: { value: 'variable', summary: 'add: the variable that agents expect the token in' },
      expires: { value: 'date', summary: 'add: when the token expires, such as 2027-06-30 or 90d' },
      store: { value: 'keyring|file', summary: 'add: where to keep the token' },
      json: jsonFlag,
    },
    load: () => import('./accounts.ts'),
  },
  {
    name: 'supervise',
    summary: 'Keep runs going over crashes and reboots',
    words: [],
    flags: {
      once: { summary: 'look once, continue what can be continued, and exit' },
      every: { value: 'seconds', summary: 'how often to look, by default every 15 seconds' },
      install: { summary: 'write a systemd user unit that starts it with the machine' },
      uninstall: { summary: 'remove that unit' },
      json: jsonFlag,
    },
    load: () => import('./supervise.ts'),
  },
  {
    name: 'statusline',
    summary: 'Print one line about runs, for a prompt or Claude Code',
    words: [],
    flags: { json: jsonFlag },
    load: () => import('./statusline.ts'),
  },
  {
    name: 'config',
    summary: 'Show settings and preferences and where they come from',
    words: ['name?'],
    flags: { all: { summary: 'also show values that are the default' }, json: jsonFlag },
    load: () => import('./config.ts'),
  },
];
