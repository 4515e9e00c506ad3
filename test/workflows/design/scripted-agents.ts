/** What the agents of a scripted run do: by default everything right, and for the keys that a test names, what the test says. */
import { matchesKey } from './key-pattern.ts';
import { testLine, tiny, tinyConventions, tinyModules, tinyPlan } from './tiny-design.ts';

export interface AgentAct {
  readonly reply?: unknown;
  /** Written, or removed where null. */
  readonly files?: Readonly<Record<string, string | null>>;
  /** It breaks down instead of answering. */
  readonly trouble?: string;
  /** Somebody else's merge that arrives meanwhile. */
  readonly pushes?: Readonly<Record<string, string | null>>;
}

/** By key of the work, with `*`; a list is played one after the other, its last one forever. The first that fits counts. */
export type Script = Readonly<Record<string, AgentAct | readonly AgentAct[]>>;

interface Asked {
  readonly key: string;
  readonly role: string;
  readonly played: Map<string, number>;
  readonly brief: string;
}

export function actFor(script: Script, asked: Asked): AgentAct {
  const found = Object.keys(script).find((pattern) => matchesKey(pattern, asked.key));
  if (found === undefined) return usualAct(asked);
  const given = script[found];
  const acts: readonly AgentAct[] = Array.isArray(given) ? given : [given as AgentAct];
  const at = asked.played.get(found) ?? 0;
  asked.played.set(found, at + 1);
  return acts[Math.min(at, acts.length - 1)] ?? {};
}

export const done = (summary = 'Did it', more: Readonly<Record<string, unknown>> = {}) => ({
  status: 'done',
  summary,
  ...more,
});
export const planIssue = (type: string, more: Readonly<Record<string, unknown>> = {}) => ({
  status: 'plan-issue',
  summary: 'The plan is wrong',
  planIssue: { type, evidence: `${type} seen`, ...more },
});
export const approve = { verdict: 'APPROVE', findings: [] };
export const reject = (...claims: readonly string[]) => ({
  verdict: 'REJECT',
  findings: claims.map((claim) => ({ severity: 'required', claim, file: 'src/core.js', line: 1 })),
});
export const failing = (...tests: readonly string[]) => ({
  result: 'fail',
  total: 9,
  failures: tests.map((test) => ({ test, error: 'wrong' })),
  summary: 'Some fail',
});
export const accepted = (failures: readonly object[] = []) => ({ summary: 'Looked at everything', failures });
export const plannedAs = (id: string, step?: string) => ({ plan: tinyPlan(id, step) });

/** The right source of a module, and the right tests of its tester. */
export const source = (id: string, more = ''): Readonly<Record<string, string>> => ({
  [tiny(id).file]: `${id} done${more}\n`,
});
export const moduleTests = (id: string): Readonly<Record<string, string>> => ({
  [`test/modules/${id}.test.js`]: tiny(id)
    .criteria.map((criterion) => testLine(`${criterion} in ${id}`, `${tiny(id).file} has ${id}`))
    .join(''),
});
export const e2eTests = (more: Readonly<Record<string, string>> = {}): Readonly<Record<string, string>> => ({
  'e2e/all.test.js': [
    ...Object.values(tinyModules)
      .filter(({ criteria }) => criteria.length > 0)
      .flatMap(({ file, criteria }) =>
        criteria.map((criterion) => testLine(`${criterion} end to end`, `${file} has done`)),
      ),
    testLine('J-001-E2E1 a word is heard', 'src/core.js has done'),
    testLine('J-001-E2E2 nothing is refused', 'src/core.js has done'),
  ].join(''),
  ...more,
});

function usualAct({ key, role, brief }: Asked): AgentAct {
  const id = /M-\d{3}/.exec(key.replace(/^plan\/round#\d+\//, ''))?.[0] ?? 'M-001';
  switch (role) {
    case 'first-planner':
      return { reply: { ...plannedAs(id), conventions: tinyConventions } };
    case 'module-planner':
      return { reply: plannedAs(id) };
    case 'bootstrapper':
      return { reply: { summary: 'Set up' }, files: { 'package.json': '{}\n' } };
    case 'module-developer':
      return key.startsWith('M-') ? { reply: done(), files: source(id) } : { reply: done() };
    case 'module-tester':
      return { reply: { result: 'pass', total: 2, summary: 'Good' }, files: moduleTests(id) };
    case 'module-reviewer':
      return { reply: approve };
    case 'integration-tester':
      return { reply: { result: 'pass', total: 1, summary: 'Fits' } };
    case 'acceptance-tester':
      return { reply: accepted(), files: e2eTests() };
    case 'impact-judge':
      return { reply: { change: 'semantic', reason: 'It says something else' } };
    case 'diagnostician':
      return {
        reply: {
          pattern: 'the same test fails',
          rootCause: 'implementation-complexity',
          explanation: 'It is hard',
          options: [
            { title: 'Do it well', change: 'src/core.js', isTradeOff: false },
            { title: 'Do less', change: 'src/core.js', isTradeOff: true },
          ],
        },
      };
    default:
      throw new Error(`nobody plays ${role} at ${key}: ${brief.slice(0, 200)}`);
  }
}
