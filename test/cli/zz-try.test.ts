import { it } from 'vitest';
import { makeProject } from './support.ts';
it('tries', async () => {
  const project = makeProject();
  const show = async (...args: string[]) => { const e = await project.forge(...args); console.log('$ forge', args.join(' '), '→', e.code, '\n' + e.stdout.slice(0, 6000) + (e.stderr ? '\n[stderr]\n' + e.stderr : '')); return e; };
  await show('run', 'Add a multiplication', '--yes');
  await show('list'); await show('status'); await show('show'); await show('show', 'W1'); await show('logs'); await show('memory');
  await show('land', '--into', 'main'); await show('undo'); await show('land', '--into', 'main'); await show('cleanup'); await show('doctor');
  console.log(project.git('for-each-ref'), project.git('status', '--short', '--ignored'));
});
