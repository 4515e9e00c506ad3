/**
 * Gemini `generateContent`. Its fields have two spellings, `maxOutputTokens` and `max_output_tokens`: requests are
 * sent in the first, and one that uses both for the same field is refused.
 */

import { hostedWithoutBound } from './hosted.ts';
import {
  anyValue,
  booleanRule,
  type CostFacts,
  choiceRule,
  countRule,
  type FieldRule,
  type FieldRules,
  fieldsOf,
  listRule,
  notingRule,
  numberRule,
  objectRule,
  opaqueText,
  refuseField,
  ruleByKind,
  textRule,
} from './rule.ts';

function camel(name: string): string {
  return name.replace(/(?!^)_+([a-z0-9])/g, (_all, letter: string) => letter.toUpperCase());
}

const fields = (known: FieldRules): FieldRule => objectRule(known, camel);

const outside = (facts: CostFacts): void => {
  facts.byReference = true;
};

/** Images have a bound, documents that of the window; sound and film have prices of their own. */
const media: FieldRule = (value, at, reading) => {
  const { mimeType, mime_type: other } = fieldsOf(value);
  const given = mimeType ?? other ?? '';
  const type = typeof given === 'string' ? given : '';
  if (type.startsWith('image/')) reading.facts.images += 1;
  else if (type === 'application/pdf' || type.startsWith('text/')) outside(reading.facts);
  else return refuseField('is neither an image nor a document, and may have a price of its own.')(value, at, reading);
  return fields({ mimeType: textRule, data: textRule, displayName: textRule, fileUri: textRule })(value, at, reading);
};

const part: FieldRule = fields({
  text: textRule,
  thought: booleanRule,
  thoughtSignature: opaqueText,
  functionCall: anyValue,
  functionResponse: fields({
    id: textRule,
    name: textRule,
    response: anyValue,
    willContinue: booleanRule,
    scheduling: textRule,
    parts: listRule((value, at, reading) => part(value, at, reading)),
  }),
  inlineData: media,
  fileData: media,
  executableCode: anyValue,
  codeExecutionResult: anyValue,
  partMetadata: anyValue,
  mediaResolution: fields({ level: textRule }),
});

const content = fields({ role: textRule, parts: ruleByKind({ list: listRule(part), object: part }) });

const atTheProvider = hostedWithoutBound('a search or a program of Google');

const tool = fields({
  functionDeclarations: anyValue,
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

const thinkingBudget: FieldRule = (value, at, reading) =>
  value === -1
    ? value
    : countRule((facts, most) => {
        facts.thinking = most;
      })(value, at, reading);

const generationConfig = fields({
  // To Google nothing is the same as not set.
  maxOutputTokens: countRule(
    (facts, value) => {
      facts.maxOutput = value;
    },
    { least: 1 },
  ),
  candidateCount: countRule(
    (facts, value) => {
      facts.answers = Math.max(1, value);
    },
    { most: 8 },
  ),
  thinkingConfig: fields({ includeThoughts: booleanRule, thinkingLevel: textRule, thinkingBudget }),
  temperature: numberRule,
  topP: numberRule,
  topK: numberRule,
  seed: numberRule,
  presencePenalty: numberRule,
  frequencyPenalty: numberRule,
  logprobs: numberRule,
  responseLogprobs: booleanRule,
  stopSequences: listRule(textRule),
  responseMimeType: textRule,
  responseSchema: anyValue,
  responseJsonSchema: anyValue,
  _responseJsonSchema: anyValue,
  responseModalities: listRule(choiceRule('TEXT')),
  mediaResolution: textRule,
  enableEnhancedCivicAnswers: booleanRule,
  speechConfig: refuseField(otherMedia),
  imageConfig: refuseField(otherMedia),
  routingConfig: refuseField(otherModel),
  modelSelectionConfig: refuseField(otherModel),
});

export const geminiRule: FieldRule = fields({
  contents: ruleByKind({ list: listRule(content), object: content }),
  systemInstruction: ruleByKind({ text: anyValue, object: content }),
  tools: listRule(tool),
  toolConfig: fields({ functionCallingConfig: anyValue }),
  safetySettings: anyValue,
  generationConfig,
  cachedContent: refuseField('names stored content, which may bring tools of its own.'),
  labels: anyValue,
  store: booleanRule,
  serviceTier: notingRule(
    (facts, value) => {
      facts.rush ||= typeof value === 'string' && /priority/i.test(value);
    },
    choiceRule(
      ...tiers,
      ...tiers.map((tier) => tier.toUpperCase()),
      ...tiers.map((tier) => `SERVICE_TIER_${tier.toUpperCase()}`),
    ),
  ),
});
