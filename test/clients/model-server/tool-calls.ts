/**
 * From what a script wants done to a call of a tool that the client really offered. Tools are found by what clients
 * name them, arguments by what their schemas name them; what else a schema demands is filled in.
 */
import { isAbsolute, join } from 'node:path';
import { type JsonSchema, listOf, type ModelRequest, objectOf, type OfferedTool, stringOf } from './request.ts';
import type { Call } from './script.ts';
import type { ToolCall } from './wire.ts';

/** Undefined when the client offers nothing that could do it. */
export function toolCall(call: Call, request: ModelRequest): ToolCall | undefined {
  const { tools } = request;
  const nested = tools.find((tool) => tool.name === 'exec' && tool.freeform);
  if (nested !== undefined) return { tool: nested, args: asProgram(call, request) };
  if ('submit' in call) return named(tools, 'submit_result', call.submit);
  if ('tool' in call) return named(tools, call.tool, call.args);
  if ('run' in call) return running(tools, call.run);
  if ('read' in call) return reading(tools, placed(call.read, request));
  if ('write' in call) return writing(tools, { ...call.write, path: placed(call.write.path, request) });
  return editing(tools, { ...call.edit, path: placed(call.edit.path, request) });
}

const toolNames = {
  write: ['write', 'Write', 'write_file', 'write_to_file', 'create_file', 'create'],
  edit: ['edit', 'Edit', 'replace', 'edit_file', 'str_replace'],
  read: ['read', 'Read', 'read_file', 'view'],
  run: ['bash', 'Bash', 'run_shell_command', 'exec_command', 'shell_command', 'shell', 'execute_command', 'run'],
};

const argNames = {
  path: ['file_path', 'filePath', 'path', 'absolute_path'],
  content: ['content', 'contents', 'file_text', 'text'],
  from: ['old_string', 'oldString', 'from', 'old', 'old_text'],
  to: ['new_string', 'newString', 'to', 'new', 'new_text'],
  command: ['command', 'cmd'],
};

function writing(tools: readonly OfferedTool[], file: { path: string; content: string }): ToolCall | undefined {
  const tool = offered(tools, 'write');
  if (tool !== undefined) return { tool, args: fill(tool, file) };
  return patching(tools, addPatch(file)) ?? running(tools, `cat > '${file.path}' <<'END'\n${file.content}END\n`);
}

function editing(tools: readonly OfferedTool[], change: Change): ToolCall | undefined {
  const tool = offered(tools, 'edit');
  if (tool !== undefined) return { tool, args: fill(tool, { ...change }) };
  return patching(tools, changePatch(change)) ?? running(tools, editCommand(change));
}

/** For clients that change files by their shell only. */
function editCommand({ path, from, to }: Change): string {
  const program =
    'const [p, a, b] = JSON.parse(Buffer.from(process.argv[1], "base64")); const fs = require("node:fs"); ' +
    'fs.writeFileSync(p, fs.readFileSync(p, "utf8").replace(a, () => b));';
  return `node -e '${program}' ${Buffer.from(JSON.stringify([path, from, to])).toString('base64')}`;
}

function reading(tools: readonly OfferedTool[], path: string): ToolCall | undefined {
  const tool = offered(tools, 'read');
  return tool === undefined ? running(tools, `cat '${path}'`) : { tool, args: fill(tool, { path }) };
}

function running(tools: readonly OfferedTool[], command: string): ToolCall | undefined {
  const tool = offered(tools, 'run');
  if (tool === undefined) return undefined;
  const takesWords = objectOf(properties(tool.schema)['command'])['type'] === 'array';
  return { tool, args: fill(tool, { command: takesWords ? ['sh', '-c', command] : command }) };
}

function patching(tools: readonly OfferedTool[], patch: string): ToolCall | undefined {
  const tool = tools.find(({ name }) => name === 'apply_patch');
  if (tool === undefined) return undefined;
  if (tool.freeform) return { tool, args: patch };
  const [name = 'input'] = Object.keys(properties(tool.schema));
  return { tool, args: { [name]: patch } };
}

function named(
  tools: readonly OfferedTool[],
  part: string,
  args: Readonly<Record<string, unknown>>,
): ToolCall | undefined {
  const tool = tools.find(({ name }) => name === part) ?? tools.find(({ name }) => name.includes(part));
  return tool === undefined ? undefined : { tool, args };
}

