/** Documents of runs as resources: `forge://runs/<run>/documents/<name>`, listed, by template, and read. */

import type { ApiContext } from '../api/context.ts';
import { listDocuments } from '../api/list-documents.ts';
import { performOperation } from '../api/operation.ts';
import { readDocument } from '../api/read-document.ts';
import { ForgeError } from '../errors.ts';

export const documentTemplate = {
  uriTemplate: 'forge://runs/{run}/documents/{name}',
  name: 'run-document',
  title: 'A document of a run',
  description:
    'Plan, report and findings of a run, and what else it has left, by the name of the run and of the document.',
};

export async function listResources(context: ApiContext) {
  const documents = await performOperation(listDocuments, context, {});
  return documents.map(({ run, name, title, bytes }) => ({
    uri: `forge://runs/${encodeURIComponent(run)}/documents/${encodeURIComponent(name)}`,
    name,
    title: `${name} (${run})`,
    description: title.slice(0, 200),
    mimeType: typeOf(name),
    ...(bytes === undefined ? {} : { size: bytes }),
  }));
}

export async function readResource(context: ApiContext, uri: string) {
  const { run, name } = parse(uri);
  const document = await performOperation(readDocument, context, { run, name });
  return [{ uri, mimeType: typeOf(name), text: document.text }];
}

function parse(uri: string): { readonly run: string; readonly name: string } {
  const [, run = '', name = ''] = /^forge:\/\/runs\/([^/?#]+)\/documents\/([^/?#]+)$/.exec(uri) ?? [];
  try {
    if (run !== '' && name !== '') return { run: decodeURIComponent(run), name: decodeURIComponent(name) };
  } catch {
    // Half an escape is not a name.
  }
  throw new ForgeError('bad-input', `There is no resource ${JSON.stringify(uri.slice(0, 200))}`, {
    hint: `Use ${documentTemplate.uriTemplate}.`,
  });
}

function typeOf(name: string): string {
  if (name.endsWith('.md')) return 'text/markdown';
  if (name.endsWith('.json') || name.endsWith('.sarif')) return 'application/json';
  return name.endsWith('.html') ? 'text/html' : 'text/plain';
}
