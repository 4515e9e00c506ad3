/**
 * An agent that was given secrets, by a copied file and by a variable, says them in odd forms, prints them, puts them into
 * its result and commits them. The merge is refused, and no way out of Forge carries one: terminal, data, every report,
 * the dashboard's operations and streams, an MCP client, notifications, documents, and what the run keeps.
 */
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { request } from 'node:http';
import { join } from 'node:path';
import { beforeAll, describe, expect, it } from 'vitest';
import { serveUi } from '../../src/server/serve-ui.ts';
import { developed, makeProject, type Project, script } from '../cli/support.ts';
import { connect } from '../mcp/client.ts';

const copied = 'copied-word-51ab77c0de';
const given = 'given-value-90ff3e21aa';
/** By a setting of an agent, under a name that says nothing. */
const listed = 'listed-phrase-77ce01d4b2';
const secrets = [copied, given, listed];
const forms = secrets.flatMap((secret) => [
  secret,
  Buffer.from(secret).toString('base64'),
  Buffer.from(secret).toString('hex'),
  encodeURIComponent(`${secret}/`).slice(0, secret.length),
  JSON.stringify(JSON.stringify(secret)).slice(3, -3),
]);
const expectClean = (what: string, text: string): void => {
  for (const form of forms) expect(text.includes(form), `${what} holds ${form}`).toBe(false);
};

let project: Project;
let run: string;
let printed: string;

beforeAll(async () => {
  const said = `Found ${secrets.join(' ')} ${forms.join(' ')} ${copied.slice(0, 9)}\n${copied.slice(9)}`;
  const commits = {
    write: {
      path: 'src/config.js',
      content: `export const key = '${copied}';\nexport const to = '${given}${listed}';\n`,
    },
  };
  const [, ...rest] = developed;
  project = makeProject({
    env: { SERVICE_TOKEN: given, GREETING: listed },
    config: `agents:
  actor: { driver: scripted, script: .forge/script.yaml }
  other: { driver: command, run: [some-agent], env: [GREETING] }
checks: { run: ["node --test"] }
workspace: { copy: [keys/token] }
`,
    files: { '.gitignore': 'keys\n' },
    script: script({
      develop: [
        { say: said },
        { exec: ['sh', '-c', `cat keys/token; base64 keys/token; od -An -tx1 keys/token; echo ${given} ${listed}`] },
        commits,
        ...rest.slice(0, -1),
        { reply: { status: 'success', summary: said, handoff: { filesModified: [copied] } } },
      ],
    }),
  });
  project.write({ 'keys/token': `TOKEN=${copied}\n` });
  const home = project.env['HOME'] ?? '';
  mkdirSync(join(home, '.config/forge'), { recursive: true });
  writeFileSync(join(home, '.config/forge/notify.yaml'), `channels: [{ command: [sh, -c, "cat >> ${home}/told"] }]\n`);
  const ended = await project.forge('run', `Use ${given} well`, '--yes');
  [run = ''] = project.runs();
  printed = `${ended.stdout}${ended.stderr}`;
});

