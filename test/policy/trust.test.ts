import { describe, expect, it } from 'vitest';
import { parseSettings } from '../../src/policy/settings.ts';
import { trustQuestion } from '../../src/policy/trust.ts';

const ask = (text: string, files: { path: string; text: string }[] = []) =>
  trustQuestion({ settings: parseSettings(text, 'c'), files });

describe('trust', () => {
  it('is not asked for what can do no harm', () => {
    expect(
      ask('parallel: 5\nchecks: { run: ["npm test"] }\nagents: { a: { driver: scripted, script: s.yaml } }'),
    ).toBeUndefined();
    expect(ask('scope: { undeclared: refuse, judge: refuse }')).toBeUndefined();
  });

  it.each([
    [
      'agents: { a: { driver: command, run: [x, "--y"], env: [KEY] } }',
      'the agent a starts ["x","--y"] (network on), with KEY of your environment',
    ],
    ['jail: { mode: none }', 'agents and checks run without a jail'],
    ['jail: { readable: [/opt/x] }', 'contained programs may read /opt/x'],
    ['checks: { network: "on" }', 'checks may use the network'],
    ['workspace: { copy: [.env] }', 'workspaces get a copy of .env'],
    [
      'workspace: { setup: { run: [npm, ci], outputs: [node_modules] } }',
      'workspaces are set up by ["npm","ci"] (network on)',
    ],
    ['scope: { deletion: allow }', 'changes of the case "deletion" are answered with "allow"'],
    ['scope: { unprotected: [.husky] }', '.husky is not protected'],
    ['scope: { secret: ask }', 'changes of the case "secret" are answered with "ask"'],
  ])('is asked for %s', (text, point) => {
    expect(ask(text)?.points).toContain(point);
  });

  it('is asked again when the content changes, and only then', () => {
    const role = (text: string) => [{ path: '.forge/roles/developer.md', text }];
    const first = ask('parallel: 2', role('one'));
    expect(first?.points).toEqual(['.forge/roles/developer.md tells agents what to do']);
    expect(ask('parallel: 9', role('one'))?.digest).toBe(first?.digest);
    expect(ask('parallel: 2', role('two'))?.digest).not.toBe(first?.digest);
  });
});
