/** A Python file as its rules look at it: every node with what is around it, texts, and where a finding goes. Pure. */
import type { PyNode } from '../../evidence/contracts/python-tree.ts';
import type { FoundIssue } from '../plan-issue.ts';
import type { RuleName } from './rule-texts.ts';

export interface PyVisit {
  readonly node: PyNode;
  readonly parent: PyVisit | undefined;
}

export interface PySource {
  readonly source: string;
  readonly all: readonly PyVisit[];
  textOf(node: PyNode | undefined): string;
  add(rule: RuleName, node: PyNode, detail?: string): void;
  addIssues(issues: readonly FoundIssue[]): void;
  lineOf(node: PyNode): number;
}

export function visitsOf(root: PyNode): PyVisit[] {
  const found: PyVisit[] = [];
  const stack: PyVisit[] = [{ node: root, parent: undefined }];
  for (let visit = stack.pop(); visit !== undefined; visit = stack.pop()) {
    found.push(visit);
    for (const node of visit.node.children.toReversed()) stack.push({ node, parent: visit });
  }
  return found;
}

export function childNamed(node: PyNode | undefined, name: string): PyNode | undefined {
  return node?.children.find((child) => child.name === name);
}

export function functionAround(visit: PyVisit): PyNode | undefined {
  for (let at = visit.parent; at !== undefined; at = at.parent)
    if (at.node.name === 'FunctionDefinition') return at.node;
  return undefined;
}

export function nameOfFunction(node: PyNode | undefined, file: PySource): string {
  return file.textOf(childNamed(node, 'VariableName'));
}

export function isTest(node: PyNode, file: PySource): boolean {
  return node.name === 'FunctionDefinition' && nameOfFunction(node, file).startsWith('test');
}

/** The statements of a block, without its colon and its comments. */
export function statementsOf(body: PyNode | undefined): PyNode[] {
  return (body?.children ?? []).filter(({ name }) => name !== ':' && name !== 'Comment');
}

export function argumentsOf(call: PyNode): PyNode[] {
  return (childNamed(call, 'ArgList')?.children ?? []).filter(({ name }) => !/^[(),]$/.test(name));
}
