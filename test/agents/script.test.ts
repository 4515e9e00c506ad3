import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { stringify } from 'yaml';
import { parseScript } from '../../src/agents/script.ts';
import { type StepName, stepForms } from '../../src/agents/script-step.ts';
import { ForgeError } from '../../src/errors.ts';

const noUsage = { inputTokens: 0, outputTokens: 0, costUsd: 0, turns: 0 };

describe('a script', () => {
  test('is read as the documentation shows it, from YAML and from JSON alike', () => {
    const yaml = `
- when: { role: developer, task: T1, attempt: 1 }   # any subset
  do:
    - write: { path: src/a.js, content: "..." }
    - sleep: 200ms
    - usage: { inputTokens: 1200, outputTokens: 300, costUsd: 0.01 }
    - reply: { status: success, summary: "..." }
- when: { role: rev*, key: "T1/**", run: "*", attempt: "[23]" }
  do: [error: { code: rate_limit, retryAfter: 30s }]
- do: []
`;
    const json = JSON.stringify([
      {
        when: { role: 'developer', task: 'T1', attempt: 1 },
        do: [
          { write: { path: 'src/a.js', content: '...' } },
          { sleep: '200ms' },
          { usage: { inputTokens: 1200, outputTokens: 300, costUsd: 0.01 } },
          { reply: { status: 'success', summary: '...' } },
        ],
      },
      {
        when: { role: 'rev*', key: 'T1/**', run: '*', attempt: '[23]' },
        do: [{ error: { code: 'rate_limit', retryAfter: '30s' } }],
      },
      { do: [] },
    ]);
    const script = parseScript(yaml, 'a.yaml');
    expect(script).toEqual({
      source: 'a.yaml',
      entries: [
        {
          number: 1,
          when: { role: 'developer', task: 'T1', attempt: '1' },
          steps: [
            { step: 'write', path: 'src/a.js', content: '...' },
            { step: 'sleep', ms: 200 },
            { step: 'usage', usage: { inputTokens: 1200, outputTokens: 300, costUsd: 0.01, turns: 0 } },
            { step: 'reply', reply: { status: 'success', summary: '...' } },
          ],
          repeat: false,
          digest: expect.stringMatching(/^[0-9a-f]{16}$/),
        },
        {
          number: 2,
          when: { role: 'rev*', key: 'T1/**', run: '*', attempt: '[23]' },
          steps: [{ step: 'error', trouble: { code: 'rate_limit', message: '', retryAfterMs: 30_000 } }],
          repeat: false,
          digest: expect.any(String),
        },
        { number: 3, when: {}, steps: [], repeat: false, digest: expect.any(String) },
      ],
    });
    expect(parseScript(json, 'a.yaml')).toEqual(script);
  });

  test('names an entry by its content, not by how it is written', () => {
    const digest = (text: string) => parseScript(text, 'a').entries[0]?.digest;
    expect(digest('[{when: {role: a, task: b}, do: [say: hi]}]')).toBe(
      digest('- do: [{say: hi}]\n  when: {task: b, role: a}'),
    );
    expect(digest('[{when: {role: a}, do: [say: hi]}]')).not.toBe(digest('[{when: {task: a}, do: [say: hi]}]'));
    expect(digest('[{do: [say: hi]}]')).not.toBe(digest('[{do: [say: ho]}]'));
  });

  const parsed: { readonly [N in StepName]: object } = {
    write: { path: 'src/a.js', content: 'let a;', mode: 0o755 },
    link: { path: 'current', to: 'releases/2' },
    append: { path: 'src/a.js', content: 'more' },
    delete: { path: 'src/a.js' },
    move: { from: 'src/a.js', to: 'src/b.js' },
    patch: { diff: '--- a/x\n+++ b/x\n@@ -1 +1 @@\n-old\n+new\n' },
    exec: { argv: ['npm', 'install'] },
    git: { argv: ['commit', '-am', 'my work'] },
    sleep: { ms: 200 },
    say: { text: 'Looking at the tests' },
    usage: { usage: { ...noUsage, inputTokens: 1200, outputTokens: 300, costUsd: 0.01 } },
    limits: { windows: [{ window: '5h', used: 92, resetsInMs: 18_000_000 }] },
    session: { id: 'abc-123' },
    reply: { reply: { status: 'success', summary: 'Done' } },
    hang: { forever: true },
    crash: { exit: 137 },
    error: { trouble: { code: 'rate_limit', message: 'Slow down', retryAfterMs: 30_000 } },
    spew: { bytes: 1_000_000, stream: 'stdout' },
    fork: { setsid: true, argv: ['sleep', '600'] },
  };
  test.each(Object.entries(parsed))('shows for %s an example that is read as meant', (name, data) => {
    const { example } = stepForms[name as StepName];
    expect(parseScript(`- do:\n    - ${example}`, 'a').entries[0]?.steps).toEqual([{ step: name, ...data }]);
  });

  test('takes a string as a bad reply, paths that try to escape, and defaults', () => {
    const text =
      '- do: [{reply: "I am done"}, {write: {path: ../../etc/x, content: ""}}, {fork: {}}, {spew: {bytes: endless}}]';
    expect(parseScript(text, 'a').entries[0]?.steps).toEqual([
      { step: 'reply', reply: 'I am done' },
      { step: 'write', path: '../../etc/x', content: '' },
      { step: 'fork', setsid: false, argv: ['sleep', '1000000'] },
      { step: 'spew', bytes: 'endless', stream: 'stdout' },
    ]);
  });
});

