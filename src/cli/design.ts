/** `forge design check`: what is wrong with a design, and in which order it would be built. */
import { checkDesign, type DesignChecked, type DesignSummary } from '../api/check-design.ts';
import { openContext, perform } from '../api/operation.ts';
import { suggest } from '../api/suggest.ts';
import { ForgeError } from '../errors.ts';
import { plainLine } from '../views/terminal-text.ts';
import type { Call } from './commands.ts';
import { printJson } from './print.ts';

export async function run({ words: [action = '', directory], switches }: Call): Promise<number> {
  if (action !== 'check') {
    throw new ForgeError('bad-input', `design does not know ${JSON.stringify(action)}`, {
      hint: suggest(action, ['check'], 'See forge design --help.'),
    });
  }
  const checked = await perform(checkDesign, openContext({ cwd: process.cwd() }), { directory });
  if (switches.has('json')) printJson(checked);
  else for (const line of linesOf(checked)) console.log(line);
  return checked.ok ? 0 : 1;
}

function linesOf({ problems, design, ok, directory }: DesignChecked): string[] {
  const errors = problems.filter(({ severity }) => severity === 'error').length;
  return [
    ...problems.flatMap(({ file, line, severity, problem, fix }) => [
      `${plainLine(file)}:${line}: ${severity}: ${plainLine(problem)}`,
      `    ${plainLine(fix)}`,
    ]),
    ...(problems.length === 0 ? [] : ['']),
    ...(design === undefined ? [] : summaryLines(design)),
    ok
      ? `${plainLine(directory)} can be built.`
      : `${errors} ${errors === 1 ? 'error' : 'errors'}. Fix them before you start a run.`,
  ];
}

function summaryLines({ name, modules, phases, features, journeys, standards }: DesignSummary): string[] {
  const criteria = features.reduce((sum, feature) => sum + feature.criteria.length, 0);
  const named = new Map(modules.map((module) => [module.id, module.name]));
  return [
    `${plainLine(name)}: ${modules.length} modules, ${features.length} features with ${criteria} criteria, ${journeys.length} journeys, ${standards.rules.length} coding rules`,
    ...phases.map(
      (ids, at) => `Phase ${at + 1}: ${ids.map((id) => plainLine(`${id} ${named.get(id) ?? ''}`.trim())).join(', ')}`,
    ),
  ];
}
