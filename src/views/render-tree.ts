/**
 * A run's tree as lines of a terminal: glyph, name, what is going on, time and spend. Every line is shorter
 * than the terminal by one cell (a full line and an erase do not go together), and there are never more than
 * `rows`. Text of agents is made harmless here; colour is plain ANSI and only on request.
 */
import { clockTime, moneyText } from './figures.ts';
import type { RunView } from './run-view.ts';
import { displayWidth, fitText, padText, plainLine, toAscii } from './terminal-text.ts';
import { layOutTree, type TreeLine } from './tree-layout.ts';
import type { NodeStatus, ViewNode } from './view-node.ts';

export interface RenderOptions {
  readonly columns: number;
  readonly rows: number;
  readonly color: boolean;
  /** Counts redraws; turns the spinner. */
  readonly frame: number;
  /** For terminals that show nothing else. */
  readonly ascii?: boolean;
}

export function renderTree(view: RunView, options: RenderOptions): string[] {
  const look: Look = { ...options, columns: Math.max(1, options.columns - 1), isNarrow: options.columns < 60 };
  const questions = view.questions.slice(0, 3).map((question) => questionLine(question, look));
  // A command that is cut is of no use to anybody.
  const hints = view.hints.map((hint) => `  ${safe(hint, look)}`).filter((hint) => displayWidth(hint) <= look.columns);
  const shown = options.rows > 8 ? hints.slice(0, 2) : [];
  const standing = view.standing === undefined || options.rows < 4 ? [] : [standingLine(view.standing, look)];
  const room = Math.max(1, options.rows - standing.length - questions.length - shown.length);
  const lines = layOutTree(view.root, room).map((line) => drawLine(line, look));
  const [root = '', ...rest] = lines;
  const below = shown.map((hint) => paint(hint, dim, look));
  return [root, ...standing, ...questions, ...rest, ...below].slice(0, Math.max(1, options.rows));
}

interface Look extends RenderOptions {
  readonly isNarrow: boolean;
}

const glyphs: Readonly<Record<NodeStatus, readonly [string, string]>> = {
  waiting: ['○', '.'],
  running: ['•', '*'],
  done: ['✓', '+'],
  failed: ['✗', 'x'],
  blocked: ['⊘', '#'],
  skipped: ['–', '-'],
  unverified: ['?', '?'],
  interrupted: ['‖', '!'],
};
const spinners = ['⠋⠙⠹⠸⠼⠴⠦⠧⠇⠏', '|/-\\'] as const;

const colours: Readonly<Record<NodeStatus, string>> = {
  waiting: '2',
  running: '36',
  done: '32',
  failed: '31',
  blocked: '33',
  skipped: '2',
  unverified: '33',
  interrupted: '33',
};
/** What is said about these is read first. */
const loud: ReadonlySet<NodeStatus> = new Set(['failed', 'blocked']);
const bold = '1';
const dim = '2';
const yellow = '33';
const red = '31';

function drawLine(line: TreeLine, look: Look): string {
  const guides = drawGuides(line.guides, look);
  if (line.type === 'more') {
    return paint(fitText(`${guides}${safe(line.text, look)}`, look.columns, ellipsis(look)), dim, look);
  }
  return drawNode(line.node, guides, look);
}

/** Left: glyph, name, detail. Right: time and spend, aligned. The detail gives way first, then the name. */
function drawNode(node: ViewNode, guides: string, look: Look): string {
  const { columns } = look;
  const lead = fitText(`${guides}${glyph(node, look)} `, columns, '');
  const free = columns - displayWidth(lead);
  const right = rightSide(node, look);
  const rightRoom = right === '' || displayWidth(right) + 12 > free ? 0 : displayWidth(right) + 1;
  const label = fitText(safe(node.label, look), free - rightRoom, ellipsis(look));
  const detailRoom = free - rightRoom - displayWidth(label) - 2;
  const detail = detailRoom < 4 ? '' : fitText(safe(node.detail, look), detailRoom, ellipsis(look));
  const left = `${label}${detail === '' ? '' : `  ${detail}`}`;
  const gap = rightRoom === 0 ? '' : `${' '.repeat(free - displayWidth(left) - displayWidth(right))}${right}`;
  if (!look.color) return `${lead}${left}${gap}`.trimEnd();
  const labelColour = node.kind === 'run' ? bold : node.status === 'waiting' || node.status === 'skipped' ? dim : '';
  const [indent, mark] = [guides, lead.slice(guides.length)];
  return [
    paint(indent, dim, look),
    paint(mark, colours[node.status], look),
    paint(label, labelColour, look),
    detail === '' ? '' : `  ${paint(detail, loud.has(node.status) ? colours[node.status] : dim, look)}`,
    paint(gap, dim, look),
  ].join('');
}

function rightSide(node: ViewNode, { isNarrow }: Look): string {
  if (node.elapsedMs <= 0) return '';
  const time = clockTime(node.elapsedMs);
  const cost = node.usage?.costUsd ?? 0;
  if (isNarrow) return cost > 0 && node.kind === 'run' ? `${time} ${moneyText(cost)}` : time;
  return `${cost > 0 ? moneyText(cost) : ''}${padText('', Math.max(1, 8 - time.length))}${time}`.trimStart();
}

function standingLine({ text, isBad }: NonNullable<RunView['standing']>, look: Look): string {
  return paint(fitText(`  ${safe(text, look)}`, look.columns, ellipsis(look)), isBad ? red : dim, look);
}

function questionLine(question: RunView['questions'][number], look: Look): string {
  const text = fitText(`? ${safe(question.title, look)}`, look.columns, ellipsis(look));
  return paint(text, yellow, look);
}

function drawGuides(guides: TreeLine['guides'], look: Look): string {
  return guides
    .map((guide) => {
      if (look.isNarrow) return '  ';
      const [branch, last, line] = look.ascii === true ? ['|- ', '`- ', '|  '] : ['├─ ', '└─ ', '│  '];
      return { branch, last, line, blank: '   ' }[guide];
    })
    .join('');
}

/** One spinner per thing at work: the tasks of a wave are its subject, not further work. */
function glyph({ status, kind, children }: ViewNode, { ascii, frame }: Look): string {
  const variant = ascii === true ? 1 : 0;
  if (status !== 'running') return glyphs[status][variant];
  if (kind === 'task' && children.length === 0) return glyphs.running[variant];
  const spinner = spinners[variant];
  return spinner[Math.abs(Math.trunc(frame)) % spinner.length] ?? glyphs.running[variant];
}

function safe(text: string, { ascii }: Look): string {
  const line = plainLine(text);
  return ascii === true ? toAscii(line) : line;
}

function ellipsis({ ascii }: Look): string {
  return ascii === true ? '...' : '…';
}

function paint(text: string, code: string, { color }: Look): string {
  return color && code !== '' && text !== '' ? `\u001b[${code}m${text}\u001b[0m` : text;
}