describe('a bad script is refused with the place and the fix:', () => {
  const one =
    'exactly one of write, link, append, delete, move, patch, exec, git, sleep, say, usage, limits, session, reply, hang, crash, error, spew, fork';
  test.each([
    ['', 's.yaml: it must be a list of entries; begin each with "- when: { role: developer }"'],
    ['role: developer', 's.yaml: it must be a list of entries; begin each with "- when: { role: developer }"'],
    ['- do: [dance: true]', `s.yaml: entry 1, step 1: it must be ${one}; found "dance"`],
    ['- do: [{say: a, sleep: 1s}]', `s.yaml: entry 1, step 1: it must be ${one}; found "say" and "sleep"`],
    ['- do: [hang]', `s.yaml: entry 1, step 1: it must be ${one}; found nothing usable`],
    ['- do: [toString: 1]', `s.yaml: entry 1, step 1: it must be ${one}; found "toString"`],
    ['- {do: [], when: {rol: a}}', 's.yaml: entry 1: when knows no "rol"; use run, role, task, key, attempt'],
    ['- {do: [], when: {role: [a]}}', 's.yaml: entry 1: when.role must be text, a number or a glob, such as "T*"'],
    ['- {do: [], when: {role: ""}}', 's.yaml: entry 1: when.role must be text, a number or a glob, such as "T*"'],
    [
      '- {do: []}\n- {do: [say: a, sleep: 5]}',
      's.yaml: entry 2, step 2 (sleep): Invalid input: expected string, received number; write it like `sleep: 200ms`',
    ],
    [
      '- do: [sleep: soon]',
      's.yaml: entry 1, step 1 (sleep): "soon" is not a duration such as 200ms, 2s or 1m; write it like `sleep: 200ms`',
    ],
    [
      '- do: [reply: 5]',
      's.yaml: entry 1, step 1 (reply): expected an object (the result) or a string (free text); write it like `reply: { status: success, summary: "Done" }`',
    ],
    [
      '- do: [write: {path: a, content: b, mode: 755}]',
      's.yaml: entry 1, step 1 (write): mode: expected an octal mode in quotes, such as "755"; write it like `write: { path: src/a.js, content: "let a;", mode: "755" }`',
    ],
    [
      '- do: [hang: true, say: never]',
      's.yaml: entry 1, step 2: never reached, `hang` ends the script; move it before',
    ],
    [
      '- when: {role: a}',
      's.yaml: entry 1: do: Invalid input: expected array, received undefined; an entry is `when: { role: developer }` and `do: [steps]`',
    ],
    [
      '- do: [crash: 0]\n- do: [exec: []]',
      's.yaml: entry 1, step 1 (crash): Too small: expected number to be >=1; write it like `crash: 137`\ns.yaml: entry 2, step 1 (exec): Too small: expected array to have >=1 items; write it like `exec: [npm, install]`',
    ],
  ])('%j', (text, message) => {
    const error = failure(text);
    expect({ code: error?.code, message: error?.message, hint: error?.hint }).toEqual({
      code: 'bad-script',
      message,
      hint: 'docs/scripted-agent.md describes every step with an example.',
    });
  });

  test.each([
    ['- do: [', /^s\.yaml: it is neither YAML nor JSON: .*line 1/s],
    ['- {do: [], do: []}', /keys must be unique/i],
    ['- do: &a [reply: {x: *a}]', /^s\.yaml: it is neither YAML nor JSON: .*leads back to what it is part of/s],
    ['a\n---\nb', /^s\.yaml: it is neither YAML nor JSON: /],
    ['['.repeat(100_000), /^s\.yaml: it is neither YAML nor JSON: /],
  ])('(pattern) %#', (text, message) => {
    expect(failure(text)?.message).toMatch(message);
  });

  test('only the first of many problems are shown', () => {
    const lines = failure('- do: [a: 1]\n'.repeat(30))?.message.split('\n');
    expect(lines?.length).toBe(11);
    expect(lines?.at(-1)).toBe('and 20 more');
  });
});

