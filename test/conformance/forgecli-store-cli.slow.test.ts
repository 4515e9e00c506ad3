/**
 * One ordered scenario through the real command. What has to match is the exit code, and what a reading verb prints; the
 * wording of a refusal is ours. One case is a known defect of the observed tool and is decided the better way.
 */
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { z } from 'zod';
import { makeProject } from '../cli/support.ts';
import { readVectors } from './read-vectors.ts';

const caseSchema = z.object({
  name: z.string(),
  args: z.array(z.string()),
  env: z.record(z.string(), z.string()).optional(),
  expect: z.object({ exit: z.number(), stdout: z.string(), stderr: z.string() }),
});

/** A friction event that says neither who nor what was accepted; it has to be refused. */
const better: Readonly<Record<string, number>> = { 'emit friction missing fields': 1 };

it('does what the observed tool did, case by case', async () => {
  const project = makeProject({ config: null });
  const directory = join(project.root, 'engineering/sprints/S01/T01');
  mkdirSync(directory, { recursive: true });
  writeFileSync(join(directory, 'PLAN-SUMMARY.json'), '{"objective":"do it","verdict":"n/a"}');
  for (const { name, args, env = {}, expect: wanted } of readVectors('forgecli-store-cli', caseSchema)) {
    const ended = await project.start(['store', ...args], env).ended;
    const exit = better[name] ?? wanted.exit;
    expect({ name, code: ended.code, stderr: exit === 0 ? '' : ended.stderr }).toEqual({
      name,
      code: exit,
      stderr: exit === 0 ? '' : expect.stringMatching(/^forge: .+/s),
    });
    if (wanted.stdout.startsWith('{') || wanted.stdout.startsWith('[{') || wanted.stdout.startsWith('[\n')) {
      expect(withoutTimes(ended.stdout)).toEqual(JSON.parse(wanted.stdout));
    } else expect(ended.stdout === '').toBe(wanted.stdout === '');
    const guess = /Did you mean "([^"]+)"/.exec(wanted.stderr)?.[1];
    if (guess !== undefined) expect(ended.stderr).toContain(`Did you mean "${guess}"?`);
  }
});

function withoutTimes(text: string): unknown {
  return JSON.parse(text.replace(/("written_at": ?)"[^"]+"/g, '$1"<TS>"'));
}
