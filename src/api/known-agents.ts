/**
 * Coding agents that can be written into a project's settings by name, and which of them are installed: those that have
 * a record (agents/acp) by their ACP program, two of them also by a program that takes a prompt on standard input and
 * leaves when it is done. They run without questions of their own because the jail is around them, not because they
 * are trusted.
 */
import { existsSync } from 'node:fs';
import { delimiter, isAbsolute, join } from 'node:path';
import type { z } from 'zod';
import { knownRecords } from '../agents/acp/known-records.ts';
import { loginDirectory } from '../agents/acp/login.ts';
import { installLine } from '../agents/acp/record.ts';
import type { agentSettingsSchema } from '../policy/agent-settings.ts';
import { isExecutable } from '../process/executable.ts';

export interface KnownAgent {
  readonly name: string;
  /** Looked for on PATH. */
  readonly program: string;
  /** How it is got, in one line. */
  readonly install: string;
  /** What the settings of a project say of it. */
  readonly settings: z.input<typeof agentSettingsSchema>;
}

export interface FoundAgent extends KnownAgent {
  readonly path: string;
  /** It has what it needs to be paid for: a key in the environment, or a login of its own. */
  readonly authenticated: boolean;
}

const claudeTools = 'Read,Write,Edit,Bash,Glob,Grep';

/** Without the ACP program these do, though less is known of what they do and cost. */
const byCommand: Readonly<Record<string, Pick<KnownAgent, 'program' | 'install' | 'settings'>>> = {
  claude: {
    program: 'claude',
    install: 'npm install -g @anthropic-ai/claude-code',
    settings: {
      driver: 'command',
      // No settings, hooks or servers of the repository: those would be an agent's to write.
      run: [
        'claude',
        '-p',
        '--setting-sources',
        '',
        '--strict-mcp-config',
        '--permission-mode',
        'dontAsk',
        '--tools',
        claudeTools,
        '--allowedTools',
        claudeTools,
      ],
      env: ['ANTHROPIC_API_KEY', 'ANTHROPIC_BASE_URL', 'CLAUDE_CODE_OAUTH_TOKEN'],
    },
  },
  codex: {
    program: 'codex',
    install: 'npm install -g @openai/codex',
    settings: {
      driver: 'command',
      run: ['codex', 'exec', '--dangerously-bypass-approvals-and-sandbox', '--skip-git-repo-check', '-'],
      env: ['CODEX_API_KEY', 'OPENAI_API_KEY'],
    },
  },
};

/** For one name the first that is installed is meant. */
export const knownAgents: readonly KnownAgent[] = knownRecords.flatMap((record) => {
  const { name } = record;
  const plain = byCommand[name];
  return [
    {
      name,
      program: record.command[0],
      install: installLine(record) ?? '',
      settings: { driver: 'acp' as const, agent: name },
    },
    ...(plain === undefined ? [] : [{ name, ...plain }]),
  ];
});

export type Environment = Readonly<Record<string, string | undefined>>;

/** One per name, in the order of the table, those that can be paid for first. */
export function findAgents(env: Environment): readonly FoundAgent[] {
  const found = knownAgents.flatMap((agent) => {
    const path = findOnPath(agent.program, env);
    return path === undefined ? [] : [withMeans({ ...agent, path }, env)];
  });
  const one = found.filter((agent, index) => found.findIndex(({ name }) => name === agent.name) === index);
  return [...one.filter((agent) => agent.authenticated), ...one.filter((agent) => !agent.authenticated)];
}

export function findOnPath(program: string, env: Environment): string | undefined {
  if (isAbsolute(program)) return isExecutable(program) ? program : undefined;
  const places = (env['PATH'] ?? '').split(delimiter).filter((place) => isAbsolute(place));
  return places.map((place) => join(place, program)).find((path) => isExecutable(path));
}

/** A key goes first, for what it pays can be metered; a login is used where there is only that. */
function withMeans(agent: KnownAgent & { readonly path: string }, env: Environment): FoundAgent {
  const record = knownRecords.find(({ name }) => name === agent.name);
  const isSet = (name: string): boolean => (env[name] ?? '') !== '';
  const { settings } = agent;
  if (settings.driver === 'command') return { ...agent, authenticated: (settings.env ?? []).some(isSet) };
  if (record === undefined || settings.driver !== 'acp') return { ...agent, authenticated: false };
  if (record.keys.some(isSet)) return { ...agent, authenticated: true };
  const login = loginDirectory(record, env);
  if (login === undefined || !existsSync(login)) return { ...agent, authenticated: false };
  return { ...agent, settings: { ...settings, login: true }, authenticated: true };
}
