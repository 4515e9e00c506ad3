/**
 * `forge store <verb>`: the records of a project. Verbs are data: the words each takes and the operation it is. A change
 * prints nothing when it was made; what was refused is shown with its fix, exit code 1.
 */
import type { z } from 'zod';
import { type ApiContext, openContext } from '../api/context.ts';
import { type Operation, performOperation } from '../api/operation.ts';
import { storeEmit, storeMerge, storeProgress, storeProgressClear } from '../api/store-events.ts';
import { storeMigrate, storeMigrateBack } from '../api/store-migrate.ts';
import { recordError } from '../api/store-place.ts';
import {
  storeDescribe,
  storeInspect,
  storeQuery,
  storeRead,
  storeReadSummary,
  storeTemplate,
  storeValidate,
} from '../api/store-read.ts';
import { type StoreChange, storeDelete, storeSummary, storeUpdate, storeWrite } from '../api/store-write.ts';
import { suggestVerb } from '../api/suggest-verb.ts';
import { countText } from '../views/figures.ts';
import { plainLine } from '../views/terminal-text.ts';
import type { CommandCall } from './commands.ts';
import { printJson } from './print.ts';

interface Verb {
  /** As `CommandEntry.words`. */
  readonly words: readonly string[];
  readonly run: (context: ApiContext, words: readonly string[], call: CommandCall) => Promise<number>;
}

const verbs: Readonly<Record<string, Verb>> = {
  write: {
    words: ['entity', 'json'],
    run: changing(storeWrite, ([entity, json], call) => ({ entity, json, ...rules(call) })),
  },
  read: { words: ['entity', 'id'], run: (context, [entity, id], call) => readOne(context, { entity, id }, call) },
  list: {
    words: ['entity', 'conditions...'],
    run: showing(storeQuery, ([entity, ...conditions]) => ({ entity, conditions })),
  },
  query: {
    words: ['entity', 'conditions...'],
    run: showing(storeQuery, ([entity, ...conditions], { values: { sort, limit } }) => ({
      entity,
      conditions,
      ...(sort === undefined ? {} : { sort }),
      ...(limit === undefined ? {} : { limit: Number(limit) }),
    })),
  },
  validate: { words: ['entity?', 'json?'], run: validate },
  describe: { words: ['entity'], run: showing(storeDescribe, ([entity]) => ({ entity })) },
  template: { words: ['entity'], run: showing(storeTemplate, ([entity]) => ({ entity })) },
  'update-status': {
    words: ['entity', 'id', 'field', 'value'],
    run: changing(storeUpdate, ([entity, id, field, value], call) => ({ entity, id, field, value, ...rules(call) })),
  },
  'set-summary': summarySetter(undefined),
  'set-bug-summary': summarySetter('bug'),
  'get-summary': summaryGetter('task'),
  'get-bug-summary': summaryGetter('bug'),
  delete: { words: ['entity', 'id'], run: quietly(storeDelete, ([entity, id]) => ({ entity, id })) },
  emit: {
    words: ['sprint', 'json'],
    run: quietly(storeEmit, ([sprint, json], { switches }) => ({
      sprint,
      json,
      isSidecar: switches.has('sidecar'),
      anySprint: switches.has('allow-synthetic'),
      dryRun: switches.has('dry-run'),
    })),
  },
  'merge-sidecar': {
    words: ['sprint', 'event'],
    run: quietly(storeMerge, ([sprint, event], { switches }) => ({ sprint, event, dryRun: switches.has('dry-run') })),
  },
  progress: {
    words: ['sprint', 'agent', 'banner', 'status', 'detail...'],
    run: quietly(storeProgress, ([sprint, agentName, bannerKey, status, ...detail]) => ({
      sprint,
      agentName,
      bannerKey,
      status,
      detail: detail.join(' '),
    })),
  },
  migrate: { words: ['backup?'], run: migrate },
  'progress-clear': { words: ['sprint'], run: quietly(storeProgressClear, ([sprint]) => ({ sprint })) },
};

/** Other names, with the words they stand for. */
const aliases: Readonly<Record<string, readonly string[]>> = {
  get: ['read'],
  'get-task': ['read', 'task'],
  'get-bug': ['read', 'bug'],
  'get-sprint': ['read', 'sprint'],
  'get-feature': ['read', 'feature'],
};

export async function run(call: CommandCall): Promise<number> {
  const [typed = '', ...rest] = call.words;
  const alias = Object.hasOwn(aliases, typed) ? aliases[typed] : undefined;
  const [name = '', ...words] = [...(alias ?? [typed]), ...rest];
  const verb = Object.hasOwn(verbs, name) ? verbs[name] : undefined;
  if (verb === undefined) {
    throw recordError(`store has no action ${JSON.stringify(name)}`, [], suggestVerb(name, Object.keys(verbs)));
  }
  const needed = verb.words.filter((word) => !word.endsWith('?') && !word.endsWith('...'));
  const isOpen = verb.words.at(-1)?.endsWith('...') === true;
  if (words.length < needed.length || (words.length > verb.words.length && !isOpen)) {
    const usage = verb.words.map((word) => (/\?$|\.\.\.$/.test(word) ? `[${word.replace(/\?$/, '')}]` : `<${word}>`));
    throw recordError(`store ${name} takes other words`, [], `forge store ${[name, ...usage].join(' ')}`);
  }
  return verb.run(openContext({ cwd: process.cwd() }), words, call);
}

