/**
 * The seven tools against what was observed of an earlier server, over the wire. Decisions are compared, not wording;
 * where that server was wrong, ours does the better thing: `{}` is no plan, modules that are ordered through others are
 * no overlap, and an import by its full name is checked.
 */
import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { makeProject } from '../cli/support.ts';
import { connect } from '../mcp/client.ts';
import { readVectors } from './read-vectors.ts';

const decision = z.object({
  passed: z.boolean(),
  score: z.number(),
  stagnant: z.boolean(),
  velocity: z.number().nullable(),
  oscillating: z.boolean(),
  attempt: z.number(),
  recommendation: z.string(),
  results: z.array(z.record(z.string(), z.unknown())).optional(),
});
const planReport = z.object({
  valid: z.boolean(),
  errors: z.array(z.object({ type: z.string() })),
  warnings: z.array(z.object({ type: z.string(), modules: z.array(z.string()), files: z.array(z.string()) })),
});
const step = z.object({ commands: z.array(z.string()), expect: decision });
const vectors = readVectors(
  'ttwang-mcp-tools',
  z.union([
    z.object({ fn: z.literal('validate_plan'), name: z.string(), input: z.unknown(), expect: planReport }),
    z.object({ fn: z.literal('validate'), name: z.string(), sequence: z.array(step) }),
    z.object({
      fn: z.literal('validate'),
      name: z.string(),
      input: z.record(z.string(), z.unknown()),
      expect: decision,
    }),
    z.object({ fn: z.literal('session_state'), name: z.string(), input: z.unknown().optional(), expect: z.unknown() }),
    z.object({ fn: z.literal('memory_save'), name: z.string(), expect: z.array(z.string()) }),
  ]),
);

/** Where ours is better on purpose. */
const better: Readonly<Record<string, object>> = {
  'overlap with only transitive dependency still warns': { valid: true, errors: [], warnings: [] },
  'empty plan': { valid: false, errors: [{ type: 'schema' }], warnings: [] },
};

describe('validate_plan', () => {
  it('decides as observed, or better', async () => {
    const { call } = await connect(makeProject());
    for (const vector of vectors) {
      if (vector.fn !== 'validate_plan') continue;
      const told = (await call('validate_plan', { plan: vector.input })).json();
      expect({ name: vector.name, ...planReport.parse(told) }).toEqual({
        name: vector.name,
        ...(better[vector.name] ?? vector.expect),
      });
    }
  });
});

describe('validate', () => {
  it('judges sequences of attempts as observed', async () => {
    const { call } = await connect(makeProject());
    for (const [place, vector] of vectors.entries()) {
      if (!('sequence' in vector)) continue;
      for (const { commands, expect: expected } of vector.sequence) {
        const told = (await call('validate', { moduleId: `m${place}`, runId: 'vectors', commands })).json();
        const { results: _, ...decided } = decision.parse(told);
        const { velocity } = expected;
        const close = velocity === null ? null : expect.closeTo(velocity, 9);
        expect({ name: vector.name, ...decided }).toEqual({ name: vector.name, ...expected, velocity: close });
      }
    }
  });

  it('judges single requests as observed, and does not let an import with its ending pass unread', async () => {
    const project = makeProject();
    project.write({
      'exp.mjs': 'export const foo = 1;\nexport const bar = 2;\n',
      'imp.mjs': "import { foo, baz } from './exp.mjs';\nconsole.log(foo, baz);\n",
    });
    const { call } = await connect(project);
    const byName = (name: string) => {
      const found = vectors.find((vector) => vector.name === name);
      if (found?.fn !== 'validate' || !('input' in found)) throw new Error(`no vector ${name}`);
      return found;
    };
    for (const name of ['bad cwd', 'missing file']) {
      const vector = byName(name);
      const told = (await call('validate', { moduleId: name.replace(' ', '-'), ...vector.input })).json();
      expect(decision.parse(told)).toEqual(vector.expect);
    }
    const contractChecks = [{ exporter: 'exp.mjs', importer: 'imp.mjs' }];
    const told = (await call('validate', { moduleId: 'contracts', contractChecks })).json();
    expect(told).toMatchObject({
      passed: false,
      score: 0,
      recommendation: 'RETRY_WITH_DEBUGGER',
      results: [
        {
          type: 'contract_check',
          exporter: 'exp.mjs',
          importer: 'imp.mjs',
          passed: false,
          exportedNames: ['foo', 'bar'],
          importedNames: ['foo', 'baz'],
          missing: ['baz'],
        },
      ],
    });
  });
});

describe('the others', () => {
  it('guard their names, find nothing where there is nothing, and keep a lesson once', async () => {
    const { call } = await connect(makeProject());
    for (const vector of vectors) {
      if (vector.fn === 'session_state' && vector.name.startsWith('runId guard')) {
        const told = await call('session_state', { action: 'load', ...(vector.input as object) });
        expect({ isError: told.isError }).toEqual(vector.expect);
      } else if (vector.fn === 'session_state') {
        expect((await call('session_state', { action: 'load', runId: 'nope' })).json()).toEqual(vector.expect);
      } else if (vector.fn === 'memory_save') {
        const lesson = { pattern: 'p one', category: 'convention' };
        const said = [(await call('memory_save', lesson)).text, (await call('memory_save', lesson)).text];
        expect(said).toEqual(vector.expect);
      }
    }
  });
});
