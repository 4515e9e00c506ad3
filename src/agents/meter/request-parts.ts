/**
 * The parts of a prompt that cost more than their bytes: images, and what is only referred to. Looks at messages
 * alone, never into tool schemas or arguments, where the same words mean nothing.
 */
import { fields } from './read-usage/usage-reader.ts';
import type { WireProtocol } from './wire.ts';

export interface ContentParts {
  readonly images: number;
  readonly byReference: boolean;
}

export function contentParts(wire: WireProtocol, root: Readonly<Record<string, unknown>>): ContentParts {
  const parts = messagesOf[wire](root).flatMap((message) => [message, ...nested(message, 3)]);
  return {
    images: parts.filter((part) => isImage(part)).length,
    byReference: remembered.some((name) => root[name] !== undefined && root[name] !== null) || parts.some(isReference),
  };
}

type Part = Readonly<Record<string, unknown>>;

const remembered = [
  'previous_response_id',
  'conversation',
  'cachedContent',
  'cached_content',
  'container',
  'mcp_servers',
];

const messagesOf: Readonly<Record<WireProtocol, (root: Part) => readonly Part[]>> = {
  anthropic: (root) => [...list(root['messages']), ...list(root['system'])],
  'openai-responses': (root) => list(root['input']),
  'openai-chat': (root) => list(root['messages']),
  gemini: (root) => [...list(root['contents']), fields(root['systemInstruction'])],
};

/** Where content nests: a message in a request, a result in a message, an image in a result. */
const inside = ['content', 'parts', 'output', 'functionResponse'];

function nested(part: Part, depth: number): readonly Part[] {
  if (depth === 0) return [];
  const children = inside.flatMap((name) => list(part[name]));
  return children.flatMap((child) => [child, ...nested(child, depth - 1)]);
}

const imageTypes = new Set(['image', 'image_url', 'input_image', 'computer_screenshot']);
const otherTypes = new Set([
  'document',
  'file',
  'input_file',
  'input_audio',
  'container_upload',
  'item_reference',
  'video_url',
]);

function isImage(part: Part): boolean {
  return imageTypes.has(String(part['type'])) || mediaType(part).startsWith('image/');
}

function isReference(part: Part): boolean {
  const source = fields(part['source'])['type'];
  return (
    otherTypes.has(String(part['type'])) ||
    part['fileData'] !== undefined ||
    part['file_data'] !== undefined ||
    (mediaType(part) !== '' && !isImage(part)) ||
    (part['type'] !== 'image' && (source === 'url' || source === 'file'))
  );
}

function mediaType(part: Part): string {
  const data = fields(part['inlineData'] ?? part['inline_data']);
  const type = data['mimeType'] ?? data['mime_type'];
  return typeof type === 'string' ? type : '';
}

function list(value: unknown): readonly Part[] {
  if (Array.isArray(value)) return (value as readonly unknown[]).map(fields);
  return typeof value === 'object' && value !== null ? [fields(value)] : [];
}
