/**
 * Gemini `generateContent`. Its fields have two spellings, `maxOutputTokens` and `max_output_tokens`: requests are
 * sent in the first, and one that uses both for the same field is refused.
 */
import {
  anything,
  choice,
  type CostFacts,
  count,
  either,
  type Fields,
  fieldsOf,
  flag,
  list,
  noting,
  number,
  opaqueText,
  refuseField,
  type Rule,
  shape,
  text,
} from './rule.ts';
import { hostedWithoutBound } from './hosted.ts';

function camel(name: string): string {
  return name.replace(/(?!^)_+([a-z0-9])/g, (_all, letter: string) => letter.toUpperCase());
}

const fields = (known: Fields): Rule => shape(known, camel);

const outside = (facts: CostFacts): void => {
  facts.byReference = true;
};

/** Images have a bound, documents that of the window; sound and film have prices of their own. */
const media: Rule = (value, at, reading) => {
  const { mimeType, mime_type: other } = fieldsOf(value);
  const given = mimeType ?? other ?? '';
  const type = typeof given === 'string' ? given : '';
  if (type.startsWith('image/')) reading.facts.images += 1;
  else if (type === 'application/pdf' || type.startsWith('text/')) outside(reading.facts);
  else return refuseField('is neither an image nor a document, and may have a price of its own.')(value, at, reading);
  return fields({ mimeType: text, data: text, displayName: text, fileUri: text })(value, at, reading);
};

const part: Rule = fields({
  text,
  thought: flag,
  thoughtSignature: opaqueText,
  functionCall: anything,
  functionResponse: fields({
    id: text,
    name: text,
    response: anything,
    willContinue: flag,
    scheduling: text,
    parts: list((value, at, reading) => part(value, at, reading)),
  }),
  inlineData: media,
  fileData: media,
  executableCode: anything,
  codeExecutionResult: anything,
  partMetadata: anything,
  mediaResolution: fields({ level: text }),
});

const content = fields({ role: text, parts: either({ list: list(part), object: part }) });

const atTheProvider = hostedWithoutBound('a search or a program of Google');

const tool = fields({
  functionDeclarations: anything,
  googleSearch: atTheProvider,
  googleSearchRetrieval: atTheProvider,
  enterpriseWebSearch: atTheProvider,
  googleMaps: atTheProvider,
  urlContext: atTheProvider,
  codeExecution: atTheProvider,
  fileSearch: atTheProvider,
  retrieval: atTheProvider,
  mcpServers: atTheProvider,
});

const tiers = ['unspecified', 'standard', 'flex', 'priority'];

const otherModel = 'lets another model answer, at another price.';
const otherMedia = 'asks for something other than text, which has a price of its own.';

const thinkingBudget: Rule = (value, at, reading) =>
  value === -1
    ? value
    : count((facts, most) => {
        facts.thinking = most;
      })(value, at, reading);

const generationConfig = fields({
  // To Google nothing is the same as not set.
  maxOutputTokens: count(
    (facts, value) => {
      facts.maxOutput = value;
    },
    { least: 1 },
  ),
  candidateCount: count(
    (facts, value) => {
      facts.answers = Math.max(1, value);
    },
    { most: 8 },
  ),
  thinkingConfig: fields({ includeThoughts: flag, thinkingLevel: text, thinkingBudget }),
  temperature: number,
  topP: number,
  topK: number,
  seed: number,
  presencePenalty: number,
  frequencyPenalty: number,
  logprobs: number,
  responseLogprobs: flag,
  stopSequences: list(text),
  responseMimeType: text,
  responseSchema: anything,
  responseJsonSchema: anything,
  _responseJsonSchema: anything,
  responseModalities: list(choice('TEXT')),
  mediaResolution: text,
  enableEnhancedCivicAnswers: flag,
  speechConfig: refuseField(otherMedia),
  imageConfig: refuseField(otherMedia),
  routingConfig: refuseField(otherModel),
  modelSelectionConfig: refuseField(otherModel),
});

export const geminiRule: Rule = fields({
  contents: either({ list: list(content), object: content }),
  systemInstruction: either({ text: anything, object: content }),
  tools: list(tool),
  toolConfig: fields({ functionCallingConfig: anything }),
  safetySettings: anything,
  generationConfig,
  cachedContent: refuseField('names stored content, which may bring tools of its own.'),
  labels: anything,
  store: flag,
  serviceTier: noting(
    (facts, value) => {
      facts.rush ||= typeof value === 'string' && /priority/i.test(value);
    },
    choice(
      ...tiers,
      ...tiers.map((tier) => tier.toUpperCase()),
      ...tiers.map((tier) => `SERVICE_TIER_${tier.toUpperCase()}`),
    ),
  ),
});
