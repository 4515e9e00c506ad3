/** Agents added to a person's settings: their text stays byte for byte, and what is read is what was meant. */
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { parse } from 'yaml';
import { addAgents } from '../../src/api/add-agents.ts';

const claude = { name: 'claude', settings: { driver: 'acp' as const, agent: 'claude' } };
const codex = {
  name: 'codex',
  settings: {
    driver: 'command' as const,
    run: ['codex', 'exec', '-'] as [string, ...string[]],
    env: ['OPENAI_API_KEY'],
  },
};
const names = (text: string | undefined) =>
  Object.keys((parse(text ?? '') as { agents: Record<string, unknown> }).agents);

describe('addAgents', () => {
  it('adds to what is there and changes nothing else', () => {
    const before = `# mine
agents:
    first:   # keep me
        driver: scripted
        script: "a.yaml"   # quoted

# About checks.
checks: {run: ['make   test'] }
`;
    const after = addAgents(before, [claude, codex]);
    expect(after).toBe(`# mine
agents:
    first:   # keep me
        driver: scripted
        script: "a.yaml"   # quoted
    claude:
      driver: acp
      agent: claude
    codex:
      driver: command
      run:
        - codex
        - exec
        - "-"
      env:
        - OPENAI_API_KEY

# About checks.
checks: {run: ['make   test'] }
`);
    expect(names(after)).toEqual(['first', 'claude', 'codex']);
  });

  it.each([
    ['nothing', ''],
    ['only comments', '# mine\n'],
    ['no agents', 'parallel: 2\n'],
    ['no last newline', 'parallel: 2'],
    ['none yet', 'agents: {}\nparallel: 2\n'],
    ['none yet, with a remark', 'agents: {}   # soon\nparallel: 2\n'],
    ['no value', 'agents:\nparallel: 2\n'],
    ['no value at the end', 'parallel: 2\nagents:'],
    ['a flow map', 'agents: { a: { driver: scripted, script: s.yaml } } # x\nparallel: 2\n'],
    ['a flow map over lines', 'agents: {\n  a: { driver: scripted, script: s.yaml },\n}\nparallel: 2\n'],
    ['a block at the end without a newline', 'agents:\n  a: { driver: scripted, script: s.yaml }'],
    ['Windows lines', 'agents:\r\n  a: { driver: scripted, script: s.yaml }\r\nparallel: 2\r\n'],
    ['a document mark', '---\nagents:\n  a: { driver: scripted, script: s.yaml }\n'],
  ])('keeps every line of a file with %s', (_what, before) => {
    const after = addAgents(before, [claude]) ?? '';
    const old = (parse(before) ?? {}) as { agents?: object };
    expect(parse(after)).toEqual({ ...old, agents: { ...old.agents, claude: claude.settings } });
    for (const line of before.split('\n').filter((one) => !/agents/.test(one) && one.trim() !== '}')) {
      expect(after).toContain(line);
    }
    expect(after).toContain(before.includes('# soon') ? '# soon' : '');
    expect(after.includes('\r\n')).toBe(before.includes('\r\n'));
  });

  it.each([
    ['a flow document', '{ agents: {}, parallel: 2 }\n'],
    ['an alias', 'x-y: &a { driver: scripted, script: s.yaml }\nagents: *a\n'],
    ['something else', 'agents: 5\n'],
    ['no settings at all', '- a\n'],
    ['an end mark', 'parallel: 2\n...\n'],
  ])('leaves %s to the person', (_what, before) => {
    expect(addAgents(before, [claude])).toBeUndefined();
  });

  it('never changes what was there, whatever it is', () => {
    const key = fc.stringMatching(/^[a-z]{1,6}$/);
    const value = fc.oneof(fc.string(), fc.integer(), fc.constant(null), fc.array(fc.string(), { maxLength: 2 }));
    const block = fc.dictionary(key, value, { maxKeys: 3 });
    const line = fc.constantFrom('', '# remark', '    # deep remark');
    fc.assert(
      fc.property(fc.array(fc.tuple(line, key, block), { maxLength: 4 }), (parts) => {
        const seen = new Set<string>();
        const text = [...parts, ['', 'agents', {}] as const]
          .filter(([, name]) => !seen.has(name) && seen.add(name))
          .map(([remark, name, content]) => `${remark}\n${name}: ${JSON.stringify(content)}\n`)
          .join('');
        const after = addAgents(text, [claude]);
        if (after === undefined) return;
        const old = parse(text) as { agents: object };
        expect(parse(after)).toEqual({ ...old, agents: { ...old.agents, claude: claude.settings } });
      }),
      { numRuns: 200 },
    );
  });
});
