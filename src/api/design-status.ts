/** Where a delivery stands, from its plan directory alone. Reads only, and trusts nothing it reads. */
import { z } from 'zod';
import { planStatus, type PlanStatus } from '../delivery/plan-status.ts';
import { ForgeError } from '../errors.ts';
import { jsonShaped } from './json-shaped.ts';
import type { Operation } from './operation.ts';
import { directoryIn, openProjectTree } from './project-tree.ts';

const input = z.strictObject({ directory: z.string().min(1) });

export interface DeliveryStatus extends PlanStatus {
  readonly directory: string;
}

export const deliveryStatus: Operation<typeof input, z.ZodType<DeliveryStatus>> = {
  name: 'design-status',
  kind: 'query',
  description: 'Where a delivery stands, from its plan directory.',
  input,
  output: jsonShaped<DeliveryStatus>(),
  run({ cwd }, { directory }) {
    const project = openProjectTree(cwd);
    const dir = directoryIn(project, cwd, directory, 'The plan directory');
    const readme = project.tree.read(`${dir}/README.md`);
    if (readme.status !== 'read') {
      const why = readme.status === 'absent' ? 'is missing' : readme.why;
      throw new ForgeError('bad-input', `${dir}/README.md ${why}`, { hint: 'Name a plan directory.' });
    }
    const log = project.tree.read(`${dir}/execution-log.md`);
    const text = log.status === 'read' ? log.bytes.toString('utf8') : '';
    return Promise.resolve({ directory: dir, ...planStatus(readme.bytes.toString('utf8'), text) });
  },
};
