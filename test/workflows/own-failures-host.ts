/** A Forge process that starts each of a project's own workflows, and prints how each one failed. Node itself loads them. */
import { openForge } from '../../src/compose.ts';
import type { ForgeError } from '../../src/errors.ts';
import { settingsSchema } from '../../src/policy/settings.ts';
import { ownWorkflows } from '../../src/trust/own-files.ts';
import { agreeTo } from '../../src/trust/consent.ts';

const [root = '', dataDir = ''] = process.argv.slice(2);
const settings = settingsSchema.parse({});
const forge = await openForge({ cwd: root, dataDir, settings });
const { engine, repo } = forge;
agreeTo(forge, process.env);
const input = { requirement: 'Add a', slug: 'add-a', agents: {}, checks: [] };
const failures: Record<string, unknown> = {};
for (const workflow of ownWorkflows(repo.root)) {
  const start = { run: workflow, title: 'own', workflow, base: repo.head, root: repo.root, input, settings };
  const end = await (await engine.start(start, { whenWaiting: 'leave' })).ended;
  const error = (end as { error?: ForgeError }).error;
  failures[workflow] = [end.status, error?.code, error?.exitCode, error?.message];
}
console.log(JSON.stringify(failures));
