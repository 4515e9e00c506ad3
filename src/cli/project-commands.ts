/**
 * Commands about this project and this machine: settings, agents, lessons, notifications, servers, demos. Data only; code
 * is loaded when a command runs.
 */
import type { CommandEntry } from './commands.ts';
import { factsFlag, jsonFlag } from './shared-flags.ts';

export const projectCommands: readonly CommandEntry[] = [
  {
    name: 'init',
    summary: 'Write .forge/config.yaml, or add new agents to it',
    words: [],
    flags: { json: jsonFlag },
    load: () => import('./init.ts'),
  },
  {
    name: 'trust',
    summary: "Trust this repository's Forge settings",
    words: [],
    flags: { yes: { short: 'y', summary: 'agree without being asked' }, json: jsonFlag },
    load: () => import('./trust.ts'),
  },
  {
    name: 'doctor',
    summary: 'Check what Forge needs, here and on this machine',
    words: [],
    flags: { json: jsonFlag },
    load: () => import('./doctor.ts'),
  },
  {
    name: 'agents',
    summary: 'List the agents and check that they start',
    words: ['test?', 'name?'],
    choices: ['test'],
    flags: { json: jsonFlag },
    load: () => import('./agents.ts'),
  },
  {
    name: 'memory',
    summary: 'List, edit, remove or promote lessons of earlier runs',
    words: ['action?', 'lesson?'],
    choices: ['list', 'show', 'edit', 'remove', 'promote'],
    flags: {
      text: { value: 'text', short: 't', summary: 'edit: the new text of the lesson' },
      user: { summary: 'only lessons of your own memory, for all projects' },
      json: jsonFlag,
    },
    load: () => import('./memory.ts'),
  },
  {
    name: 'notify',
    summary: 'Try the notifications that runs send you',
    words: ['action'],
    choices: ['test'],
    flags: { json: jsonFlag },
    load: () => import('./notify.ts'),
  },
  {
    name: 'ui',
    summary: 'Open the dashboard: watch runs, answer them, start new ones',
    words: [],
    flags: {
      all: { summary: 'show the runs of all your repositories' },
      port: { value: 'port', summary: 'use this port; 0 for any that is free' },
      'no-open': { summary: 'print the link instead of opening a browser' },
      host: { value: 'host', summary: 'listen on another address of this machine' },
      'allow-remote': { summary: 'with --host: let other machines reach it, without encryption' },
      json: { summary: 'print address and link as data' },
    },
    load: () => import('./ui.ts'),
  },
  {
    name: 'mcp',
    summary: 'Serve this project to an MCP client over standard input',
    words: [],
    flags: { project: { value: 'directory', summary: 'another project than the current directory' } },
    load: () => import('./mcp.ts'),
  },
  {
    name: 'demo',
    summary: 'Watch a whole run, offline, on a small example',
    words: ['workflow?'],
    flags: { json: factsFlag },
    load: () => import('./demo.ts'),
  },
  {
    name: 'completion',
    summary: 'Print completion for your shell: bash, zsh or fish',
    words: ['shell'],
    choices: ['bash', 'zsh', 'fish'],
    flags: {},
    load: () => import('./completion.ts'),
  },
];
