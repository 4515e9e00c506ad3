/**
 * What every proven client must do through the ACP driver, alone with its workspace: hand in what fits after handing in
 * what does not, go on in the same session, stay inside, be told apart when its provider fails, be counted right, leave
 * no process and no secret. A whole run through the binary is in `run-suite.ts`.
 */
import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { afterEach, describe, expect, it } from 'vitest';
import { clockFrom } from '../agents/workshop.ts';
import { tempDir } from '../support/temp.ts';
import { type ClientBench, openClientBench, providerKey, wrongSummary } from './client-bench.ts';
import type { ClientName } from './install.ts';
import type { PlainAnswer, Script } from './model-server/script.ts';
import type { ModelCall } from './model-server/server.ts';

export interface ClientTraits {
  /** What a repository can make it run in every session, contained as it is; nothing when left out. */
  readonly obeys?: readonly string[];
  /** A login as its own program would have left it, with that token in it. */
  readonly login?: { readonly file: string; readonly protected: string; readonly content: (token: string) => object };
  /** It tries again for minutes and cannot be told otherwise: the watchdog ends it. */
  readonly triesAgain?: boolean;
  /** What the client's own figures of a job with these calls must be. */
  readonly reader: (calls: readonly ModelCall[]) => { inputTokens: number; outputTokens: number };
}

const file = { path: 'src/greeting.txt', content: 'hello\n' };
const done = { status: 'success', summary: 'done' };

const script: Script = [
  {
    name: 'fix',
    now: 'Mend it',
    answers: [
      { calls: [{ edit: { path: file.path, from: 'hello', to: 'good morning' } }] },
      { calls: [{ submit: done }] },
      { text: 'Mended.' },
    ],
  },
  {
    name: 'work',
    now: 'Write the greeting',
    answers: [
      { text: 'Writing.', calls: [{ write: file }] },
      { calls: [{ submit: { status: 'success', summary: 7 } }] },
      { calls: [{ submit: { status: 'success', summary: 'x' } }] },
      { calls: [{ submit: done }] },
      { text: 'Written.' },
    ],
  },
];

