// One process at work on the run: `host.mjs start|resume <repository> <data>`. Prints each fact as a line, and, when
// started with DIE_AFTER=<n>, is killed as if by the machine after that many facts.
import { readFileSync } from 'node:fs';
import { openForge, planSchema, settingsSchema } from 'forge';
import { parse } from 'yaml';
import { workflow } from './workflow.mjs';

const [mode, root, dataDir] = process.argv.slice(2);
const here = (name) => new URL(name, import.meta.url).pathname;
const settings = settingsSchema.parse({ agents: { worker: { driver: 'scripted', script: here('script.yaml') } } });
const forge = await openForge({ cwd: root, dataDir, workflows: [workflow], settings });
for (const notice of mode === 'start' ? forge.notices : []) console.log(`  note: ${notice}`);

const plan = planSchema.parse(parse(readFileSync(here('plan.yaml'), 'utf8')));
const request = {
  run: 'geometry',
  title: plan.objective,
  workflow: workflow.name,
  base: forge.repo.head,
  branch: forge.repo.branch,
  root: forge.repo.root,
  input: { plan, settings: forge.settings },
  settings: forge.settings,
};
const options = { onFact: (fact) => show(fact) };
const handle =
  mode === 'start' ? await forge.engine.start(request, options) : await forge.engine.resume('geometry', options);
const end = await handle.ended;
if (end.status === 'stopped') throw end.error;
process.exitCode = end.status === 'done' ? 0 : 1;

function show({ seq, type, key, data }) {
  const line = describe(type, key, data);
  if (line !== undefined) console.log(`  ${line}`);
  if (seq === Number(process.env.DIE_AFTER)) process.kill(process.pid, 'SIGKILL');
}

function describe(type, key, data) {
  if (type === 'task.started') return `${key} starts`;
  if (type === 'task.ended') return `${key} ${data.status}${data.reason ? `: ${data.reason}` : ''}`;
  if (type === 'effect.interrupted') return `${key} was cut off (${data.reason}); going on from what is there`;
  if (type !== 'effect.finished') return undefined;
  const { output } = data;
  if (/develop#\d+(\/recovery#\d+)?$/.test(key))
    return `${key}: agent ${output.outcome.status}, ${output.changes.length} file(s) captured`;
  if (key.endsWith('check'))
    return `${key}: ${output.status}${output.commands.map((one) => ` (${one.label}: ${one.reason})`).join('')}`;
  if (key.endsWith('prepare') && output.status === 'conflict') return `${key}: conflict in ${output.files.join(', ')}`;
  if (key.endsWith('land')) return `${key}: ${output.status} ${output.receipt?.after.slice(0, 10) ?? ''}`;
  return undefined;
}
