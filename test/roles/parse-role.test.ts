import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { ForgeError } from '../../src/errors.ts';
import { parseRole } from '../../src/roles/parse-role.ts';
import type { Role } from '../../src/roles/role.ts';

const reader: Role = {
  name: 'planner',
  description: 'Plans',
  tools: ['Read', 'Bash'],
  model: undefined,
  access: 'read',
  text: 'Plan.',
  source: 'planner.md',
};
const writer: Role = { ...reader, name: 'developer', tools: ['Read', 'Write', 'Bash'], access: 'write' };

function write(lines: readonly string[], body = 'Do it well.'): string {
  return `---\n${lines.join('\n')}\n---\n${body}\n`;
}

function refusal(text: string, replaced?: Role): { message: string; hint: string | undefined } | undefined {
  try {
    parseRole(text, 'r.md', replaced);
    return undefined;
  } catch (error) {
    if (!(error instanceof ForgeError)) throw error;
    expect(error.code).toBe('bad-config');
    return { message: error.message, hint: error.hint };
  }
}

describe('a role', () => {
  it('is read from Markdown with front matter', () => {
    const text = write([
      'name: tester',
      'description: Tests',
      'tools: Read, Bash(npm test:*, npx x), Edit',
      'access: write',
    ]);
    expect(parseRole(text, 'r.md')).toEqual({
      name: 'tester',
      description: 'Tests',
      tools: ['Read', 'Bash(npm test:*, npx x)', 'Edit'],
      model: undefined,
      access: 'write',
      text: 'Do it well.',
      source: 'r.md',
    });
  });

  it('only reads unless it says otherwise, and may be written on another system', () => {
    const text = `\uFEFF${write(['name: x', 'description: d', 'tools: [Read]', 'model: inherit'])}`.replaceAll(
      '\n',
      '\r\n',
    );
    expect(parseRole(text, 'r.md')).toEqual({
      name: 'x',
      description: 'd',
      tools: ['Read'],
      model: 'inherit',
      access: 'read',
      text: 'Do it well.',
      source: 'r.md',
    });
  });

  it.each([
    ['no front matter', 'Do it.', 'r.md does not begin with front matter', /Begin with a line/],
    ['no end of it', '---\nname: x\n', 'r.md does not begin with front matter', /Begin with a line/],
    ['no text', '---\nname: x\ndescription: d\n---\n \n', 'r.md has no text below its front matter', /Write there/],
    ['no name', write(['description: d']), 'r.md, name: It is missing.', /Add "name"/],
    [
      'a slip',
      write(['name: x', 'descripton: d', 'description: d']),
      'r.md, descripton: There is no field "descripton".',
      /Did you mean "description"/,
    ],
    [
      'a permission',
      write(['name: x', 'description: d', 'permissionMode: bypassPermissions']),
      'r.md, permissionMode: There is no field "permissionMode".',
      /jail and your settings/,
    ],
    [
      'an option as model',
      write(['name: x', 'description: d', 'model: --yolo']),
      'r.md, model: It must be the plain name of a model.',
      /./,
    ],
    [
      'an odd tool',
      write(['name: x', 'description: d', 'tools: "Read, rm -rf /"']),
      'r.md, tools: "rm -rf /" can not name a tool',
      /Write names/,
    ],
    [
      'a reader that writes',
      write(['name: x', 'description: d', 'tools: Read, Edit']),
      'r.md, tools: a role that only reads can not have "Edit"',
      /access: write/,
    ],
    [
      'another access',
      write(['name: x', 'description: d', 'access: all']),
      'r.md, access: "all" is not allowed.',
      /"read", "write"/,
    ],
    ['no YAML', write(['name: x', 'description: a: b']), 'r.md: the front matter is not YAML: ', /quotes/],
    ['a path', write(['name: ../x', 'description: d']), 'r.md, name: It must be', /./],
  ])('with %s is refused', (_what, text, message, hint) => {
    const found = refusal(text);
    expect(found?.message.slice(0, message.length)).toBe(message);
    expect(found?.hint).toMatch(hint);
  });

  it('that is not one is refused, never anything else', () => {
    fc.assert(
      fc.property(fc.string(), (text) => {
        expect(refusal(`---\n${text}\n---\nx`)).toBeDefined();
      }),
    );
  });
});

describe('an override', () => {
  it('replaces text and description and keeps what it does not state', () => {
    expect(parseRole(write(['name: developer', 'description: Ours']), 'r.md', writer)).toEqual({
      ...writer,
      description: 'Ours',
      text: 'Do it well.',
      source: 'r.md',
    });
  });

  it('may take away', () => {
    const text = write(['name: developer', 'description: d', 'access: read', 'tools: Read, Bash(npm test:*)']);
    expect(parseRole(text, 'r.md', writer)).toMatchObject({ access: 'read', tools: ['Read', 'Bash(npm test:*)'] });
  });

  it.each([
    [
      'write',
      ['name: planner', 'access: write'],
      reader,
      'r.md, access: the role planner only reads, and an override can not make it write',
    ],
    [
      'add tools',
      ['name: planner', 'tools: Read, mcp__shell__run'],
      reader,
      'r.md, tools: the role planner does not have "mcp__shell__run", and an override can not add tools',
    ],
    ['have another name', ['name: tester'], reader, 'r.md, name: "tester" is not the role that this file replaces'],
  ])('can not %s', (_what, lines, replaced, message) => {
    expect(refusal(write([...lines, 'description: d']), replaced)?.message).toBe(message);
  });

  it('never has more access or tools than the role it replaces', () => {
    const tool = fc.constantFrom('Read', 'Write', 'Bash', 'Bash(x)', 'Task', 'Edit');
    const given = fc.record({ access: fc.option(fc.constantFrom('read', 'write')), tools: fc.option(fc.array(tool)) });
    fc.assert(
      fc.property(given, fc.constantFrom(reader, writer), ({ access, tools }, replaced) => {
        const text = write([
          `name: ${replaced.name}`,
          'description: d',
          ...(access === null ? [] : [`access: ${access}`]),
          ...(tools === null ? [] : [`tools: [${tools.join(', ')}]`]),
        ]);
        if (refusal(text, replaced) !== undefined) return;
        const role = parseRole(text, 'r.md', replaced);
        expect(replaced.access === 'write' || role.access === 'read').toBe(true);
        expect(role.tools?.every((each) => replaced.tools?.includes(each.replace(/\(.*/, '')))).toBe(true);
      }),
    );
  });
});
