/**
 * The gate language: fenced blocks in Markdown, a directive per line.
 *
 *     ```gates phase=implement
 *     artifact {engineering}/sprints/{sprint}/{task}/PLAN.md min=200
 *     require task.status in [plan-approved, implementing]
 *     forbid  task.status == committed
 *     after   review-plan = approved
 *     ```
 *
 * A block `outputs phase=…` knows `artifact` and `require`. A fence that is indented is prose. Whatever cannot be read
 * is a mistake with its line and the fix, all of them at once; nothing is thrown and nothing is skipped. Pure.
 */
import { recordVerdicts } from '../records/schemas.ts';
import { didYouMean } from '../records/suggest-words.ts';
import type {
  ArtifactRule,
  FieldRule,
  GateMistake,
  ParsedTable,
  PhaseGate,
  PhaseOutputs,
  PhaseVerdict,
} from './gate.ts';

type BlockKind = 'gates' | 'outputs';
type Directive = 'artifact' | 'require' | 'forbid' | 'after';

const directivesOf: Readonly<Record<BlockKind, readonly Directive[]>> = {
  gates: ['artifact', 'require', 'forbid', 'after'],
  outputs: ['artifact', 'require'],
};

export function parseGates(markdown: string): ParsedTable<PhaseGate> {
  return parseBlocks(markdown, 'gates', ({ artifacts, require, forbid, after }) => ({
    artifacts,
    require,
    forbid,
    after,
  }));
}

export function parseOutputs(markdown: string): ParsedTable<PhaseOutputs> {
  return parseBlocks(markdown, 'outputs', ({ artifacts, require }) => ({ artifacts, require }));
}

interface Block {
  readonly phase: string;
  /** Of its fence. */
  readonly line: number;
  readonly lines: readonly { readonly text: string; readonly line: number }[];
}

function parseBlocks<T>(markdown: string, kind: BlockKind, pick: (gate: PhaseGate) => T): ParsedTable<T> {
  const mistakes: GateMistake[] = [];
  const table = new Map<string, T>();
  for (const block of blocksOf(markdown, kind, mistakes)) {
    if (table.has(block.phase)) {
      mistakes.push({
        line: block.line,
        problem: `There are two ${kind} blocks for the phase ${JSON.stringify(block.phase)}.`,
        fix: 'Put all lines into one of them.',
      });
      continue;
    }
    table.set(block.phase, pick(readBlock(block, kind, mistakes)));
  }
  return mistakes.length === 0 ? { ok: true, table: Object.fromEntries(table) } : { ok: false, mistakes };
}

const fenceEnd = /^```\s*$/;

function blocksOf(markdown: string, kind: BlockKind, mistakes: GateMistake[]): readonly Block[] {
  const blocks: Block[] = [];
  let open: { phase: string; line: number; lines: { text: string; line: number }[] } | undefined;
  for (const [at, raw] of markdown.split('\n').entries()) {
    const text = raw.replace(/\r$/, '');
    const line = at + 1;
    if (open !== undefined) {
      if (!fenceEnd.test(text)) open.lines.push({ text, line });
      else {
        blocks.push(open);
        open = undefined;
      }
      continue;
    }
    // Also inside another fence: a gate that somebody forgot to close something before must not vanish.
    const rest = new RegExp(`^\`\`\`${kind}(\\s.*|)$`).exec(text)?.[1];
    if (rest === undefined) continue;
    const phase = /^\s+phase=([A-Za-z0-9_-]+)\s*$/.exec(rest)?.[1];
    if (phase === undefined) {
      mistakes.push({
        line,
        problem: `It does not say which phase it is for.`,
        fix: `Write \`\`\`${kind} phase=<name>.`,
      });
    }
    open = { phase: phase ?? '', line, lines: [] };
  }
  if (open !== undefined) {
    mistakes.push({
      line: open.line,
      problem: `The ${kind} block that begins here has no end.`,
      fix: 'End it with a line ```.',
    });
  }
  return blocks.filter(({ phase }) => phase !== '');
}

