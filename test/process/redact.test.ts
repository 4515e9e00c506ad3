import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { createRedactor, redactStream } from '../../src/process/redact.ts';

const redactor = createRedactor({
  DEPLOY_TOKEN: 'tok/3n+value with space',
  DB_PASSWORD: 'hunter2hunter2',
  SHORT_SECRET: 'abc1234',
  GIT_AUTHOR_NAME: 'Ada Lovelace',
  SSH_AUTH_SOCK: '/tmp/ssh-abcdef/agent.1',
  PATH: '/usr/local/bin:/usr/bin',
  UNSET_KEY: undefined,
});

describe('values of the environment', () => {
  test.each([
    ['plain', 'x hunter2hunter2 y', 'x [redacted:DB_PASSWORD] y'],
    ['twice', 'hunter2hunter2hunter2hunter2', '[redacted:DB_PASSWORD][redacted:DB_PASSWORD]'],
    ['with a space', 'is tok/3n+value with space!', 'is [redacted:DEPLOY_TOKEN]!'],
    ['URL-encoded', `?t=${encodeURIComponent('tok/3n+value with space')}`, '?t=[redacted:DEPLOY_TOKEN]'],
    ['URL-encoded in lower case', '?t=tok%2f3n%2bvalue%20with%20space', '?t=[redacted:DEPLOY_TOKEN]'],
    ['form-encoded', '?t=tok%2F3n%2Bvalue+with+space', '?t=[redacted:DEPLOY_TOKEN]'],
    ['too short', 'abc1234', 'abc1234'],
    ['an author is no authorization', 'Ada Lovelace', 'Ada Lovelace'],
    ['a socket is no secret', '/tmp/ssh-abcdef/agent.1', '/tmp/ssh-abcdef/agent.1'],
    ['a path is no secret', '/usr/local/bin:/usr/bin', '/usr/local/bin:/usr/bin'],
  ])('%s', (_name, text, expected) => {
    expect(redactor.redact(text)).toBe(expected);
  });

  test.each(['', 'a', 'ab', 'user:', 'some longer name:'])('base64 behind %j', (before) => {
    for (const encoding of ['base64', 'base64url'] as const) {
      const encoded = Buffer.from(`${before}hunter2hunter2`).toString(encoding);
      const redacted = redactor.redact(encoded);
      expect(redacted).toContain('[redacted:DB_PASSWORD]');
      expect(Buffer.from(redacted.split('[')[0] ?? '', encoding).toString()).not.toContain('hunt');
    }
  });

  test('a secret of several lines, whole, line by line and in JSON', () => {
    const value = 'first line of secret\nsecond line of secret\n';
    const several = createRedactor({ MY_SECRET: value });
    expect(several.redact(`<${value}>`)).toBe('<[redacted:MY_SECRET]\n>');
    expect(several.redact('grep: second line of secret')).toBe('grep: [redacted:MY_SECRET]');
    expect(several.redact(JSON.stringify({ value }))).toBe('{"value":"[redacted:MY_SECRET]\\n"}');
  });

  const odd = `q8"p<&/v4'l+42=\\x é9Rt!`;
  const oddRedactor = createRedactor({ MY_SECRET: odd });
  test.each([
    ['hex', Buffer.from(odd).toString('hex')],
    ['hex in capitals', Buffer.from(odd).toString('hex').toUpperCase()],
    ['JSON in JSON', JSON.stringify(JSON.stringify(odd)).slice(3, -3)],
    ['JSON with escaped slashes', JSON.stringify(odd).slice(1, -1).replaceAll('/', '\\/')],
    ['JSON in ASCII', JSON.stringify(odd).slice(1, -1).replaceAll('é', '\\u00e9')],
    ['HTML', odd.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('"', '&quot;').replaceAll("'", '&#39;')],
    ['quoted for a shell', odd.replaceAll("'", "'\\''")],
    ['with a colour in the middle', `${odd.slice(0, 9)}\u001B[31;1m${odd.slice(9)}`],
    ['over several lines', (odd.match(/.{1,5}/g) ?? []).join('\n    ')],
    [
      'base64 over several lines',
      (
        Buffer.from(odd)
          .toString('base64')
          .match(/.{1,7}/g) ?? []
      ).join('\r\n'),
    ],
  ])('%s', (_name, form) => {
    expect(oddRedactor.redact(`<${form}>`)).toMatch(/^<\[redacted:MY_SECRET\]=?=?>$/);
  });

  test('secrets without a name', () => {
    expect(createRedactor({}, ['nameless secret']).redact('a nameless secret')).toBe('a [redacted]');
  });

  test.each([
    ['OPENAI_API_KEY', true],
    ['APIKEY', true],
    ['AWS_SECRET_ACCESS_KEY', true],
    ['PGPASSWORD', true],
    ['DB_PASS', true],
    ['NPM_CONFIG__AUTH', true],
    ['GOOGLE_CREDENTIALS', true],
    ['SESSION_COOKIE', true],
    ['my_private_thing', true],
    ['DATABASE_URL', true],
    ['COMPASS_HOME', false],
    ['KEYBOARD_LAYOUT', false],
    ['XDG_SESSION_TYPE', false],
    ['XAUTHORITY', false],
    ['LANG', false],
  ])('%s looks secret: %s', (name, secret) => {
    const text = createRedactor({ [name]: 'some-plain-value' }).redact('some-plain-value');
    expect(text).toBe(secret ? `[redacted:${name}]` : 'some-plain-value');
  });
});

