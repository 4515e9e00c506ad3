/** Packs, what friction suggests, and changes of roles as patches. */
import { execFileSync } from 'node:child_process';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { changeRole, roleBody } from '../../src/pipelines/change-role.ts';
import { proposeFromFriction } from '../../src/pipelines/enrich.ts';
import { architecturePack, buildPacks, isCurrentPack } from '../../src/pipelines/packs.ts';
import { phasePersonas } from '../../src/pipelines/personas.ts';
import { tempDir } from '../support/temp.ts';

const document = {
  path: 'engineering/architecture/overview.md',
  text: '# Overview\n\nA cart.\n\nMore about carts.\n\n## Parts\n\nTwo parts.\n\n- src\n- test\n\n### Below\n\nDeep.\n',
};

describe('packs', () => {
  const packs = buildPacks({ documents: [document], ownRoles: {}, open: [] });
  const pack = packs.get(architecturePack) ?? '';

  it('keep headings, first paragraphs and lists, each once', () => {
    expect(pack.split('\n').slice(2)).toEqual(
      [
        '# engineering/architecture/overview.md\n',
        '**Overview**\n',
        'A cart.\n',
        '## Parts\n',
        'Two parts.\n',
        '- src\n- test\n',
        '### Below\n',
        'Deep.',
        '',
      ]
        .join('\n')
        .split('\n'),
    );
  });

  it('know whether they are as old as their sources, whatever the order', () => {
    const other = { path: 'engineering/architecture/b.md', text: 'B' };
    const both = buildPacks({ documents: [document, other], ownRoles: {}, open: [] }).get(architecturePack) ?? '';
    expect(isCurrentPack(pack, [document])).toBe(true);
    expect(isCurrentPack(both, [other, document])).toBe(true);
    expect(isCurrentPack(pack, [{ ...document, text: `${document.text}!` }])).toBe(false);
    expect(isCurrentPack(pack, [document, other])).toBe(false);
  });

  it('hold every role, the own one instead of the built-in', () => {
    const own = { description: 'Ours', text: '## Responsibilities\n\n- Do it our way\n' };
    const text =
      buildPacks({ documents: [], ownRoles: { engineer: own }, open: [] }).get('.forge/packs/roles.json') ?? '';
    const roles = JSON.parse(text) as Record<string, { readonly file: string; readonly responsibilities: string[] }>;
    expect(Object.keys(roles).sort()).toEqual(Object.keys(phasePersonas).sort());
    expect(roles['engineer']).toMatchObject({ file: '.forge/roles/engineer.md', responsibilities: ['Do it our way'] });
    expect(roles['supervisor']?.file).toBe('built in');
  });
});

describe('friction', () => {
  const event = (id: string, more: object) => ({
    eventId: id,
    type: 'friction',
    persona: 'engineer',
    issue: 'x',
    ...more,
  });

  it('is put together by role, kind and guidance; what is settled is left out', () => {
    const proposals = proposeFromFriction([
      event('1', { subkind: 'skill_missing', issue: 'No list of leaks' }),
      event('2', { subkind: 'skill_stale', skill: 'docs/a.md', resolution: { status: 'open' } }),
      event('3', { subkind: 'skill_missing', issue: 'No list of leaks' }),
      event('4', { subkind: 'skill_missing', issue: 'No style', persona: 'supervisor' }),
      event('5', { subkind: 'skill_missing', resolution: { status: 'resolved' } }),
      { eventId: '6', type: 'task-planned' },
    ]);
    expect(proposals.map(({ role, kind, count, issues, events }) => [role, kind, count, issues, events])).toEqual([
      ['engineer', 'skill_missing', 2, ['No list of leaks'], ['1', '3']],
      ['engineer', 'skill_stale', 1, ['x'], ['2']],
      ['supervisor', 'skill_missing', 1, ['No style'], ['4']],
    ]);
    expect(proposals[0]?.proposal).toContain('.forge/roles/engineer.md');
    expect(proposals[1]?.proposal).toContain('docs/a.md');
  });
});

describe('a change of a role', () => {
  const role =
    '---\nname: engineer\ndescription: Ours\nmodel: fast\n---\n\n# E\n\n## Responsibilities\n\n- One\n- Two\n\n## Else\n\n- Three\n';

  it('adds and removes lines and leaves everything else', () => {
    const changed = changeRole({ role: 'engineer', add: ['Four  words'], remove: ['One'], why: '' }, role);
    expect(changed).toMatchObject({ status: 'changed', path: '.forge/roles/engineer.md' });
    expect(changed.status === 'changed' && changed.text).toBe(
      role.replace('- One\n', '').replace('- Two\n', '- Two\n- Four words\n'),
    );
    expect(roleBody(role)).toEqual({ description: 'Ours', text: expect.stringContaining('- Two') as string });
  });

  it('is refused where it names what is not there', () => {
    const change = (more: object) => changeRole({ role: 'engineer', add: [], remove: [], why: '', ...more }, role);
    expect(change({ remove: ['Nine'] })).toMatchObject({ status: 'faulty' });
    expect(change({})).toMatchObject({ status: 'faulty' });
    expect(changeRole({ role: 'nobody', add: ['x'], remove: [], why: '' }, undefined)).toMatchObject({
      status: 'faulty',
    });
  });

  it('is a patch that git applies, to the very text it announces', () => {
    const root = tempDir('forge-roles');
    execFileSync('git', ['init', '-q', root]);
    mkdirSync(join(root, '.forge/roles'), { recursive: true });
    const line = fc.stringMatching(/^[a-c ]{1,6}$/).map((text) => text.trim() || 'x');
    fc.assert(
      fc.property(
        fc.array(line, { maxLength: 5 }),
        fc.array(line, { maxLength: 3 }),
        fc.boolean(),
        (items, add, ends) => {
          const text = `---\nname: engineer\n---\n\n## Responsibilities\n\n${items.map((one) => `- ${one}`).join('\n')}${ends ? '\n' : ''}`;
          const changed = changeRole({ role: 'engineer', add, remove: items.slice(0, 1), why: '' }, text);
          if (changed.status === 'faulty') return;
          writeFileSync(join(root, changed.path), text);
          execFileSync('git', ['-C', root, 'apply', '--whitespace=nowarn', '-'], { input: changed.diff });
          expect(readFileSync(join(root, changed.path), 'utf8')).toBe(changed.text);
        },
      ),
      { numRuns: 15 },
    );
  });
});