function readBlock({ lines }: Block, kind: BlockKind, mistakes: GateMistake[]): PhaseGate {
  const gate = {
    artifacts: [] as ArtifactRule[],
    require: [] as FieldRule[],
    forbid: [] as FieldRule[],
    after: [] as { phase: string; verdict: PhaseVerdict }[],
  };
  for (const { text, line } of lines) {
    const trimmed = text.trim();
    if (trimmed === '' || trimmed.startsWith('#')) continue;
    const [word = ''] = trimmed.split(/\s/, 1);
    const rest = trimmed.slice(word.length).trim();
    const directive = directivesOf[kind].find((one) => one === word);
    const found = directive === undefined ? unknownDirective(word, kind) : readDirective(directive, rest, gate);
    if (found !== undefined) mistakes.push({ line, ...found });
  }
  return gate;
}

type Fault = Pick<GateMistake, 'problem' | 'fix'>;

function unknownDirective(word: string, kind: BlockKind): Fault {
  const known = directivesOf[kind];
  const fix = [didYouMean(word, known), `A line begins with ${known.join(', ')}.`].filter(Boolean).join(' ');
  return { problem: `There is no directive ${JSON.stringify(word.slice(0, 60))}.`, fix };
}

interface OpenGate {
  readonly artifacts: ArtifactRule[];
  readonly require: FieldRule[];
  readonly forbid: FieldRule[];
  readonly after: { phase: string; verdict: PhaseVerdict }[];
}

function readDirective(directive: Directive, rest: string, gate: OpenGate): Fault | undefined {
  switch (directive) {
    case 'artifact':
      return readArtifact(rest, gate.artifacts);
    case 'after':
      return readAfter(rest, gate.after);
    case 'require':
    case 'forbid':
      return readPredicate(rest, gate[directive]);
  }
}

function readArtifact(rest: string, into: ArtifactRule[]): Fault | undefined {
  const [, path = '', size] = /^(.*?)(?:(?:^|\s+)min=(\S*))?$/.exec(rest) ?? [];
  if (size !== undefined && !/^\d{1,12}$/.test(size))
    return { problem: `min=${size.slice(0, 40)} is not a number of bytes.`, fix: 'Write it like min=200.' };
  if (path === '') return { problem: 'It names no file.', fix: 'Write artifact <path> [min=<bytes>].' };
  if (path.startsWith('/') || path.split('/').includes('..'))
    return { problem: `${JSON.stringify(path)} leads out of the project.`, fix: 'Name a path inside the project.' };
  into.push({ path, minBytes: Number(size ?? 0) });
  return undefined;
}

function readPredicate(rest: string, into: FieldRule[]): Fault | undefined {
  const list = /^(\S+)\s+in\s+\[(.*)\]$/.exec(rest);
  if (list !== null) {
    const [, field = '', values = ''] = list;
    into.push({
      field,
      op: 'in',
      value: values
        .split(',')
        .map((value) => value.trim())
        .filter((value) => value !== ''),
    });
    return undefined;
  }
  const plain = /^(\S+)\s+(==|!=)\s+(.+)$/.exec(rest);
  if (plain === null) {
    return {
      problem: `${JSON.stringify(rest.slice(0, 80))} is not a condition.`,
      fix: 'Write <field> == <value>, <field> != <value> or <field> in [<value>, …].',
    };
  }
  const [, field = '', op = '==', value = ''] = plain;
  into.push({ field, op: op === '==' ? '==' : '!=', value: value.trim() });
  return undefined;
}

function readAfter(rest: string, into: { phase: string; verdict: PhaseVerdict }[]): Fault | undefined {
  const fix = `Write after <phase> = ${recordVerdicts.join('|')}.`;
  const match = /^(\S+?)\s*=\s*(\S+)$/.exec(rest);
  if (match === null) return { problem: `${JSON.stringify(rest.slice(0, 80))} is not a verdict of a phase.`, fix };
  const [, phase = '', word = ''] = match;
  const verdict = recordVerdicts.find((one) => one === word.toLowerCase());
  if (verdict === undefined) {
    const guess = didYouMean(word.slice(0, 40), recordVerdicts);
    return {
      problem: `There is no verdict ${JSON.stringify(word.slice(0, 40))}.`,
      fix: [guess, fix].filter(Boolean).join(' '),
    };
  }
  into.push({ phase, verdict });
  return undefined;
}
