/**
 * From an agent's updates to a transcript people can read: words joined to lines, each use of a tool told once with
 * what it touched and how it ended. Redacted before it leaves, also where a secret came in pieces. Keeps the words of
 * the last message, because some agents answer in text.
 */
import { type RedactionStream, type Redactor, redactStream } from '../../process/redact.ts';
import type { AgentSink, TranscriptEntry } from '../agent.ts';
import { editPatch } from '../edit-patch.ts';
import type { SessionUpdate, ToolUpdate } from './decode.ts';

export interface TranscriptNarrator {
  take(update: SessionUpdate): void;
  /** What was held back: the end of a line, tools that never ended. */
  finish(): void;
  /** The agent's words since its last use of a tool, not redacted. */
  lastWords(): string;
}

const maxToolText = 4000;
const maxLastWords = 1024 * 1024;
const maxOpenTools = 1000;

export function openNarrator(sink: Pick<AgentSink, 'entry'>, redactor: Redactor): TranscriptNarrator {
  const speech = spokenLines(sink, redactor);
  const tools = new Map<string, Tool>();
  let words = '';

  const tell = (id: string, tool: Tool) => {
    tools.delete(id);
    sink.entry(toolEntry(tool, redactor));
  };
  const takeTool = (update: ToolUpdate) => {
    words = '';
    speech.pause();
    const tool = merge(tools.get(update.toolCallId), update, redactor);
    if (tools.size < maxOpenTools || tools.has(update.toolCallId)) tools.set(update.toolCallId, tool);
    if (tool.status === 'completed' || tool.status === 'failed') tell(update.toolCallId, tool);
  };
  return {
    take(update) {
      switch (update.sessionUpdate) {
        case 'agent_message_chunk':
          words = (words + (update.content.text ?? '')).slice(-maxLastWords);
          return speech.say('text', update.content.text ?? '');
        case 'agent_thought_chunk':
          return speech.say('thought', update.content.text ?? '');
        case 'tool_call':
        case 'tool_call_update':
          return takeTool(update);
        case 'usage_update':
          return undefined;
      }
    },
    finish() {
      speech.pause();
      for (const [id, tool] of tools) tell(id, tool);
    },
    lastWords: () => words,
  };
}

/** Whole lines of one kind of speech; a change of kind ends the line. */
function spokenLines(sink: Pick<AgentSink, 'entry'>, redactor: Redactor) {
  let kind: 'text' | 'thought' = 'text';
  let stream: RedactionStream = redactStream(redactor);
  const show = (text: string) => {
    const shown = text.replace(/\n+$/, '');
    if (shown !== '') sink.entry({ type: kind, text: shown });
  };
  const pause = () => {
    show(stream.flush());
    stream = redactStream(redactor);
  };
  return {
    pause,
    say(spoken: 'text' | 'thought', text: string) {
      if (spoken !== kind) pause();
      kind = spoken;
      show(stream.push(text));
    },
  };
}

interface Tool {
  readonly name: string;
  readonly kind: string | undefined;
  readonly paths: readonly string[];
  readonly status: string;
  readonly text: string;
}

/** An update names only what changed. */
function merge(before: Tool | undefined, update: ToolUpdate, redactor: Redactor): Tool {
  const said = (update.content ?? []).map((part) => editOf(part, redactor) ?? part.content?.text);
  const text = [commandOf(update.rawInput), ...said].filter((part) => part !== undefined && part !== '').join('\n');
  const touched = [
    ...(before?.paths ?? []),
    ...(update.locations ?? []).map(({ path }) => path),
    ...(update.content ?? []).flatMap(({ path }) => path ?? []),
  ];
  return {
    name: update.title ?? before?.name ?? update.kind ?? 'tool',
    kind: update.kind ?? before?.kind,
    paths: [...new Set(touched)].slice(0, 100),
    status: update.status ?? before?.status ?? 'pending',
    text: text === '' ? (before?.text ?? '') : text.slice(0, 2 * maxToolText),
  };
}

/** As a patch. Redacted before: the signs of a patch would come between the lines of a secret. */
function editOf(part: NonNullable<ToolUpdate['content']>[number], redactor: Redactor): string | undefined {
  const { type, oldText, newText } = part;
  if (type !== 'diff' || newText === undefined) return undefined;
  return editPatch(redactor.redact(oldText ?? ''), redactor.redact(newText));
}

function commandOf(input: unknown): string | undefined {
  if (typeof input !== 'object' || input === null || !('command' in input)) return undefined;
  const { command } = input;
  return typeof command === 'string' ? `$ ${command}` : undefined;
}

const statusNames: Readonly<Record<string, string>> = {
  completed: 'done',
  in_progress: 'unfinished',
  pending: 'unfinished',
};

function toolEntry(tool: Tool, redactor: Redactor): TranscriptEntry {
  const text = redactor.redact(tool.text);
  return {
    type: 'tool',
    text: text.length > maxToolText ? `${text.slice(0, maxToolText)} […]` : text,
    tool: {
      name: redactor.redact(tool.name).slice(0, 200),
      ...(tool.kind === undefined ? {} : { kind: redactor.redact(tool.kind).slice(0, 40) }),
      paths: tool.paths.map((path) => redactor.redact(path)),
      status: statusNames[tool.status] ?? redactor.redact(tool.status),
    },
  };
}