describe('a secret that an agent was given', () => {
  it('stops the merge', async () => {
    expect(printed).toMatch(/secret/);
    expect(project.git('for-each-ref', '--format=%(refname)', 'refs/heads')).toBe('refs/heads/main');
  });

  it('is on no terminal, in no data and in no report', async () => {
    expectClean('run', printed);
    const ways = [
      ['status'],
      ['status', '--json'],
      ['list', '--json'],
      ['show', run],
      ['logs'],
      ['logs', '--json'],
      ['logs', 'W1', '--json'],
      ['diff', run, '--json'],
      ['report', run],
      ...['html', 'sarif', 'json'].map((format) => ['report', run, `--${format}`]),
    ];
    for (const words of ways) {
      const { stdout, stderr } = await project.forge(...words);
      expectClean(words.join(' '), `${stdout}${stderr}`);
    }
    const html = readdirSync(project.root).filter((name) => name.endsWith('.html'));
    for (const name of html) expectClean(name, readFileSync(join(project.root, name), 'utf8'));
  });

  it('is in no notification, and in nothing that is kept', async () => {
    const home = project.env['HOME'] ?? '';
    const told = readFileSync(join(home, 'told'), 'utf8');
    expect(told).toContain('"kind":"stuck"');
    expectClean('notifications', told);
    for (const directory of [project.directory(''), join(project.root, '.forge')]) {
      for (const entry of readdirSync(directory, { recursive: true, withFileTypes: true })) {
        const path = join(entry.parentPath, entry.name);
        // What the person wrote for the scripted agent is theirs.
        if (entry.isFile() && entry.name !== 'script.yaml') expectClean(path, readFileSync(path, 'latin1'));
      }
    }
  });

  it('does not reach an MCP client', async () => {
    const { call } = await connect(project);
    const calls = [
      ['forge_status', { run }],
      ['forge_list', {}],
      ['forge_logs', { run }],
      ['forge_questions', {}],
      ...['markdown', 'html', 'sarif', 'json'].map((format) => ['forge_report', { run, format }] as const),
    ] as const;
    for (const [name, args] of calls) expectClean(`${name} ${JSON.stringify(args)}`, (await call(name, args)).text);
  });

  it('does not reach a browser', async () => {
    const worker = { where: 'apart' as const, program: process.execPath, args: [] };
    const dashboard = await serveUi({ cwd: project.root, env: project.env, worker, all: false, port: 0 });
    try {
      const link = new URL(dashboard.link());
      const cookie = await new Promise<string>((resolve, reject) => {
        request(
          { host: '127.0.0.1', port: dashboard.port, path: link.pathname + link.search, agent: false },
          (answer) => resolve(String(answer.headers['set-cookie']).split(';', 1)[0] ?? ''),
        )
          .on('error', reject)
          .end();
      });
      const at = `http://127.0.0.1:${dashboard.port}`;
      const ask = async (name: string, input: object): Promise<string> => {
        const answer = await fetch(`${at}/api/call/${name}`, {
          method: 'POST',
          headers: { cookie, 'content-type': 'application/json' },
          body: JSON.stringify({ input }),
        });
        return answer.text();
      };
      const details = await ask('inspect-run', { run });
      expectClean('inspect-run', details);
      const keys = [...details.matchAll(/"key":"([^"]+)"/g)].map(([, key = '']) => key);
      for (const key of new Set(keys)) {
        expectClean(`read-transcript ${key}`, await ask('read-transcript', { run, key }));
        expectClean(`read-check ${key}`, await ask('read-check', { run, key }));
      }
      for (const task of ['W1', 'T1']) {
        expectClean('diff-run', await ask('diff-run', { run, task, text: 'patch' }));
        const patch = await ask('diff-file', { run, task, path: 'src/config.js' });
        expectClean('diff-file', patch);
      }
      const work = await ask('diff-file', { run, work: 'W1/develop#1', path: 'src/config.js' });
      expect(work).toContain('export const key');
      expectClean('diff-file of a session', work);
      expectClean('read-journal', await ask('read-journal', { run }));
      const wanted = [
        { id: 'a', operation: 'watch-run', input: { run } },
        { id: 'b', operation: 'watch-runs' },
        { id: 'c', operation: 'watch-transcript', input: { run, key: 'W1/develop#1' } },
      ];
      const stream = await fetch(`${at}/api/events?s=${encodeURIComponent(JSON.stringify(wanted))}`, {
        headers: { cookie },
      });
      const reader = stream.body?.getReader();
      const heard = new Set<string>();
      let text = '';
      while (heard.size < wanted.length) {
        const piece = await reader?.read();
        if (piece === undefined || piece.done) break;
        text += Buffer.from(piece.value).toString('utf8');
        for (const { id } of wanted) if (text.includes(`"id":"${id}"`)) heard.add(id);
      }
      await reader?.cancel();
      expect(heard.size).toBe(wanted.length);
      expectClean('events', text);
    } finally {
      await dashboard.close();
    }
  });
});
