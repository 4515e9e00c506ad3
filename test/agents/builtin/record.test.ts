import { existsSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { type BuiltinOptions, builtinRecord } from '../../../src/agents/acp/records/builtin.ts';

const place = {
  home: '/h',
  tmp: '/t',
  tree: '/w',
  url: undefined,
  key: undefined,
  model: undefined,
  effort: undefined,
  access: 'write',
  systemPrompt: '',
} as const;

describe('the record of the built-in agent', () => {
  test.each([
    ['anthropic', undefined, 'https://api.anthropic.com', 'https://api.anthropic.com/v1'],
    ['openai', undefined, 'https://api.openai.com', 'https://api.openai.com/v1'],
    ['openai-compatible', 'http://localhost:11434', 'http://localhost:11434', 'http://localhost:11434/v1'],
    ['openai-compatible', 'http://localhost:11434/v1/', 'http://localhost:11434', 'http://localhost:11434/v1'],
    ['openai-compatible', 'https://openrouter.ai/api/v1', 'https://openrouter.ai/api', 'https://openrouter.ai/api/v1'],
    ['openai-compatible', 'https://x.org/v1beta/openai', 'https://x.org/v1beta/openai', 'https://x.org/v1beta/openai'],
  ] as const)('%s at %s', (provider, baseUrl, upstream, url) => {
    const record = builtinRecord({ provider, model: 'm', baseUrl });
    expect([record.upstream, record.configure(place).env]).toEqual([upstream, { FORGE_BUILTIN_URL: url }]);
    // The same address given by whoever runs it changes nothing.
    expect(record.configure({ ...place, url: baseUrl }).env).toEqual({ FORGE_BUILTIN_URL: url });
  });

  test('a meter stands where the provider would, and its key where the real one would', () => {
    const { env, files } = builtinRecord({ provider: 'anthropic', model: 'm' }).configure({
      ...place,
      url: 'http://127.0.0.1:1234/token',
      key: 'placeholder',
    });
    expect(env).toEqual({ FORGE_BUILTIN_URL: 'http://127.0.0.1:1234/token/v1', FORGE_BUILTIN_KEY: 'placeholder' });
    expect(JSON.stringify(files)).not.toMatch(/token|placeholder/);
  });

  test('a job chooses model, effort and access; the rest is configured', () => {
    const options: BuiltinOptions = {
      provider: 'openai',
      model: 'm',
      key: 'MY_KEY',
      contextTokens: 9000,
      effort: 'low',
    };
    const record = builtinRecord(options);
    const { files } = record.configure({
      ...place,
      model: 'other',
      effort: 'high',
      thinking: 'adaptive',
      access: 'read',
    });
    expect(Object.entries(files).map(([path, text]) => [path, JSON.parse(text) as unknown])).toEqual([
      [
        '.forge-agent/configuration.json',
        {
          provider: 'openai',
          model: 'other',
          effort: 'high',
          thinking: 'adaptive',
          access: 'read',
          contextTokens: 9000,
          maxSteps: 200,
        },
      ],
    ]);
    expect([record.wire, record.keys, record.usage, record.resume]).toEqual([
      'openai-responses',
      ['MY_KEY'],
      'turn',
      ['resume', 'load'],
    ]);
  });

  test('names what the jail has to show', () => {
    const { readable = [], command } = builtinRecord({ provider: 'anthropic', model: 'm' });
    expect(readable.filter((path) => !existsSync(path))).toEqual([]);
    expect(readable.some((path) => command[1]?.startsWith(`${path}/`))).toBe(true);
    expect(readable.some((path) => path.endsWith('node_modules'))).toBe(true);
  });
});
