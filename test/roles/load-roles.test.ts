import { mkdirSync, symlinkSync, truncateSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { ForgeError } from '../../src/errors.ts';
import { designRoles } from '../../src/workflows/design/roles.ts';
import { waveRoles } from '../../src/workflows/waves/roles.ts';
import { bundledRoles, loadRole } from '../../src/roles/load-roles.ts';
import { renderRole } from '../../src/roles/render-role.ts';
import { tempDir } from '../support/temp.ts';

const results = {
  planner: waveRoles.planner.result,
  developer: waveRoles.developer.result,
  tester: waveRoles.tester.result,
  learner: waveRoles.learner.result,
};
const names = Object.keys(results) as (keyof typeof results)[];
/** Every role of `design` has a file that a project can replace. */
const briefed: Readonly<Record<string, z.ZodType>> = {
  ...results,
  ...Object.fromEntries(Object.entries(designRoles).map(([name, { result }]) => [name, result as z.ZodType])),
};

function bundledOnly() {
  return { bundled: bundledRoles, overrides: undefined };
}

async function refusal(name: string, overrides: string) {
  const error: unknown = await loadRole(name, { bundled: bundledRoles, overrides }).catch((thrown: unknown) => thrown);
  if (!(error instanceof ForgeError)) throw new Error(`not refused: ${String(error)}`);
  return { code: error.code, message: error.message.replaceAll(overrides, '.forge/roles'), hint: error.hint };
}

describe('the roles that come with Forge', () => {
  it('have the access the design gives them', async () => {
    const roles = await Promise.all(names.map((name) => loadRole(name, bundledOnly())));
    expect(roles.map(({ name, access }) => ({ name, access }))).toEqual([
      { name: 'planner', access: 'read' },
      { name: 'developer', access: 'write' },
      { name: 'tester', access: 'write' },
      { name: 'learner', access: 'read' },
    ]);
  });

  it('may do in a design what the workflow lets them do', async () => {
    for (const [name, { access }] of Object.entries(designRoles))
      expect(await loadRole(name, bundledOnly())).toMatchObject({ name, access });
  });

  it.each(Object.keys(briefed))('brief the %s in full and name every field of its result', async (name) => {
    const { text } = await loadRole(name, bundledOnly());
    const headings = [...text.matchAll(/^## (.*)$/gm)].map((match) => match[1]);
    expect(headings).toEqual(
      expect.arrayContaining(['Purpose', 'What you are given', 'Boundaries', 'Method', 'Done when', 'Result']),
    );
    expect(text).toContain('$FORGE_DOCUMENTS');
    expect(text.toLowerCase()).toContain('recovery');
    const fields = Object.keys(z.toJSONSchema(briefed[name] as z.ZodType, { io: 'input' }).properties ?? {});
    expect(fields.filter((field) => !text.includes(`\`${field}\``))).toEqual([]);
  });

  it('begin every prompt of a role in the same way', async () => {
    const role = await loadRole('learner', bundledOnly());
    const schema = z.toJSONSchema(waveRoles.learner.result, { io: 'input' });
    const prompt = renderRole(role, schema);
    expect(prompt).toBe(renderRole(await loadRole('learner', bundledOnly()), schema));
    expect(prompt.startsWith(`${role.text}\n\n# The result you must give\n`)).toBe(true);
    expect(JSON.parse(/```json\n([^]*)\n```\n$/.exec(prompt)?.[1] ?? '')).toEqual(JSON.parse(JSON.stringify(schema)));
  });

  it('show a schema that holds a fence within a longer one', async () => {
    const role = await loadRole('learner', bundledOnly());
    expect(renderRole(role, { description: '```' })).toMatch(/\n````json\n\{\n {2}"description": "```"\n\}\n````\n$/);
  });
});

describe("a project's own roles", () => {
  it('replace those that come with Forge', async () => {
    const overrides = tempDir();
    writeFileSync(join(overrides, 'tester.md'), '---\nname: tester\ndescription: Ours\n---\nOur way.\n');
    expect(await loadRole('tester', { bundled: bundledRoles, overrides })).toEqual({
      name: 'tester',
      description: 'Ours',
      model: undefined,
      access: 'write',
      text: 'Our way.',
      source: join(overrides, 'tester.md'),
    });
    expect((await loadRole('planner', { bundled: bundledRoles, overrides })).source).toBe(
      join(bundledRoles, 'planner.md'),
    );
  });

  it('may be new ones, which do what their workflow lets them', async () => {
    const overrides = tempDir();
    writeFileSync(join(overrides, 'poet.md'), '---\nname: poet\ndescription: d\n---\nWrite.\n');
    expect((await loadRole('poet', { bundled: bundledRoles, overrides })).access).toBeUndefined();
  });

  it('are refused when they are not plain files', async () => {
    const overrides = tempDir();
    writeFileSync(join(overrides, 'real.txt'), '---\nname: planner\ndescription: d\n---\nx\n');
    symlinkSync(join(overrides, 'real.txt'), join(overrides, 'planner.md'));
    mkdirSync(join(overrides, 'tester.md'));
    writeFileSync(join(overrides, 'learner.md'), '');
    truncateSync(join(overrides, 'learner.md'), 10_000_000);
    const hint = 'Put the role there as a plain Markdown file, or remove it.';
    expect(await Promise.all(['planner', 'tester', 'learner'].map((name) => refusal(name, overrides)))).toEqual([
      { code: 'bad-config', message: '.forge/roles/planner.md cannot be read as a role: it is a symbolic link', hint },
      {
        code: 'bad-config',
        message: '.forge/roles/tester.md cannot be read as a role: it is not a regular file',
        hint,
      },
      {
        code: 'bad-config',
        message: '.forge/roles/learner.md cannot be read as a role: it is larger than 262144 bytes',
        hint,
      },
    ]);
  });

  it('are refused under another name', async () => {
    const overrides = tempDir();
    writeFileSync(join(overrides, 'poet.md'), '---\nname: bard\ndescription: d\n---\nx\n');
    expect((await refusal('poet', overrides)).message).toBe(
      '.forge/roles/poet.md, name: "bard" is not the name of the file',
    );
  });
});

describe('a role nobody wrote', () => {
  it('is named with the one that is likely meant', async () => {
    expect(await refusal('develper', tempDir())).toEqual({
      code: 'bad-config',
      message: 'there is no role "develper"',
      hint: 'Did you mean "developer"?',
    });
    expect((await refusal('zzz', tempDir())).hint).toMatch(/^Known roles: .*developer.*learner.*planner.*tester/);
  });

  it('cannot be a path', async () => {
    expect((await refusal('../../etc/passwd', tempDir())).message).toBe('"../../etc/passwd" cannot name a role');
  });
});
