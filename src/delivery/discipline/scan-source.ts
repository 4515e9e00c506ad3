/**
 * The delivery discipline over a whole tree of source files: which files are looked at, and by what. Folders that nobody
 * writes by hand are left out, and so is Markdown that describes a skill. Pure but for the tree it is given.
 */
import type { Language } from '../../evidence/weakened/blank.ts';
import type { SourceTree } from '../../design/source-tree.ts';
import { type FoundIssue, issueIn, type PlanIssue } from '../plan-issue.ts';
import { jsDiscipline } from './js-discipline.ts';
import { abandonmentsIn } from './markdown-discipline.ts';
import { pythonDiscipline } from './python-discipline.ts';
import { commentDiscipline, textDiscipline } from './text-discipline.ts';
import { findUnwired, type WiredFile } from './unwired.ts';

const excludedFolders: ReadonlySet<string> = new Set(
  '.git node_modules vendor dist build target __pycache__ .venv .tox .pytest_cache .next .nuxt coverage .gradle .idea .vscode'.split(
    ' ',
  ),
);
/** Deeper trees and more files than any project has. */
const mostFiles = 50_000;
const mostDepth = 64;
const mostIssues = 2000;
const mostWired = 1_000_000;

export interface SourceScan {
  readonly files: readonly string[];
  readonly issues: readonly PlanIssue[];
  /** Files that were not looked at, with the reason. */
  readonly unread: readonly { readonly file: string; readonly why: string }[];
}

/** `skip` names paths that other checks look at, such as the plan directory. */
export function scanSource(tree: SourceTree, skip: readonly string[] = []): SourceScan {
  const { files, unread } = listFiles(tree, skip);
  const skills = new Set(
    files.filter((file) => /(?:^|\/)SKILL\.md$/.test(file)).map((file) => file.slice(0, -'SKILL.md'.length)),
  );
  const issues: PlanIssue[] = [];
  for (const file of files) {
    if (issues.length >= mostIssues) break;
    const isSkill = file.endsWith('.md') && [...skills].some((folder) => file.startsWith(folder));
    if (isSkill || languageOf(file) === undefined) continue;
    const found = tree.read(file);
    if (found.status === 'read' && !found.bytes.subarray(0, 8000).includes(0))
      issues.push(...scanFile(file, found.bytes.toString('utf8')).map((issue) => issueIn(file, issue)));
    else if (found.status === 'refused') unread.push({ file, why: found.why });
  }
  if (issues.length < mostIssues) issues.push(...findUnwired(() => codeOf(tree, files)));
  return { files, issues, unread };
}

function* codeOf(tree: SourceTree, files: readonly string[]): Iterable<WiredFile> {
  for (const path of files) {
    const language = languageOf(path);
    const found = language === 'js' || language === 'python' ? tree.read(path) : undefined;
    if (found?.status === 'read' && found.bytes.length < mostWired) yield { path, text: found.bytes.toString('utf8') };
  }
}

/** One file, by its name. */
export function scanFile(path: string, text: string): FoundIssue[] {
  const language = languageOf(path);
  if (language === undefined) return [];
  if (language === 'markdown') return abandonmentsIn(text);
  if (language === 'js') return jsDiscipline(path, text) ?? textDiscipline(path, text, 'js');
  if (language === 'python' && path.endsWith('.py')) {
    const found = pythonDiscipline(path, text);
    return found === undefined
      ? textDiscipline(path, text, 'python')
      : [...commentDiscipline(path, text, 'python'), ...found];
  }
  if (language === 'python') return commentDiscipline(path, text, 'python');
  return textDiscipline(path, text, language);
}

function languageOf(path: string): Language | 'markdown' | undefined {
  const extension = /\.([a-z0-9]+)$/i.exec(path)?.[1]?.toLowerCase() ?? '';
  return languages.find(([, names]) => names.includes(extension))?.[0];
}

const languages: readonly (readonly [Language | 'markdown', readonly string[]])[] = [
  ['js', ['js', 'jsx', 'ts', 'tsx', 'mjs', 'cjs', 'mts', 'cts']],
  ['python', ['py', 'rb', 'sh', 'bash']],
  ['go', ['go']],
  ['rust', ['rs']],
  ['java', ['java', 'kt', 'kts', 'scala', 'groovy', 'cs', 'swift', 'c', 'h', 'cc', 'cpp', 'hpp', 'php', 'dart']],
  ['markdown', ['md', 'markdown']],
];

function listFiles(
  tree: SourceTree,
  skip: readonly string[],
): { files: string[]; unread: { file: string; why: string }[] } {
  const files: string[] = [];
  const unread: { file: string; why: string }[] = [];
  const open = [{ path: '.', depth: 0 }];
  for (let next = open.pop(); next !== undefined; next = open.pop()) {
    const { path, depth } = next;
    const found = tree.list(path);
    if (found.status === 'refused') unread.push({ file: path, why: found.why });
    if (found.status !== 'read') continue;
    for (const { name, kind } of found.entries) {
      const child = path === '.' ? name : `${path}/${name}`;
      if (skip.includes(child) || (kind === 'directory' && excludedFolders.has(name))) continue;
      if (kind === 'directory' && depth < mostDepth) open.push({ path: child, depth: depth + 1 });
      if (kind === 'file' && files.length < mostFiles) files.push(child);
    }
  }
  return { files: files.toSorted(), unread };
}
