/** Where a delivery stands, from its plan directory alone. Reads only, and trusts nothing it reads. */
import { z } from 'zod';
import { planStatus } from '../delivery/plan-status.ts';
import { ForgeError } from '../errors.ts';
import type { JsonOf, Operation } from './operation.ts';
import { directoryIn, openProjectTree } from './project-tree.ts';

const input = z.strictObject({ directory: z.string().min(1) });

const text = z.string();
const output = z.strictObject({
  directory: text,
  modules: z.array(
    z.strictObject({ module: text, phase: text, dev: text, test: text, review: text, merged: text, notes: text }),
  ),
  phases: z.array(z.strictObject({ phase: text, completed: text, integration: text, status: text })),
  acceptance: z.array(z.strictObject({ feature: text, total: text, passed: text, failed: text, status: text })),
  verdict: text,
  decisions: z.array(text),
  /** The newest last. */
  events: z.array(z.strictObject({ at: text, text: text })),
  remaining: z.strictObject({ modules: z.number().int(), phases: z.number().int() }),
});
export type DeliveryStatus = JsonOf<typeof output>;

export const deliveryStatus: Operation<typeof input, typeof output> = {
  name: 'design-status',
  kind: 'query',
  description: 'Where a delivery stands, from its plan directory.',
  input,
  output,
  run({ cwd }, { directory }) {
    const project = openProjectTree(cwd);
    const dir = directoryIn(project, cwd, directory, 'The plan directory');
    const readme = project.tree.read(`${dir}/README.md`);
    if (readme.status !== 'read') {
      const why = readme.status === 'absent' ? 'is missing' : readme.why;
      throw new ForgeError('bad-input', `${dir}/README.md ${why}`, { hint: 'Name a plan directory.' });
    }
    const log = project.tree.read(`${dir}/execution-log.md`);
    const logText = log.status === 'read' ? log.bytes.toString('utf8') : '';
    return Promise.resolve({ directory: dir, ...planStatus(readme.bytes.toString('utf8'), logText) });
  },
};