export function describeClient(name: ClientName, traits: ClientTraits): void {
  let bench: ClientBench;
  const open = async (played: Script) => {
    bench = await openClientBench(name, played);
    return bench;
  };
  describe(name, { timeout: 300_000 }, () => {
    afterEach(async () => {
      const left = bench.processes();
      await bench.close();
      expect(left).toEqual([]);
    });

    it('corrects a result that does not fit, and mends its work in the same session', async () => {
      const { work, model, workshop } = await open(script);
      const read = () => readFileSync(join(workshop.tree, file.path), 'utf8');
      const first = await work('Write the greeting.');
      expect(first.outcome).toMatchObject({ status: 'replied', reply: done });
      expect(read()).toBe(file.content);
      expect(model.calls.flatMap(({ problem }) => problem ?? [])).toEqual([]);
      // Some clients hold arguments against the schema themselves; what Forge says of the rest is its own.
      expect(lastHeard(model.calls, 'work')).toMatch(/summary.*(string|text)/);
      expect(lastHeard(model.calls, 'work')).toContain(wrongSummary);
      expect(tokens(first.metered)).toEqual(counted(model.calls));
      expect(model.calls.map(({ key }) => key)).toEqual(model.calls.map(() => providerKey));

      const before = model.calls.length;
      const second = await work('Mend it.', { session: first.outcome.session, metered: false });
      const calls = model.calls.slice(before);
      expect(second.outcome).toMatchObject({ status: 'replied', reply: done, session: first.outcome.session });
      expect(read()).toBe('good morning\n');
      expect(calls.filter(({ rule }) => rule === 'fix').map(({ place }) => place)).toEqual([0, 1, 2]);
      expect(JSON.stringify(calls.find(({ rule }) => rule === 'fix')?.request.turns)).toContain('Write the greeting');
      expect(tokens(second.outcome.usage)).toEqual(traits.reader(calls));
    });

    it('keeps the real key out of its sight', async () => {
      const { work, workshop, filesWith } = await open([
        {
          name: 'curious',
          now: 'Look around',
          answers: [
            { calls: [{ run: 'env > seen.txt; cat /proc/*/environ >> seen.txt 2>/dev/null; ls -la / >> seen.txt' }] },
            {
              text: `Found ${providerKey}.`,
              calls: [{ submit: { status: 'failed', summary: `it is ${providerKey}` } }],
            },
            { text: 'Done.' },
          ],
        },
      ]);
      const { outcome, heard } = await work('Look around.');
      expect(existsSync(join(workshop.tree, 'seen.txt'))).toBe(true);
      expect(readFileSync(join(workshop.tree, 'seen.txt'), 'utf8')).not.toContain(providerKey);
      expect(JSON.stringify(outcome)).not.toContain(providerKey);
      expect(heard.text()).not.toContain(providerKey);
      // What the model itself says, the client may write into its own home; nothing else holds it.
      expect(filesWith(providerKey).filter((path) => !path.startsWith(workshop.home))).toEqual([]);
    });

    it('runs nothing by itself that the repository wants run', async () => {
      const { work, workshop } = await open(script);
      plantOrders(workshop.tree);
      const { outcome } = await work('Write the greeting.');
      expect(outcome.status).toBe('replied');
      expect(readdirSync(workshop.tree).filter((entry) => entry.startsWith('obeyed-'))).toEqual(traits.obeys ?? []);
    });

    it.skipIf(traits.login === undefined)(
      'uses a copy of a login, renews the original, and can change nothing else of it',
      async () => {
        const { login } = traits;
        if (login === undefined) return;
        const token = `dummy-token-${process.pid}-3f9a1c`;
        const directory = tempDir();
        const lies = join(directory, login.file);
        writeFileSync(lies, JSON.stringify(login.content(token)), { mode: 0o600 });
        writeFileSync(join(directory, login.protected), '');
        const renewed = JSON.stringify(login.content('renewed'));
        const { work, model, workshop, filesWith } = await open([
          {
            name: 'renew',
            now: 'Renew it',
            answers: [
              {
                calls: [
                  {
                    run: `own=$(find "$HOME" -name ${login.file} | head -n 1); printf %s '${renewed}' > "$own.new" && mv "$own.new" "$own"; echo x > "$(dirname "$own")/${login.protected}"; echo x > ${join(directory, login.protected)} || echo kept > seen.txt`,
                  },
                ],
              },
              { calls: [{ submit: done }] },
              { text: 'Renewed.' },
            ],
          },
        ]);
        const { outcome } = await work('Renew it.', { login: directory });
        expect(outcome).toMatchObject({ status: 'replied', reply: done });
        // The first request was made with what lay there; afterwards a client may read it again.
        expect(model.calls[0]?.key).toBe(token);
        expect(model.calls.filter(({ key }) => key !== token && key !== 'renewed')).toEqual([]);
        // What was renewed is the person's, and what instructs their sessions is as it was.
        expect(readFileSync(join(workshop.tree, 'seen.txt'), 'utf8')).toBe('kept\n');
        expect(readFileSync(lies, 'utf8')).toBe(renewed);
        expect(readFileSync(join(directory, login.protected), 'utf8')).toBe('');
        expect(filesWith(token)).toEqual([]);
      },
    );

    it('cannot write outside its workspace, by tool or by shell', async () => {
      const away = `/forge-escape-${process.pid}`;
      const { work, model, workshop } = await open([
        {
          name: 'escape',
          now: 'Break out',
          answers: [
            { calls: [{ write: { path: `${away}/tool.txt`, content: 'out\n' } }] },
            {
              calls: [
                {
                  run: `mkdir -p ${away}; echo out > ${away}/shell.txt; echo "shell said $?"; echo out > ../beside.txt`,
                },
              ],
            },
            { calls: [{ submit: done }] },
            { text: 'Tried.' },
          ],
        },
      ]);
      const { outcome } = await work('Break out.');
      expect(outcome.status).toBe('replied');
      expect(existsSync(away)).toBe(false);
      expect(readdirSync(workshop.root).sort()).toEqual(['home', 'tmp', 'tree']);
      expect(lastHeard(model.calls, 'escape')).toMatch(/shell said [12]/);
      expect(lastHeard(model.calls, 'escape')).toMatch(/read-only|EROFS|permission|not permitted|denied|failed|error/i);
    });

    const troubles: readonly { what: string; answer: PlainAnswer; expected: object }[] = [
      {
        what: 'a rate limit',
        answer: { refuse: 'rate_limit', retryAfter: 120 },
        expected: { status: 'trouble', trouble: { code: 'rate_limit', retryAfterMs: 120_000 } },
      },
      {
        what: 'a server error',
        answer: { refuse: 'server' },
        expected: { status: 'trouble', trouble: { code: 'server' } },
      },
      {
        what: 'a dropped stream',
        answer: { text: 'an answer that breaks off', drop: 'within' },
        expected: { status: 'trouble', trouble: { code: 'stream_cut' } },
      },
      { what: 'silence', answer: { text: 'an answer that stops', silence: 'within' }, expected: { status: 'idle' } },
    ];
    it.each(troubles)('is told apart by $what', async ({ answer, expected }) => {
      const { work, model } = await open([{ name: 'trouble', now: 'Try this', answers: [answer] }]);
      // Time passes only for a client that waits by itself, and only once the model has failed it.
      const failed = () => model.calls.some(({ rule, state }) => rule === 'trouble' && state !== 'open');
      const waits = traits.triesAgain === true || answer.silence !== undefined;
      const { outcome } = await work('Try this.', waits ? { clock: clockFrom(failed) } : {});
      expect(outcome).toMatchObject(expected);
    });
  });
}

