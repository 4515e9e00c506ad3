/** `forge rebuild`: packs and overlays, made again; with `--enrich`, what friction suggests to change. */
import { openContext } from '../api/context.ts';
import { performOperation } from '../api/operation.ts';
import { rebuildPacks } from '../api/rebuild-packs.ts';
import { countText } from '../views/figures.ts';
import { plainLine } from '../views/terminal-text.ts';
import type { CommandCall } from './commands.ts';
import { printJson } from './print.ts';

export async function run({ switches }: CommandCall): Promise<number> {
  const dryRun = switches.has('dry-run');
  const enrich = switches.has('enrich');
  const done = await performOperation(rebuildPacks, openContext({ cwd: process.cwd() }), { dryRun, enrich });
  if (switches.has('json')) {
    printJson(done);
    return 0;
  }
  for (const path of done.written) console.log(plainLine(`${dryRun ? 'Would write' : 'Wrote'} ${path}`));
  for (const path of done.removed) console.log(plainLine(`${dryRun ? 'Would remove' : 'Removed'} ${path}`));
  if (done.written.length + done.removed.length === 0) console.log('The packs are up to date.');
  if (enrich) tellProposals(done.proposals);
  return 0;
}

function tellProposals(proposals: Awaited<ReturnType<typeof rebuildPacks.run>>['proposals']): void {
  if (proposals.length === 0) {
    console.log('No open friction: nothing to change.');
    return;
  }
  console.log(`\n${countText(proposals.length, 'proposal')} from friction`);
  for (const { role, kind, about, count, issues, proposal } of proposals) {
    console.log(plainLine(`- ${role}, ${kind}${about === '' ? '' : ` (${about})`}, ${countText(count, 'time')}`));
    for (const issue of issues.slice(0, 5)) console.log(`    "${plainLine(issue)}"`);
    console.log(`    ${plainLine(proposal)}`);
  }
  console.log('\nNothing was changed. forge enhance writes a proposal as a diff.');
}
