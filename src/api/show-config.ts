/**
 * Every setting and every option of a workflow with its value and where the value comes from: a default, the
 * repository's settings, or one of the three layers of preferences.
 */
import { z } from 'zod';
import { ForgeError } from '../errors.ts';
import { leavesOf } from '../policy/trust-fields.ts';
import { defaultSettings } from '../policy/settings.ts';
import { consentDirectory } from '../trust/consent.ts';
import { readOwnFiles } from '../trust/own-files.ts';
import { mergePreferences, readUserPreferences } from '../trust/preferences.ts';
import { builtinDefinitions } from '../workflows/registry.ts';
import { readOptions } from '../workflows/workflow-options.ts';
import { isAgreed } from '../trust/consent.ts';
import type { ApiContext } from './context.ts';
import type { Operation } from './operation.ts';
import { projectHere } from './project-settings.ts';
import { suggestWord } from './suggest.ts';

const input = z.strictObject({
  /** The beginning of a name, such as `budget` or `milestone.review`. */
  name: z.string().optional(),
});
const output = z.array(
  z.strictObject({
    name: z.string(),
    value: z.json(),
    origin: z.enum(['default', 'user', 'repository', 'local']),
    /** The file that says so. */
    path: z.string().optional(),
    /** Of a repository that a person has not agreed to yet: it is not in force. */
    isWaiting: z.boolean().optional(),
  }),
);
type Value = z.infer<typeof output>[number];

export const showConfig: Operation<typeof input, typeof output> = {
  name: 'show-config',
  kind: 'query',
  description: 'Shows every setting and preference with its value and where it comes from.',
  input,
  output,
  async run(context, { name }) {
    const values = [...(await settingValues(context)), ...(await optionValues(context))];
    if (name === undefined) return values;
    const found = values.filter((one) => one.name === name || one.name.startsWith(`${name}.`));
    if (found.length > 0) return found;
    throw new ForgeError('bad-input', `There is no setting ${JSON.stringify(name)}`, {
      hint: suggestWord(
        name,
        values.map((one) => one.name),
        'forge config --all lists them.',
      ),
    });
  },
};

async function settingValues(context: ApiContext): Promise<readonly Value[]> {
  const here = await projectHere(context);
  const usual = new Map(leavesOf(defaultSettings()).map(({ path, value }) => [path, JSON.stringify(value)]));
  const isWaiting = here !== undefined && !isAgreed(here, context.env);
  return leavesOf(here?.settings ?? defaultSettings()).map(({ path, value }): Value => {
    const isUsual = usual.get(path) === JSON.stringify(value);
    const said = { name: path, value: value as Value['value'] };
    if (isUsual) return { ...said, origin: 'default' };
    return { ...said, origin: 'repository', path: '.forge/config.yaml', ...(isWaiting ? { isWaiting } : {}) };
  });
}

/** Of every workflow, as a new run would have them; what waits for consent is marked. */
export async function optionValues(context: ApiContext): Promise<readonly Value[]> {
  const here = await projectHere(context);
  const own = here === undefined ? undefined : readOwnFiles(here.repo.root, here.settings);
  const isWaiting = here !== undefined && !isAgreed({ ...here, ...(own === undefined ? {} : { own }) }, context.env);
  const preferred = mergePreferences([
    ...readUserPreferences(consentDirectory(context.env)),
    ...(own?.preferences ?? []),
  ]);
  return builtinDefinitions.flatMap(({ name: workflow, options }) => {
    const mine = preferred.filter((one) => one.workflow === workflow);
    const given = Object.fromEntries(mine.map(({ option, value }) => [option, value]));
    const values = readOptions(options, given, (option) => `${workflow}.${option}`);
    return Object.entries(values).flatMap(([option, value]): Value[] => {
      if (value === undefined) return [];
      const said = { name: `${workflow}.${option}`, value };
      const found = mine.find((one) => one.option === option);
      if (found === undefined) return [{ ...said, origin: 'default' }];
      const { origin, path } = found;
      return [{ ...said, origin, path, ...(isWaiting && origin !== 'user' ? { isWaiting } : {}) }];
    });
  });
}
