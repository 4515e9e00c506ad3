/** Plans in the dialect of modules: every fault at once, overlaps only where nothing orders, and no input that throws. */
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { validateModulePlan } from '../../src/plan/module-plan.ts';

const module = (id: string, more: object = {}): Record<string, unknown> => ({
  id,
  title: 't',
  objective: 'o',
  files: [`src/${id}.js`],
  verify: ['node --test'],
  doneWhen: 'd',
  ...more,
});

const messages = (modules: readonly unknown[]): readonly string[] =>
  validateModulePlan({ modules }).errors.map((error) => error.message);

describe('a plan of modules', () => {
  it('is valid with all optional fields, and names the programs it needs', () => {
    const full = module('m1', {
      agent: 'worker',
      complexity: 'complex',
      acceptance_criteria: [{ check: 'c', expected: 'e', blocking: true }],
      disallowed_changes: ['src/secret/**'],
      cost_budget: { max_tokens: 1000, max_retries: 2 },
      success_evidence: 'the test passes',
      expected_trajectory: ['read', 'write'],
      expected_minutes: 10,
      anything: 'else',
    });
    expect(
      validateModulePlan({ objective: 'o', modules: [full, module('m2', { verify: ['./run.sh', 'npm test'] })] }),
    ).toEqual({
      valid: true,
      errors: [],
      warnings: [],
      programs: [
        { program: 'node', module: 'm1' },
        { program: 'npm', module: 'm2' },
      ],
    });
  });

  it.each([
    ['acceptance_criteria', [{ expected: 'e' }]],
    ['acceptance_criteria', 'all'],
    ['disallowed_changes', [1]],
    ['cost_budget', { max_tokens: 0 }],
    ['cost_budget', { max_retries: 1.5 }],
    ['success_evidence', '  '],
    ['expected_trajectory', 'read'],
    ['expected_minutes', -1],
    ['complexity', 'huge'],
    ['dependsOn', 'm2'],
    ['verify', ['npm test; rm -rf /']],
    ['verify', ['npm test && npm run lint']],
    ['files', ['../outside.js']],
    ['files', ['/etc/passwd']],
    ['id', 'a/b'],
  ])('is invalid with %s %j', (field, value) => {
    const report = validateModulePlan({ modules: [module('m1', { [field]: value })] });
    expect(report.valid).toBe(false);
    expect(report.errors.length).toBeGreaterThan(0);
    expect(report.errors.every((error) => error.type === 'schema')).toBe(true);
  });

  it('hears of all its faults at once', () => {
    expect(messages([{ id: 'm1', title: 'x', dependsOn: ['zz'] }, module('m2', { dependsOn: ['m2'] }), 7])).toEqual([
      'Module m1: missing fields: objective, files, verify (at least one), doneWhen',
      'A module is an object.',
      "Module m1: depends on unknown module 'zz'",
      'Dependency cycle detected among modules: m2',
    ]);
    for (const empty of [{}, { modules: [] }, { modules: {} }, null, [], 'plan', 7, undefined]) {
      expect(validateModulePlan(empty).valid).toBe(false);
    }
  });

  it('is warned of files that meet only where nothing orders the modules', () => {
    const files = ['src/shared/**'];
    const within = ['src/shared/x.js'];
    const chain = [
      module('a', { files }),
      module('b', { dependsOn: ['a'] }),
      module('c', { files: within, dependsOn: ['b'] }),
    ];
    expect(validateModulePlan({ modules: chain }).warnings).toEqual([]);
    const loose = [module('a', { files }), module('b'), module('c', { files: within, dependsOn: ['b'] })];
    expect(validateModulePlan({ modules: loose }).warnings).toMatchObject([
      { type: 'file_overlap', modules: ['a', 'c'], files: within },
    ]);
  });

  it('is judged in the dialect of tasks too', () => {
    const { title, verify } = module('x');
    expect(validateModulePlan({ tasks: [{ id: 'T1', title, verify, writes: ['a'] }], waves: [['T1']] }).valid).toBe(
      true,
    );
    expect(validateModulePlan({ tasks: [{ id: 'T1', title, files: ['a'] }] }).errors[0]?.message).toContain('"writes"');
  });

  it('is answered whatever it is', () => {
    const value = fc.anything({ maxDepth: 4, withNullPrototype: true });
    const odd = fc.dictionary(fc.constantFrom('id', 'files', 'verify', 'dependsOn', 'cost_budget', '__proto__'), value);
    fc.assert(
      fc.property(fc.oneof(value, fc.record({ modules: fc.array(fc.oneof(odd, value), { maxLength: 4 }) })), (plan) => {
        const { valid, errors } = validateModulePlan(plan);
        expect(valid).toBe(errors.length === 0);
      }),
    );
  });
});
