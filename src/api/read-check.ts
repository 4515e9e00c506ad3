/** What the commands of one check printed, each cut to its end where it is long. */
import { z } from 'zod';
import { refComponent } from '../git/ref-name.ts';
import { findSummary } from './find-run.ts';
import type { Operation } from './operation.ts';
import { runName } from './run-name.ts';

const input = z.strictObject({ run: runName, key: z.string().min(1).max(512).describe('the key of the check') });

const output = z.strictObject({
  logs: z.array(z.strictObject({ name: z.string(), text: z.string(), bytes: z.number().int(), isCut: z.boolean() })),
});

const mostBytes = 256 * 1024;

export const readCheck: Operation<typeof input, typeof output> = {
  name: 'read-check',
  kind: 'query',
  description: 'Reads what the commands of one check of a run printed.',
  input,
  output,
  async run(context, { run, key }) {
    const { engine } = await context.runs();
    const { run: name } = await findSummary(context, { run, what: 'here', fits: () => true });
    const artifacts = engine.artifacts(name);
    const folder = `checks/${refComponent(key)}`;
    const files = (await artifacts.list(folder)).filter((file) => file.name.endsWith('.log'));
    const logs = await Promise.all(
      files.map(async ({ name: file, bytes }) => ({
        name: file.slice(0, -'.log'.length),
        text: (await artifacts.readFrom(`${folder}/${file}`, -mostBytes)).toString('utf8'),
        bytes,
        isCut: bytes > mostBytes,
      })),
    );
    return { logs };
  },
};
