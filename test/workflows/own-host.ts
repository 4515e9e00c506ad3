/** A Forge process that starts a project's own workflow, leaves at its question, and resumes it. Node itself loads it. */
import { openForge } from '../../src/compose.ts';
import { settingsSchema } from '../../src/policy/settings.ts';
import { agreeTo } from '../../src/trust/consent.ts';

const [root = '', dataDir = '', script = ''] = process.argv.slice(2);
const settings = settingsSchema.parse({ agents: { worker: { driver: 'scripted', script } } });
const forge = await openForge({ cwd: root, dataDir, settings });
const { engine, repo } = forge;
agreeTo(forge, process.env);
const input = { requirement: 'Add a', slug: 'add-a', agents: { developer: 'worker' }, checks: [] };
const start = { run: 'own', title: 'own', workflow: 'one-task', base: repo.head, root: repo.root, input, settings };
const first = await (await engine.start(start, { whenWaiting: 'leave' })).ended;
await engine.signal('own', { type: 'answer', key: 'go', answer: { option: 'yes' } });
const second = await (await engine.resume('own')).ended;
const unknown = await engine.start({ ...start, run: 'other', workflow: 'one-tusk' }).catch((error: unknown) => error);
console.log(JSON.stringify([first.status, second.status, (unknown as { hint?: string }).hint]));