type Inputs = (words: readonly string[], call: CommandCall) => Readonly<Record<string, unknown>>;

/** Prints what comes back: for people over several lines, for scripts on one. */
function showing<S extends z.ZodType>(operation: Operation<S, z.ZodType>, inputs: Inputs): Verb['run'] {
  return async (context, words, call) => {
    show(await performOperation(operation, context, inputs(words, call)), call);
    return 0;
  };
}

function show(value: unknown, { switches }: CommandCall): void {
  if (switches.has('json')) printJson(value);
  else console.log(JSON.stringify(value, null, 2));
}

/** Prints nothing unless it is asked for data. */
function quietly<S extends z.ZodType>(operation: Operation<S, z.ZodType>, inputs: Inputs): Verb['run'] {
  return async (context, words, call) => {
    const done = await performOperation(operation, context, inputs(words, call));
    if (call.switches.has('json')) printJson(done);
    return 0;
  };
}

function changing<S extends z.ZodType>(operation: Operation<S, z.ZodType<StoreChange>>, inputs: Inputs): Verb['run'] {
  return async (context, words, call) => {
    const change = await performOperation(operation, context, inputs(words, call));
    for (const note of change.notes) console.error(`note: ${plainLine(note)}`);
    if (call.switches.has('json')) printJson(change);
    else if (change.dryRun) console.log(`Would write ${change.entity} ${change.id}.`);
    return 0;
  };
}

function rules({ switches }: CommandCall): { readonly dryRun: boolean; readonly force: boolean } {
  return { dryRun: switches.has('dry-run'), force: switches.has('force') };
}

function summarySetter(entity: 'bug' | undefined): Verb {
  return {
    words: ['id', 'phase', 'file?'],
    run: changing(storeSummary, ([id, phase, file], { switches }) => ({
      id,
      phase,
      ...(entity === undefined ? {} : { entity }),
      ...(file === undefined ? {} : { file }),
      dryRun: switches.has('dry-run'),
    })),
  };
}

function summaryGetter(entity: 'task' | 'bug'): Verb {
  return { words: ['id', 'phase'], run: showing(storeReadSummary, ([id, phase]) => ({ entity, id, phase })) };
}

/** A record that does not fit its schema is shown, with what is wrong beside it. */
async function readOne(context: ApiContext, input: unknown, call: CommandCall): Promise<number> {
  const { record, faults } = await performOperation(storeRead, context, input);
  show(record, call);
  for (const { where, problem, fix } of faults) console.error(`note: ${plainLine(`${where}: ${problem} ${fix}`)}`);
  return 0;
}

/** One record as typed; without words the whole store. */
async function validate(context: ApiContext, [entity, json]: readonly string[], call: CommandCall): Promise<number> {
  const isJson = call.switches.has('json');
  if (entity !== undefined && json !== undefined) {
    const faults = await performOperation(storeValidate, context, { entity, json });
    if (isJson) printJson({ valid: faults.length === 0, faults });
    else for (const { where, problem, fix } of faults) console.error(plainLine(`${where}: ${problem} ${fix}`));
    return faults.length === 0 ? 0 : 1;
  }
  const findings = await performOperation(storeInspect, context, entity === undefined ? {} : { entity });
  const errors = findings.filter(({ level }) => level === 'error');
  if (isJson) printJson({ valid: errors.length === 0, findings });
  else {
    for (const { file, where, problem, fix, level } of findings)
      console.log(plainLine(`${level === 'error' ? '✗' : '!'} ${file}, ${where}: ${problem} ${fix}`));
    const notes = findings.length - errors.length;
    console.log(
      findings.length === 0
        ? 'Every record fits.'
        : `${countText(errors.length, 'error')}, ${countText(notes, 'note')}.`,
    );
  }
  return errors.length === 0 ? 0 : 1;
}

async function migrate(context: ApiContext, [backup]: readonly string[], call: CommandCall): Promise<number> {
  const isJson = call.switches.has('json');
  if (call.switches.has('back')) {
    const restored = await performOperation(storeMigrateBack, context, backup === undefined ? {} : { backup });
    if (isJson) printJson(restored);
    else
      console.log(
        `Put back ${countText(restored.files, 'file')} of ${restored.from}. What was there is in ${restored.backup}.`,
      );
    return 0;
  }
  const dryRun = call.switches.has('dry-run');
  const done = await performOperation(storeMigrate, context, { dryRun });
  if (isJson) {
    printJson({ ...done, steps: done.steps.map(({ file, to, changes }) => ({ file, to, changes })) });
    return 0;
  }
  for (const { file, changes } of done.steps) console.log(plainLine(`${file}: ${changes.join('; ')}`));
  for (const { file, problem } of done.left) console.log(plainLine(`! ${file}: ${problem}`));
  console.log(
    `${countText(done.records, 'record')} read; ${countText(done.steps.length, 'file')} ${dryRun ? 'would change' : 'changed'}; left to you: ${done.left.length}.`,
  );
  if (done.backup !== undefined)
    console.log(`The files as they were: ${done.backup}. Back: forge store migrate --back`);
  return 0;
}
