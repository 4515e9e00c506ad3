import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { ForgeError } from '../../src/errors.ts';
import { parseRole } from '../../src/roles/parse-role.ts';
import type { Role } from '../../src/roles/role.ts';

const reader: Role = {
  name: 'planner',
  description: 'Plans',
  model: undefined,
  access: 'read',
  text: 'Plan.',
  source: 'planner.md',
};
const writer: Role = { ...reader, name: 'developer', access: 'write' };

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
    const text = write(['name: tester', 'description: Tests', 'access: write']);
    expect(parseRole(text, 'r.md')).toEqual({
      name: 'tester',
      description: 'Tests',
      model: undefined,
      access: 'write',
      text: 'Do it well.',
      source: 'r.md',
    });
  });

  it('does what the workflow lets it unless it says otherwise, and may be written on another system', () => {
    const text = `\uFEFF${write(['name: x', 'description: d', 'model: inherit'])}`.replaceAll('\n', '\r\n');
    expect(parseRole(text, 'r.md')).toEqual({
      name: 'x',
      description: 'd',
      model: 'inherit',
      access: undefined,
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
      'tools, which no jail could hold it to',
      write(['name: x', 'description: d', 'tools: Read']),
      'r.md, tools: There is no field "tools".',
      /access: read/,
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
    const text = write(['name: developer', 'description: d', 'access: read']);
    expect(parseRole(text, 'r.md', writer)).toMatchObject({ access: 'read' });
  });

  it.each([
    [
      'write',
      ['name: planner', 'access: write'],
      reader,
      'r.md, access: the role planner only reads, and an override cannot make it write',
    ],
    ['have another name', ['name: tester'], reader, 'r.md, name: "tester" is not the role that this file replaces'],
  ])('cannot %s', (_what, lines, replaced, message) => {
    expect(refusal(write([...lines, 'description: d']), replaced)?.message).toBe(message);
  });
});
