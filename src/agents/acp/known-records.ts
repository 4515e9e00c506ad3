/** The ACP agents that Forge knows by name, and how a record is made for one that it does not. */
import type { AcpRecord } from './record.ts';
import { claude } from './records/claude.ts';
import { codex } from './records/codex.ts';
import { copilot } from './records/copilot.ts';
import { gemini } from './records/gemini.ts';
import { goose } from './records/goose.ts';
import { opencode } from './records/opencode.ts';
import { qwen } from './records/qwen.ts';

export const knownRecords: readonly AcpRecord[] = [claude, codex, opencode, gemini, goose, copilot, qwen];

/** The least that any agent understands: it is configured by the variables it is given, and resumed as it can. */
export function plainRecord(command: readonly [string, ...string[]]): AcpRecord {
  return {
    name: command[0],
    title: command[0],
    command,
    packages: [],
    wire: undefined,
    upstream: undefined,
    keys: [],
    login: undefined,
    configure: () => ({ env: {}, files: {} }),
    systemPrompt: 'prompt',
    model: 'config-option',
    mode: undefined,
    authenticate: undefined,
    usage: 'turn',
    resume: ['resume', 'load'],
  };
}