interface Change {
  readonly path: string;
  readonly from: string;
  readonly to: string;
}

/** Codex may offer one tool that runs a program, in which all other tools are functions. */
function asProgram(call: Call, request: ModelRequest): string {
  const use = (name: string, args: unknown): string => `text(await tools.${name}(${JSON.stringify(args)}))`;
  const find = (part: string, args: unknown): string =>
    `const name = ALL_TOOLS.map((tool) => tool.name).find((name) => name.includes(${JSON.stringify(part)}));\n` +
    `text(await tools[name](${JSON.stringify(args)}))`;
  if ('submit' in call) return find('submit_result', call.submit);
  if ('tool' in call) return find(call.tool, call.args);
  if ('run' in call) return use('exec_command', { cmd: call.run });
  if ('read' in call) return use('exec_command', { cmd: `cat '${placed(call.read, request)}'` });
  if ('write' in call) return use('apply_patch', addPatch({ ...call.write, path: placed(call.write.path, request) }));
  return use('apply_patch', changePatch({ ...call.edit, path: placed(call.edit.path, request) }));
}

function addPatch({ path, content }: { path: string; content: string }): string {
  const lines = content.replace(/\n$/, '').split('\n');
  return ['*** Begin Patch', `*** Add File: ${path}`, ...lines.map((line) => `+${line}`), '*** End Patch', ''].join(
    '\n',
  );
}

function changePatch({ path, from, to }: Change): string {
  const marked = (mark: string, text: string): string[] => text.split('\n').map((line) => `${mark}${line}`);
  const hunk = ['@@', ...marked('-', from), ...marked('+', to)];
  return ['*** Begin Patch', `*** Update File: ${path}`, ...hunk, '*** End Patch', ''].join('\n');
}

function offered(tools: readonly OfferedTool[], kind: keyof typeof toolNames): OfferedTool | undefined {
  return tools.find(({ name, freeform }) => !freeform && toolNames[kind].includes(name));
}

function fill(
  { schema }: OfferedTool,
  values: Readonly<Partial<Record<keyof typeof argNames, unknown>>>,
): Readonly<Record<string, unknown>> {
  const known = Object.keys(properties(schema));
  const given = Object.entries(values).map(([kind, value]) => {
    const names: readonly string[] = argNames[kind as keyof typeof argNames];
    return [names.find((name) => known.includes(name)) ?? names[0] ?? kind, value] as const;
  });
  const demanded = Array.isArray(schema?.['required']) ? schema['required'].map((name) => stringOf(name)) : [];
  const filler = demanded.map((name) => [name, sample(objectOf(properties(schema)[name]))] as const);
  return Object.fromEntries([...filler, ...given]);
}

/** Any value that fits a schema, near enough: for arguments nobody scripted and for answers to side calls. */
export function sample(schema: JsonSchema): unknown {
  const choices = Array.isArray(schema['enum']) ? schema['enum'] : [];
  if (choices.length > 0) return choices[0];
  const [variant] = listOf(schema['anyOf'] ?? schema['oneOf']);
  if (variant !== undefined) return sample(variant);
  const type = stringOf(Array.isArray(schema['type']) ? schema['type'][0] : schema['type']).toLowerCase();
  if (type === 'boolean') return false;
  if (type === 'number' || type === 'integer') return 1;
  if (type === 'array') return [];
  if (type !== 'object') return 'scripted';
  return Object.fromEntries(Object.entries(properties(schema)).map(([name, inner]) => [name, sample(objectOf(inner))]));
}

function properties(schema: JsonSchema | undefined): Readonly<Record<string, unknown>> {
  return objectOf(schema?.['properties']);
}

/** Clients tell their model where they work, each in its words; some of their tools take absolute paths only. */
const directory =
  /(?:working directory|workspace directories|workspace root folder|working in the directory)[^:/\n]{0,10}:\**\s*(?:-\s*)?(\/[^\s<`'"]+)|<cwd>(\/[^\s<]+)/i;

function placed(path: string, { system, turns }: ModelRequest): string {
  if (isAbsolute(path)) return path;
  const users = turns.filter(({ role }) => role === 'user').map(({ text }) => text);
  const found = directory.exec([system, ...users].join('\n'));
  const place = found?.[1] ?? found?.[2];
  return place === undefined ? path : join(place, path);
}
