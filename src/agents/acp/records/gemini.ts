/**
 * Gemini CLI, proven with 0.61.0. Settings go in as the person's: it takes the system's only from a file that belongs to
 * root, which nothing in a jail does. The repository's would win over them, so its `.gemini` is hidden; a GEMINI.md in the
 * repository is read all the same. Its usage figures leave thoughts out: only a meter sees those.
 * It files a session under the minute it began in, and a session continued within that minute overwrites itself; so
 * the files of earlier sessions get other names before it starts.
 */
import { join } from 'node:path';
import type { AcpRecord } from '../record.ts';

export const gemini: AcpRecord = {
  name: 'gemini',
  title: 'Gemini CLI',
  command: ['gemini', '--acp'],
  packages: ['@google/gemini-cli@0.61.0'],
  wire: 'gemini',
  upstream: 'https://generativelanguage.googleapis.com',
  keys: ['GEMINI_API_KEY', 'GOOGLE_API_KEY'],
  login: {
    directory: '.gemini',
    variable: undefined,
    credentials: ['oauth_creds.json', 'google_accounts.json'],
    copies: ['installation_id'],
  },
  configure: ({ home, url, key, model }) => ({
    env: {
      GEMINI_CLI_TRUST_WORKSPACE: 'true',
      GEMINI_CLI_NO_RELAUNCH: 'true',
      NODE_OPTIONS: `--require=${JSON.stringify(join(home, renamerFile))}`,
      NO_BROWSER: '1',
      ...(url === undefined ? {} : { GOOGLE_GEMINI_BASE_URL: url }),
      ...(key === undefined ? {} : { GEMINI_API_KEY: key }),
    },
    files: {
      [settingsFile]: JSON.stringify({
        ...settings,
        model: { ...settings.model, ...(model === undefined ? {} : { name: model }) },
        security: { ...settings.security, auth: { selectedType: key === undefined ? loginAuth : keyAuth } },
      }),
      [renamerFile]: renamer,
    },
  }),
  systemPrompt: 'prompt',
  model: 'configuration',
  mode: 'yolo',
  authenticate: undefined,
  usage: 'meta-quota',
  resume: ['load'],
  hides: ['.gemini'],
};

const settingsFile = '.gemini/settings.json';
const renamerFile = '.forge/gemini-sessions.cjs';
const keyAuth = 'gemini-api-key';
/** A Google account, whose credentials are mirrored. */
const loginAuth = 'oauth-personal';

const settings = {
  general: {
    enableAutoUpdate: false,
    enableAutoUpdateNotification: false,
    sessionRetention: { enabled: false },
    // Forge sees why a request failed and decides what comes of it.
    maxAttempts: 1,
    retryFetchErrors: false,
  },
  privacy: { usageStatisticsEnabled: false },
  telemetry: { enabled: false },
  security: { folderTrust: { enabled: false } },
  model: { skipNextSpeakerCheck: true },
  // What the repository wants to run in every session is not ours to run.
  hooksConfig: { enabled: false },
  mcp: { allowed: ['forge'] },
  skills: { enabled: false },
  admin: { extensions: { enabled: false } },
  advanced: { ignoreLocalEnv: true },
  tools: { disableLLMCorrection: true },
};

/** Loaded by Gemini's Node before Gemini, and not by the programs it starts. */
const renamer = `delete process.env.NODE_OPTIONS;
const fs = require('node:fs');
const path = require('node:path');
const projects = path.join(process.env.HOME, '.gemini', 'tmp');
for (const project of fs.existsSync(projects) ? fs.readdirSync(projects) : []) {
  const chats = path.join(projects, project, 'chats');
  for (const name of fs.existsSync(chats) ? fs.readdirSync(chats) : []) {
    if (!/^session-.*-[0-9a-f]{8}\\.jsonl$/.test(name)) continue;
    fs.renameSync(path.join(chats, name), path.join(chats, name.replace(/\\.jsonl$/, '-earlier.jsonl')));
  }
}
`;
