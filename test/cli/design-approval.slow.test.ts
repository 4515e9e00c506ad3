/** The plans of a design at a real terminal: edited into something that cannot be used, edited again, and rejected with a reason. */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { designDir } from '../workflows/design/tiny-design.ts';
import { designProject, designScript } from './design-story.ts';
import { openScreen } from './screen.ts';
import { makeProject } from './support.ts';

it('is edited twice and rejected with a reason', { timeout: 600_000 }, async () => {
  const config =
    'agents: { actor: { driver: scripted, script: .forge/script.yaml } }\nchecks: { run: ["node --test"] }\n';
  const project = makeProject({ script: designScript(), config, files: designProject });
  const editor = join(project.root, '../editor.sh');
  const sed = 'sed -i "s/## Wiring/## Wires/; t; s/## Wires/## Wiring/" "$1/plans/plan-M-003-print.md"';
  writeFileSync(editor, `#!/bin/sh\n${sed}\n`, { mode: 0o755 });
  const screen = openScreen(project, ['design', designDir], { columns: 80, rows: 60, env: { EDITOR: editor } });
  await screen.shows(/Go ahead with these plans\?[^]*e\. Change the plan in your editor/);
  screen.press('e', 'Enter');
  await screen.shows(/The edited plans cannot be used:[^]*e\. Change the plan in your editor/);
  screen.press('e', 'Enter');
  await screen.shows(/base +main at \w+\s+Go ahead with these plans\?\s+To edit[^]*e\. Change the plan in your editor/);
  screen.press('4', 'Enter');
  await screen.shows('Say why if you like:');
  screen.press('Too many modules', 'Enter');
  await screen.shows('the plans were not approved: Too many modules');
  expect(await screen.exit()).toBe(1);
  expect(project.git('status', '--porcelain')).toBe('');
});
