/** A design as small as one can be: three modules in two phases, a PRD with two features and a journey. Text that tests may change. */
export const designDir = 'docs/raw/design/2026-05-04-echo';
export const prdDir = 'docs/raw/prd/2026-04-20-echo';
export const planDir = 'docs/raw/plans/2026-05-04-echo-aaaa';

export type Files = Readonly<Record<string, string>>;

const moduleText = (id: string, name: string, feature: string, interfaces: string): string => `# ${id}: ${name}

> **Complexity:** S

## Responsibility

${name} and nothing else.

## Source Features

- [${feature}](../../../prd/2026-04-20-echo/features/${feature}.md)

## Interfaces

${interfaces}

## Acceptance Criteria

- Given a word, when it is used, then ${name.toLowerCase()} works
`;

export const designFiles: Files = {
  'src/old.js': 'old\n',
  [`${designDir}/README.md`]: `# System Design: Echo

> Says words.

## Design Input

- **Source:** [PRD: Echo](../../prd/2026-04-20-echo/README.md) (PRD-based)
- **Status:** Finalized

## Tech Stack

Plain files.

## Implementation Conventions

| Convention | Source PRD File | Translation | Owners | Enforcement |
|---|---|---|---|---|
| Errors | architecture.md | Refused words throw | all | Review |

## Module Index

| ID | Module | Type | Responsibility | Complexity | Deps | Impl | Spec |
|---|---|---|---|---|---|---|---|
| M-001 | Core | shared | Words | S | — | — | [spec](modules/M-001-core.md) |
| M-002 | Shout | backend | Loud words | S | M-001 | — | [spec](modules/M-002-shout.md) |
| M-003 | Print | backend | Printed words | S | M-001 | — | [spec](modules/M-003-print.md) |

## Feature-Module Mapping

| Feature | M-001 Core | M-002 Shout | M-003 Print |
|---|---|---|---|
| F-001 Say | ✦ | ✦ | |
| F-002 Show | △ | | ✦ |

## Module Interaction Protocols

| Interaction | Sync/Async | Idempotency | Retry Policy | Contract Test |
|---|---|---|---|---|
| M-002 Shout → M-001 Core | Sync | Yes | — | test |
| M-003 Print → M-001 Core | Sync | Yes | — | test |
`,
  [`${designDir}/modules/M-001-core.md`]: moduleText('M-001', 'Core', 'F-001', '- `word(text) → string`'),
  [`${designDir}/modules/M-002-shout.md`]: moduleText('M-002', 'Shout', 'F-001', '- `shout(text) → string`'),
  [`${designDir}/modules/M-003-print.md`]: moduleText('M-003', 'Print', 'F-002', '- `print(text) → void`'),
  [`${prdDir}/README.md`]: `# PRD: Echo

## User Journeys

| ID | Journey | Persona | Key Pain Points | Spec |
|---|---|---|---|---|
| J-001 | Say it | Noor | — | [spec](journeys/J-001-say-it.md) |

## Feature Index

| ID | Feature | Type | Impact | Effort | Priority | Deps | Prototype | Spec |
|---|---|---|---|---|---|---|---|---|
| F-001 | Say | Backend | High | S | P0 | — | — | [spec](features/F-001.md) |
| F-002 | Show | Backend | Low | S | P1 | — | — | [spec](features/F-002.md) |
`,
  [`${prdDir}/architecture.md`]: '# Architecture\n\n## Coding Conventions\n\n- Short names\n',
  [`${prdDir}/features/F-001.md`]: `# F-001: Say

> **Priority:** P0

## Acceptance Criteria

- Given a word, when it is said, then it is heard
- Given a word, when it is shouted, then it is loud
- Given nothing, when it is said, then it is refused
`,
  [`${prdDir}/features/F-002.md`]: `# F-002: Show

> **Priority:** P1

## Acceptance Criteria

- Given a word, when it is printed, then it is seen
- Given two words, when they are printed, then both are seen
`,
  [`${prdDir}/journeys/J-001-say-it.md`]: `# J-001: Say it

**Persona:** Noor

## Touchpoints

| # | Stage | User Action | System Response | Screen/View | Interaction Mode | Emotion | Pain Point | Mapped Feature |
|---|---|---|---|---|---|---|---|---|
| 1 | Say | says it | echoes | terminal | command | calm | — | F-001 |

## E2E Test Scenarios

| Scenario | Path | Steps (touchpoints) | Features Exercised | Expected Outcome |
|---|---|---|---|---|
| Say a word | Happy | 1 | F-001 | heard |
| Say nothing | Error & Recovery | 1 | F-001 | refused |
`,
};

export interface TinyModule {
  readonly file: string;
  readonly criteria: readonly string[];
}

export const tinyModules: Readonly<Record<string, TinyModule>> = {
  'M-001': { file: 'src/core.js', criteria: ['F-001/AC1', 'F-001/AC3'] },
  'M-002': { file: 'src/shout.js', criteria: ['F-001/AC2'] },
  'M-003': { file: 'src/print.js', criteria: ['F-002/AC1', 'F-002/AC2'] },
  'M-004': { file: 'src/extra.js', criteria: [] },
};

const wrong = (id: string): never => {
  throw new Error(`the tiny design has no module ${id}`);
};

export const tiny = (id: string): TinyModule => tinyModules[id] ?? wrong(id);

/** A plan that breaks no rule. */
export function tinyPlan(id: string, step = 'Write it'): Readonly<Record<string, unknown>> {
  const { file, criteria } = tiny(id);
  return {
    steps: [{ title: step, goal: 'It is there', files: [file], verify: 'run the tests' }],
    files: [file],
    integration: [{ direction: 'exposes', module: 'M-002', interface: 'word' }],
    wiring: [{ what: 'the export', where: file, signal: 'a test imports it' }],
    criteria: (criteria.length === 0 ? ['F-001/AC1'] : criteria).map((criterion) => ({
      criterion,
      step: '1',
      test: '1',
      assertion: `${criterion} holds exactly`,
    })),
    decisions: ['Keep it small'],
    risks: [],
  };
}

const rule = ['One rule'];
export const tinyConventions = {
  topics: {
    directories: rule,
    naming: rule,
    errors: rule,
    sharedTypes: ['Word: string'],
    imports: rule,
    tests: rule,
    security: rule,
    isolation: rule,
    observability: rule,
    performance: rule,
    workflow: rule,
    agents: rule,
  },
  commands: {
    lint: 'node lint.mjs',
    test: 'node --test',
    moduleTests: 'test/modules',
    phaseTests: 'test/phases',
    e2eTests: 'e2e',
  },
};

/** One test: `<file> has <text>` for every assertion, then its name. See scripted-world.ts. */
export const testLine = (name: string, ...asserted: readonly string[]): string =>
  `${asserted.join(' & ')} :: ${name}\n`;