const word = 'a1B2c3D4e5F6g7H8i9J0k1L2m3N4o5P6q7R8s9';

describe('shapes of tokens', () => {
  test.each([
    [`sk-ant-api03-${word}`],
    [`sk-proj-${word}_x-y`],
    [`sk-${word}`],
    [`ghp_${word}`],
    [`gho_${word}`],
    [`ghs_${word}`],
    [`github_pat_${word}_${word}`],
    [`glpat-${word}`],
    [`xoxb-123456789-${word}`],
    ['AKIAIOSFODNN7EXAMPLE'],
    [`AIza${word.slice(0, 35)}`],
    [`npm_${word}`],
    [`hf_${word}`],
    [`sk_live_${word}`],
    [`eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiIxMjM0In0.${word}`],
  ])('%s', (token) => {
    expect(redactor.redact(`key=${token} end`)).toBe('key=[redacted] end');
    expect(redactor.redact(JSON.stringify({ text: `line\n${token}` }))).toBe('{"text":"line\\n[redacted]"}');
    expect(redactor.redact(`\u001b[32m${token}\u001b[0m`)).toBe('\u001b[32m[redacted]\u001b[0m');
  });

  test.each([
    ['Authorization: Bearer abcdefghijklmnop.qrs', 'Authorization: Bearer [redacted]'],
    ['authorization: Basic dXNlcjpwYXNz', 'authorization: Basic [redacted]'],
    ['curl -H "bearer 0123456789abcdef0123"', 'curl -H "bearer [redacted]"'],
    ['https://user:pa55@example.org/x', 'https://user:[redacted]@example.org/x'],
    ['postgres://app:s3cr3t@db:5432/app', 'postgres://app:[redacted]@db:5432/app'],
    [
      'see https://example.org:8080/a@b and git@github.com:x/y',
      'see https://example.org:8080/a@b and git@github.com:x/y',
    ],
    ['the task-runner of a desk-top is a risk-free thing', 'the task-runner of a desk-top is a risk-free thing'],
    ['class="sk-loading-indicator-large-blue"', 'class="sk-loading-indicator-large-blue"'],
    ['a bearer of good news', 'a bearer of good news'],
  ])('%s', (text, expected) => {
    expect(redactor.redact(text)).toBe(expected);
  });

  const body = `${'MIIEvQIBADANBgkqhkiG9w0BAQEFAASCBKcwggSjAgEAAoIBAQC7\n'.repeat(3)}x9/A==\n`;
  test.each([
    ['whole', `-----BEGIN PRIVATE KEY-----\n${body}-----END PRIVATE KEY-----`, ''],
    ['of a kind', `-----BEGIN OPENSSH PRIVATE KEY-----\n${body}-----END OPENSSH PRIVATE KEY-----`, ''],
    [
      'with headers',
      `-----BEGIN RSA PRIVATE KEY-----\nProc-Type: 4,ENCRYPTED\n\n${body}-----END RSA PRIVATE KEY-----`,
      '',
    ],
    ['cut off', `-----BEGIN PRIVATE KEY-----\n${body}`, '\n'],
  ])('a private key, %s', (_name, key, rest) => {
    expect(redactor.redact(`a\n${key}`)).toBe(`a\n[redacted]${rest}`);
    expect(redactor.redact(JSON.stringify(`a\n${key}`))).toBe(`"a\\n[redacted]${rest === '' ? '' : '\\n'}"`);
  });

  test('a certificate stays', () => {
    const certificate = `-----BEGIN CERTIFICATE-----\n${body}-----END CERTIFICATE-----\n`;
    expect(redactor.redact(certificate)).toBe(certificate);
  });
});

