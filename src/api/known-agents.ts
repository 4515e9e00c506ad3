/**
 * Coding agents that Forge knows how to drive, and which of them are installed: those that speak ACP by their ACP
 * program, two more that take a prompt on standard input and leave when they are done. They run without questions of
 * their own because the jail is around them, not because they are trusted.
 */
import { delimiter, isAbsolute, join } from 'node:path';
import type { z } from 'zod';
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
}

const npm = (name: string): string => `npm install -g ${name}`;
const acp = (name: string, program: string, install: string): KnownAgent => ({
  name,
  program,
  install,
  settings: { driver: 'acp', agent: name },
});
const claudeTools = 'Read,Write,Edit,Bash,Glob,Grep';

/** For one name the first that is installed is meant. */
export const knownAgents: readonly KnownAgent[] = [
  acp('claude', 'claude-agent-acp', npm('@agentclientprotocol/claude-agent-acp')),
  {
    name: 'claude',
    program: 'claude',
    install: npm('@anthropic-ai/claude-code'),
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
  acp('codex', 'codex-acp', npm('@agentclientprotocol/codex-acp @openai/codex')),
  {
    name: 'codex',
    program: 'codex',
    install: npm('@openai/codex'),
    settings: {
      driver: 'command',
      run: ['codex', 'exec', '--dangerously-bypass-approvals-and-sandbox', '--skip-git-repo-check', '-'],
      env: ['CODEX_API_KEY', 'OPENAI_API_KEY'],
    },
  },
  acp('opencode', 'opencode', npm('opencode-ai')),
  acp('gemini', 'gemini', npm('@google/gemini-cli')),
  acp('goose', 'goose', npm('@aaif/goose')),
  acp('copilot', 'copilot', npm('@github/copilot')),
  acp('qwen', 'qwen', npm('@qwen-code/qwen-code')),
];

type Environment = Readonly<Record<string, string | undefined>>;

/** One per name, in the order of the table. */
export function findAgents(env: Environment): readonly FoundAgent[] {
  const found = knownAgents.flatMap((agent) => {
    const path = findOnPath(agent.program, env);
    return path === undefined ? [] : [{ ...agent, path }];
  });
  return found.filter((agent, index) => found.findIndex(({ name }) => name === agent.name) === index);
}

export function findOnPath(program: string, env: Environment): string | undefined {
  if (isAbsolute(program)) return isExecutable(program) ? program : undefined;
  const places = (env['PATH'] ?? '').split(delimiter).filter((place) => isAbsolute(place));
  return places.map((place) => join(place, program)).find((path) => isExecutable(path));
}
