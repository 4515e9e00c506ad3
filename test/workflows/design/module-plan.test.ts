/** A plan survives its Markdown: what a planner wrote is checked, and read back by `--execute`, as it was. */
import { expect, it } from 'vitest';
import { checkModulePlan } from '../../../src/delivery/check-module-plan.ts';
import { modulePlanSchema } from '../../../src/delivery/module-plan.ts';
import { readModulePlan } from '../../../src/delivery/read-module-plan.ts';
import { renderModulePlan } from '../../../src/workflows/design/plan/render-module-plan.ts';

const module = { id: 'M-001', name: 'Links', file: 'docs/x.md', features: ['F-001'], depends: [], ui: undefined };

it('braces, pipes and generics are content', () => {
  const plan = modulePlanSchema.parse({
    steps: [
      {
        title: 'Serve a link',
        tests: [{ test: 'reads', input: 'GET /links/{id}', expected: '{ "id": 1 }', reference: 'M-001' }],
      },
    ],
    files: ['src/links.ts'],
    integration: [{ direction: 'exposes', module: 'M-002', interface: 'read(id): Promise<Link | undefined>' }],
    wiring: [{ what: 'GET /links/{id}', where: 'src/app.ts', signal: 'curl answers {ok: true}' }],
    criteria: [{ criterion: 'F-001/AC1', step: '1', test: '1', assertion: 'body equals { id: 1, tags: [] }' }],
  });
  const text = renderModulePlan({ module, phase: 1, plan });
  expect(checkModulePlan('plan-M-001.md', text)).toEqual([]);
  expect(readModulePlan(text)).toEqual({ status: 'read', plan });
});
