/**
 * The one file that loads `ai` and the providers' packages, and only the provider that is asked for: they are heavy, and
 * nothing else of Forge needs them. Everything a provider wants to be told in its own words is said here.
 */
import type {
  dynamicTool,
  jsonSchema,
  LanguageModel,
  ModelMessage,
  stepCountIs,
  SystemModelMessage,
  ToolLoopAgent,
} from 'ai';
import type { BuiltinConfiguration } from './configuration.ts';

export interface Toolkit {
  readonly ToolLoopAgent: typeof ToolLoopAgent;
  readonly dynamicTool: typeof dynamicTool;
  readonly jsonSchema: typeof jsonSchema;
  readonly stepCountIs: typeof stepCountIs;
}
type ProviderOptions = NonNullable<ModelMessage['providerOptions']>;

export async function loadToolkit(): Promise<Toolkit> {
  // Its warnings go to standard output, which belongs to the protocol.
  (globalThis as { AI_SDK_LOG_WARNINGS?: boolean }).AI_SDK_LOG_WARNINGS = false;
  return import('ai');
}

export interface OpenedModel {
  readonly model: LanguageModel;
  readonly providerOptions: ProviderOptions;
  /** Marks where the provider may cache the conversation. */
  instructions(text: string): SystemModelMessage;
  messages(messages: readonly ModelMessage[]): ModelMessage[];
}

export interface ProviderAccess {
  readonly url: string | undefined;
  readonly key: string | undefined;
}

type Choice = Pick<BuiltinConfiguration, 'provider' | 'model' | 'effort' | 'thinking'>;

export function openModel(choice: Choice, account: ProviderAccess): Promise<OpenedModel> {
  const open = { anthropic, openai, 'openai-compatible': compatible } as const;
  return open[choice.provider](choice, account);
}

/** A server that asks for no key still gets a header: the packages insist on one. */
const noKey = 'none';

async function anthropic({ model, effort, thinking }: Choice, { url, key }: ProviderAccess): Promise<OpenedModel> {
  const { createAnthropic } = await import('@ai-sdk/anthropic');
  const provider = createAnthropic({ apiKey: key ?? noKey, ...(url === undefined ? {} : { baseURL: url }) });
  const asked = {
    ...(effort === undefined ? {} : { effort }),
    ...(thinking === undefined ? {} : { thinking: { type: thinking } }),
  };
  const cached = { providerOptions: { anthropic: { cacheControl: { type: 'ephemeral' } } } };
  return {
    model: provider(model),
    providerOptions: Object.keys(asked).length === 0 ? {} : { anthropic: asked },
    instructions: (content) => ({ role: 'system', content, ...cached }),
    messages: (messages) =>
      messages.map((message, index) => (index === messages.length - 1 ? { ...message, ...cached } : message)),
  };
}

async function openai({ model, effort }: Choice, { url, key }: ProviderAccess): Promise<OpenedModel> {
  const { createOpenAI } = await import('@ai-sdk/openai');
  const provider = createOpenAI({ apiKey: key ?? noKey, ...(url === undefined ? {} : { baseURL: url }) });
  // Conversations are kept here and not at the provider.
  const options = { store: false, ...(effort === undefined ? {} : { reasoningEffort: effort }) };
  return { ...plain, model: provider.responses(model), providerOptions: { openai: options } };
}

async function compatible({ model, effort }: Choice, { url, key }: ProviderAccess): Promise<OpenedModel> {
  const { createOpenAICompatible } = await import('@ai-sdk/openai-compatible');
  if (url === undefined) throw new Error('an OpenAI-compatible provider has no address of its own');
  const provider = createOpenAICompatible({
    name: 'compatible',
    baseURL: url,
    includeUsage: true,
    ...(key === undefined ? {} : { apiKey: key }),
  });
  const options: ProviderOptions = effort === undefined ? {} : { compatible: { reasoningEffort: effort } };
  return { ...plain, model: provider.chatModel(model), providerOptions: options };
}

const plain = {
  instructions: (content: string): SystemModelMessage => ({ role: 'system', content }),
  messages: (messages: readonly ModelMessage[]): ModelMessage[] => [...messages],
};