describe('every text', () => {
  const unit = fc.constantFrom('a', 'b', '\n', ' ', '/', 'é', '-');
  const secret = fc.string({ unit, minLength: 8, maxLength: 40 }).filter((text) => text.trim().length >= 8);

  test('holds no secret afterwards, in whatever pieces it came', () => {
    fc.assert(
      fc.property(
        secret,
        fc.array(fc.string({ unit, maxLength: 30 }), { maxLength: 6 }),
        fc.infiniteStream(fc.integer({ min: 1, max: 9 })),
        (value, parts, sizes) => {
          const own = createRedactor({ THE_SECRET: value });
          const text = parts.join(value.trim());
          const stream = redactStream(own);
          let shown = '';
          for (let at = 0; at < text.length; ) {
            const size = sizes.next().value ?? 1;
            shown += stream.push(text.slice(at, at + size));
            at += size;
          }
          shown += stream.flush();
          expect(shown).toBe(own.redact(text));
          expect(shown.replaceAll('[redacted:THE_SECRET]', '\u0000')).not.toContain(value.trim());
        },
      ),
    );
  });

  test('holds no secret that line breaks and colours go through', () => {
    const breaks = fc.constantFrom('\n', '\r\n', '\n  ', '\u001B[0m', '\u001B[38;5;12m', '\\\n');
    const between = fc.array(fc.tuple(fc.integer({ min: 1, max: 20 }), breaks), { maxLength: 8 });
    fc.assert(
      fc.property(between, fc.integer({ min: 1, max: 9 }), (cuts, size) => {
        const own = createRedactor({ THE_SECRET: 'k3Y-0f-many-l3tters' });
        let rest = 'k3Y-0f-many-l3tters';
        let text = 'is: ';
        for (const [length, separator] of cuts) {
          if (length >= rest.length) break;
          text += rest.slice(0, length) + separator;
          rest = rest.slice(length);
        }
        text += `${rest} end\n`;
        const stream = redactStream(own);
        let shown = '';
        for (let at = 0; at < text.length; at += size) shown += stream.push(text.slice(at, at + size));
        shown += stream.flush();
        const redacted = 'is: [redacted:THE_SECRET] end\n';
        expect(own.redact(text)).toBe(redacted);
        // Three letters alone do not hold a line back.
        if ((cuts[0]?.[0] ?? 4) >= 4) expect(shown).toBe(redacted);
      }),
    );
  });

  test('is linear: what looks like a beginning of everything, a megabyte of it', () => {
    const own = createRedactor({ A_TOKEN: 'a'.repeat(64), B_TOKEN: `${'a'.repeat(63)}b` });
    const traps = [
      'eyJ',
      'a',
      'sk-',
      '-----BEGIN PRIVATE KEY-----\nAA\n',
      '://',
      'Bearer ',
      'ghp_',
      '://a:',
      '%20eyJ',
      'AKIA',
      '\\n',
      'a\n',
      'a\u001B[0m',
      'xox-',
    ];
    for (const trap of traps) {
      // Anything worse than linear would not end before the test's limit.
      expect(own.redact(trap.repeat(1_000_000 / trap.length)).length).toBeGreaterThan(0);
    }
  });
});

describe('a stream', () => {
  test('passes lines on as they complete', () => {
    const stream = redactStream(redactor);
    expect([stream.push('one\ntw'), stream.push('o\n'), stream.push('three'), stream.flush()]).toEqual([
      'one\n',
      'two\n',
      '',
      'three',
    ]);
  });

  test('holds a private key back until it is whole', () => {
    const stream = redactStream(redactor);
    const lines = ['a\n', '-----BEGIN PRIVATE KEY-----\n', 'QUJD\n', '-----END PRIVATE KEY-----\n', 'b\n'];
    expect(lines.map((line) => stream.push(line))).toEqual(['a\n', '', '', '[redacted]\n', 'b\n']);
  });

  test('catches a secret that is cut in a line without end', () => {
    const stream = redactStream(redactor);
    let shown = '';
    for (let count = 0; count < 3000; count += 1)
      shown += stream.push('.'.repeat(97) + 'hunter2hunter2'.slice(0, 7)) + stream.push('hunter2');
    shown += stream.flush();
    expect(shown).toBe(`${'.'.repeat(97)}[redacted:DB_PASSWORD]`.repeat(3000));
  });

  test('holds a bounded amount back', () => {
    const stream = redactStream(redactor);
    let shown = 0;
    for (let count = 0; count < 1000; count += 1) shown += stream.push('x'.repeat(1000)).length;
    expect(1_000_000 - shown).toBeLessThanOrEqual(64 * 1024);
  });

  test('works with a plain redactor too', () => {
    const stream = redactStream({ redact: (text) => text.replaceAll('secret', '*') });
    expect(stream.push('a sec') + stream.push('ret\nb') + stream.flush()).toBe('a *\nb');
  });
});