/** Servers, hooks and plugins, as each client would find them; each leaves a file of its own. */
function plantOrders(tree: string): void {
  const leave = (mark: string): string => `touch ${join(tree, `obeyed-${mark}`)}`;
  const server = (mark: string) => ({ command: '/bin/sh', args: ['-c', `${leave(mark)}; cat`] });
  const hooks = (mark: string) => ({ SessionStart: [{ hooks: [{ type: 'command', command: leave(mark) }] }] });
  const files = {
    '.mcp.json': JSON.stringify({ mcpServers: { own: server('claude-server') } }),
    '.claude/settings.json': JSON.stringify({ hooks: hooks('claude-hook'), enableAllProjectMcpServers: true }),
    '.gemini/settings.json': JSON.stringify({
      mcpServers: { own: server('gemini-server') },
      hooks: hooks('gemini-hook'),
    }),
    '.codex/config.toml': `notify = ${JSON.stringify(['/bin/sh', '-c', leave('codex-notify')])}\n[mcp_servers.own]\ncommand = "/bin/sh"\nargs = ${JSON.stringify(server('codex-server').args)}\n`,
    '.codex/hooks.json': JSON.stringify({ hooks: hooks('codex-hook') }),
    'opencode.json': JSON.stringify({
      mcp: { own: { type: 'local', enabled: true, command: ['/bin/sh', '-c', `${leave('opencode-server')}; cat`] } },
    }),
    '.opencode/opencode.json': JSON.stringify({
      mcp: { own: { type: 'local', enabled: true, command: ['/bin/sh', '-c', `${leave('opencode-inner')}; cat`] } },
    }),
    '.opencode/plugin/own.js': `import { writeFileSync } from 'node:fs';\nwriteFileSync(${JSON.stringify(join(tree, 'obeyed-opencode-plugin'))}, '');\nexport const Own = async () => ({});\n`,
  };
  for (const [path, content] of Object.entries(files)) {
    mkdirSync(dirname(join(tree, path)), { recursive: true });
    writeFileSync(join(tree, path), content);
  }
}

/** What the client told the model when it asked for the last time. */
function lastHeard(calls: readonly ModelCall[], rule: string): string {
  const last = calls.filter((call) => call.rule === rule).at(-1);
  return (last?.request.turns ?? [])
    .filter(({ role }) => role === 'tool')
    .map(({ text }) => text)
    .join('\n');
}

export function counted(calls: readonly ModelCall[]): { inputTokens: number; outputTokens: number } {
  const told = calls.filter(({ state }) => state === 'told');
  return {
    inputTokens: told.reduce((sum, call) => sum + (call.tokens?.input ?? 0), 0),
    outputTokens: told.reduce((sum, call) => sum + (call.tokens?.output ?? 0), 0),
  };
}

function tokens(usage: { inputTokens: number; outputTokens: number } | undefined) {
  return { inputTokens: usage?.inputTokens, outputTokens: usage?.outputTokens };
}
