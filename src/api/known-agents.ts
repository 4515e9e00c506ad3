/**
 * Coding agents that may be installed, and how those are started that take a prompt on standard input and leave when
 * they are done. They run without questions of their own because the jail is around them, not because they are trusted.
 */
import { delimiter, isAbsolute, join } from 'node:path';
import { isExecutable } from '../process/executable.ts';

export interface KnownAgent {
  readonly name: string;
  /** Undefined: there is no way known to start it for one prompt. */
  readonly run: readonly string[] | undefined;
  /** Variables of the user's that it needs. */
  readonly env: readonly string[];
}

const claudeTools = 'Read,Write,Edit,Bash,Glob,Grep';

const knownAgents: readonly KnownAgent[] = [
  {
    name: 'claude',
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
  {
    name: 'codex',
    run: ['codex', 'exec', '--dangerously-bypass-approvals-and-sandbox', '--skip-git-repo-check', '-'],
    env: ['CODEX_API_KEY', 'OPENAI_API_KEY'],
  },
  { name: 'gemini', run: undefined, env: [] },
  { name: 'opencode', run: undefined, env: [] },
];

export function findAgents(env: Readonly<Record<string, string | undefined>>): readonly KnownAgent[] {
  const places = (env['PATH'] ?? '').split(delimiter).filter((place) => isAbsolute(place));
  return knownAgents.filter(({ name }) => places.some((place) => isExecutable(join(place, name))));
}
