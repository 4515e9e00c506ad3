/**
 * What a task plan promises in its front matter: truths, artifacts and the links between them, and what it puts out.
 * A plan without the block is of an older kind and has no gate; a block that is there and malformed is an error with
 * its place, whatever the line ends: a gate is never switched off by how a file was saved. Pure.
 */
import { readGsdDocument } from './gsd-text.ts';

export interface MustHaves {
  readonly truths: readonly string[];
  readonly artifacts: readonly Artifact[];
  readonly keyLinks: readonly KeyLink[];
  readonly expectedOutput: readonly string[];
}

export interface Artifact {
  readonly path: string;
  readonly provides: string;
  readonly minLines: number;
  /** Instead of the usual signs of a stub. */
  readonly stubPatterns: readonly string[] | undefined;
}

export interface KeyLink {
  readonly from: string;
  readonly to: string;
  readonly via: string;
}

export type MustHavesReading =
  | { readonly status: 'none' }
  | { readonly status: 'read'; readonly mustHaves: MustHaves }
  | { readonly status: 'malformed'; readonly errors: readonly string[] };

export function readMustHaves(plan: string): MustHavesReading {
  const { front, problem } = readGsdDocument(plan);
  if (problem !== undefined) return { status: 'malformed', errors: [`The front matter cannot be read: ${problem}`] };
  if (front === undefined || !('must_haves' in front)) return { status: 'none' };
  const errors: string[] = [];
  const block = front['must_haves'];
  if (block === null || typeof block !== 'object' || Array.isArray(block)) {
    const why = block === null ? 'the block is empty' : 'it must be a mapping of truths, artifacts and key_links';
    return { status: 'malformed', errors: [`must_haves: ${why}`] };
  }
  const fields = block as Record<string, unknown>;
  const truths = strings(fields['truths'], 'truths', errors);
  const artifacts = records(fields['artifacts'], 'artifacts', errors).map((one, at) => readArtifact(one, at, errors));
  const keyLinks = records(fields['key_links'], 'key_links', errors).map((one, at) => readLink(one, at, errors));
  const expectedOutput = 'expected_output' in front ? strings(front['expected_output'], 'expected_output', errors) : [];
  if (errors.length > 0) return { status: 'malformed', errors };
  return { status: 'read', mustHaves: { truths, artifacts, keyLinks, expectedOutput } };
}

function strings(value: unknown, name: string, errors: string[]): readonly string[] {
  if (Array.isArray(value) && value.every((item) => typeof item === 'string')) return value;
  errors.push(`${name}: it must be a list of strings`);
  return [];
}

function records(value: unknown, name: string, errors: string[]): readonly Readonly<Record<string, unknown>>[] {
  if (
    Array.isArray(value) &&
    value.every((item) => typeof item === 'object' && item !== null && !Array.isArray(item))
  ) {
    return value as Record<string, unknown>[];
  }
  errors.push(`${name}: it must be a list of mappings`);
  return [];
}

function readArtifact(one: Readonly<Record<string, unknown>>, at: number, errors: string[]): Artifact {
  const minLines = one['min_lines'];
  if (typeof minLines !== 'number') errors.push(`artifacts[${at}].min_lines: a number is required`);
  const patterns = one['stub_patterns'];
  return {
    path: requiredText(one, 'path', `artifacts[${at}]`, errors),
    provides: requiredText(one, 'provides', `artifacts[${at}]`, errors),
    minLines: typeof minLines === 'number' ? minLines : 0,
    stubPatterns: patterns === undefined ? undefined : strings(patterns, `artifacts[${at}].stub_patterns`, errors),
  };
}

function readLink(one: Readonly<Record<string, unknown>>, at: number, errors: string[]): KeyLink {
  const field = (name: 'from' | 'to' | 'via'): string => requiredText(one, name, `key_links[${at}]`, errors);
  return { from: field('from'), to: field('to'), via: field('via') };
}

function requiredText(one: Readonly<Record<string, unknown>>, name: string, where: string, errors: string[]): string {
  const value = one[name];
  if (typeof value === 'string' && value !== '') return value;
  errors.push(`${where}.${name}: a text is required`);
  return '';
}