describe('whatever the text, there is a script or a bad-script error:', () => {
  const readable = (text: string) => {
    const result = attempt(text);
    if (result instanceof ForgeError) expect(result.code).toBe('bad-script');
    else expect(Object.keys(result)).toEqual(['source', 'entries']);
  };
  test('any text', () => {
    fc.assert(fc.property(fc.oneof(fc.string(), fc.string({ unit: 'binary' }), fc.json()), readable));
  });
  test('almost right data, as JSON and as YAML', () => {
    const value = fc.oneof(
      fc.jsonValue({ maxDepth: 2 }),
      fc.constantFrom('1s', 'a/b', '!(x', '{a,b', '[', '\0', true, 137),
    );
    const step = fc.dictionary(fc.constantFrom(...Object.keys(stepForms), '__proto__', 'x'), value, { maxKeys: 2 });
    const deep = fc.dictionary(
      fc.constantFrom(...Object.keys(stepForms)),
      fc.dictionary(
        fc.constantFrom('path', 'content', 'mode', 'from', 'to', 'code', 'retryAfter', 'bytes', 'run'),
        value,
      ),
      { maxKeys: 1 },
    );
    const when = fc.dictionary(fc.constantFrom('role', 'task', 'attempt', 'key', 'run', 'toString'), value);
    const entry = fc.record({ when, do: fc.array(fc.oneof(step, deep)) }, { requiredKeys: [] });
    fc.assert(
      fc.property(fc.array(fc.oneof(entry, value)), (data) => {
        readable(JSON.stringify(data));
        readable(stringify(data));
      }),
    );
  });
  test('right text, damaged', () => {
    const good = Object.values(stepForms)
      .map(({ example }) => `- when: { role: dev*, attempt: 1 }\n  do:\n    - ${example}\n`)
      .join('');
    fc.assert(
      fc.property(fc.nat(good.length), fc.nat(20), fc.string({ maxLength: 5 }), (at, length, text) => {
        readable(good.slice(0, at) + text + good.slice(at + length));
      }),
    );
  });
});

function attempt(text: string) {
  try {
    return parseScript(text, 's.yaml');
  } catch (error) {
    if (error instanceof ForgeError) return error;
    throw error;
  }
}

function failure(text: string): ForgeError | undefined {
  const result = attempt(text);
  return result instanceof ForgeError ? result : undefined;
}
