/** Secrets in a change: known values in any form, text that looks like a token, and nothing that only looks so. */
import { describe, expect, it, test } from 'vitest';
import { isSecret, secretValues } from '../../src/process/copied-secrets.ts';
import { findSecrets, findSecretsInText } from '../../src/process/find-secrets.ts';

const token = ['ghp', 'Zq8sT1vLw3nR5yXk2bCd7eFg9hJm4pQa'].join('_');
const diff = (path: string, ...lines: string[]): string =>
  [`diff --git a/${path} b/${path}`, '--- /dev/null', `+++ b/${path}`, '@@ -0,0 +1,9 @@', ...lines].join('\n');

describe('a change', () => {
  const known = [
    'correct-horse-9battery',
    'postgres://me:hunter2-swordfish@db/x',
    'amqp://me:p%40ss%2Fword-77@mq',
    'postgres://postgres:postgres@db/x',
  ];
  it.each([
    ['a known value', '+const pass = "correct-horse-9battery";', 'known'],
    ['a known value in base64', `+x: ${Buffer.from('user:correct-horse-9battery').toString('base64')}`, 'known'],
    ['a known value, encoded for an address', '+https://x/?p=correct-horse-9battery', 'known'],
    ['the password of a known address', '+connect("me", "hunter2-swordfish")', 'known'],
    ['the decoded password of a known address', '+connect("me", "p@ss/word-77")', 'known'],
    ['a token', `+const t = '${token}';`, 'shape'],
  ])('that adds %s is found', (_name, line, kind) => {
    expect(findSecrets(diff('src/a.ts', '+// first', line), known)).toEqual([{ path: 'src/a.ts', line: 2, kind }]);
  });

  it('that adds a private key is found where it begins', () => {
    const body = Buffer.from(Array.from({ length: 300 }, (_, at) => (at * 37) % 251)).toString('base64');
    const lines = [
      '+-----BEGIN PRIVATE KEY-----',
      ...(body.match(/.{1,64}/g) ?? []).map((line) => `+${line}`),
      '+-----END PRIVATE KEY-----',
    ];
    expect(findSecrets(diff('key.pem', ...lines), [])).toEqual([{ path: 'key.pem', line: 1, kind: 'shape' }]);
  });

  it.each([
    ['removes one', [`-const t = '${token}';`]],
    ['moves one', [`-const t = '${token}';`, `+  const t = '${token}';`]],
    ['leaves one', [` const t = '${token}';`]],
    [
      'adds an example',
      [
        '+AWS_KEY=AKIAIOSFODNN7EXAMPLE',
        '+sk-ant-api03-xxxxxxxxxxxxxxxxxxxxxxxx',
        '+ghp_aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa',
      ],
    ],
    ['adds a plain word that is the password of an address', ['+image: postgres']],
    ['adds a header that takes one', [`+headers: { Authorization: 'Bearer ' + token }`]],
  ])('that %s has nothing', (_name, lines) => expect(findSecrets(diff('a', ...lines), known)).toEqual([]));

  it.each([
    ['over two lines', ['+const pass = "correct-horse-" +', '+  "9battery";']],
    ['in a text that goes on in the next line', ['+pass: correct-\\', '+  horse-9battery']],
    ['in pieces of a list', ["+['correct-', 'horse-', '9battery'].join('')"]],
    ['in UTF-16', [`+${Buffer.from('correct-horse-9battery', 'utf16le').toString('latin1')}`]],
  ])('that adds a known value %s is found', (_name, lines) => {
    expect(findSecrets(diff('src/a.ts', ...lines), known)).toEqual([{ path: 'src/a.ts', line: 1, kind: 'known' }]);
  });

  test('of a message that holds one', () => {
    const text = 'Add a login\n\nThe password is correct-horse-9battery.';
    expect(findSecretsInText('the message', text, known)).toEqual([{ path: 'the message', line: 3, kind: 'known' }]);
    expect(findSecretsInText('the message', 'Add a login\n', known)).toEqual([]);
  });

  test('of a name that holds one', () => {
    expect(findSecrets(diff('a-correct-horse-9battery.txt', '+x'), known)).toMatchObject([{ line: 0, kind: 'known' }]);
  });
});

describe('a copied file', () => {
  test.each([
    ['TOKEN=abc12345-xyz\nNODE_ENV=development\nPORT=300000000\n', ['abc12345-xyz']],
    ['export DB_PASSWORD="open sesame now" # local\n# OLD=abcdef123456\n', ['open sesame now']],
    ['BASE_URL=https://api.example.com/v1\nDATABASE=postgres://me:hunter22@db/x\n', ['postgres://me:hunter22@db/x']],
    ['//registry.npmjs.org/:_authToken=npm9f8e7d6c5b4a\n', ['npm9f8e7d6c5b4a']],
    ['{"name":"service","nested":{"key":"Zx81-qqpw-9912"}}', ['Zx81-qqpw-9912']],
    ['client_secret: shortword\n', ['shortword']],
    // Named on one line, with quotes that end lines below.
    ['A=1\nCERT="first-line-77\nsecond-line-88"\nB=2\n', ['first-line-77\nsecond-line-88']],
    ['PAIR="one-half-77\\ntwo-half-88"\n', ['one-half-77\\ntwo-half-88', 'one-half-77\ntwo-half-88']],
    // Without a name.
    ['f3b9c0de77aa\n', ['f3b9c0de77aa']],
    ['Zm9yZ2Utc2VjcmV0LTc3==\n', ['Zm9yZ2Utc2VjcmV0LTc3==']],
    ['machine host login me password swordfish\n', ['swordfish']],
    ['db.example:5432:*:me:opensesame9\n', ['opensesame9']],
    ['dist\ncoverage/**\n*.tsbuildinfo\n', []],
    ['production\n', []],
  ])('%j gives %j', (text, values) => expect(secretValues(text)).toEqual(values));

  test.each([
    ['LANG', 'en_US.UTF-8', false],
    ['PATH', '/usr/local/bin:/usr/bin:/bin', false],
    ['HOME', '/home/somebody', false],
    ['EDITOR', 'code-insiders', false],
    ['MY_TOKEN', 'development', true],
    ['ANYTHING', 'a8f5f167f44f4964e6c998dee827110c', true],
  ])('%s=%s is a secret: %s', (name, value, secret) => expect(isSecret(name, value)).toBe(secret));
});
