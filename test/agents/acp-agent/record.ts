/** The small ACP agent for tests as a record: what it is to play goes into its home as a file. Built by `build:test`. */
import { resolve } from 'node:path';
import type { AcpRecord } from '../../../src/agents/acp/record.ts';
import { type Play, playFile } from './play.ts';

export const agentFile = resolve(import.meta.dirname, '../../../.build/test/agents/acp-agent/acp-agent.js');

export function playing(play: Play, detail: Partial<AcpRecord> = {}): AcpRecord {
  return {
    name: 'acp-agent',
    title: 'The agent of the tests',
    command: [process.execPath, agentFile],
    packages: [],
    wire: undefined,
    upstream: undefined,
    keys: ['AGENT_API_KEY'],
    login: undefined,
    configure: () => ({ env: {}, files: { [playFile]: JSON.stringify(play) } }),
    systemPrompt: 'session',
    model: 'config-option',
    mode: undefined,
    authenticate: undefined,
    usage: 'turn',
    resume: ['resume', 'load'],
    ...detail,
  };
}
