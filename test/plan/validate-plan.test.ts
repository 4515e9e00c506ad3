import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { validatePlan } from '../../src/plan/validate-plan.ts';

function task(id: string, rest: Record<string, unknown> = {}): Record<string, unknown> {
  return { id, title: `Do ${id}`, writes: [`src/${id}.ts`], verify: ['npm test'], ...rest };
}

function plan(...tasks: readonly unknown[]): unknown {
  return { objective: 'Ship it', tasks };
}

/** Issues as `where: problem -> fix`, for whole-value assertions that stay readable. */
function issuesOf(input: unknown): string[] {
  const result = validatePlan(input);
  if (result.status === 'valid') throw new Error('the plan is valid');
  return result.issues.map(({ where, problem, fix }) => `${where}: ${problem} -> ${fix}`);
}

function warningsOf(input: unknown): string[] {
  const result = validatePlan(input);
  if (result.status === 'invalid') throw new Error(`the plan is invalid: ${JSON.stringify(result.issues)}`);
  return result.warnings.map(({ where, problem, fix }) => `${where}: ${problem} -> ${fix}`);
}

it('returns the plan with its defaults', () => {
  expect(validatePlan(plan(task('T1')))).toEqual({
    status: 'valid',
    warnings: [],
    plan: {
      objective: 'Ship it',
      techStack: {},
      decisions: [],
      risks: [],
      tasks: [
        {
          id: 'T1',
          title: 'Do T1',
          objective: '',
          kind: 'feature',
          depends: [],
          writes: ['src/T1.ts'],
          verify: ['npm test'],
          doneWhen: '',
          complexity: 'M',
          acceptance: [],
          forbids: [],
        },
      ],
    },
  });
});

describe('shape', () => {
  it.each<[string, unknown, string[]]>([
    [
      'known defect: {} is not a valid plan',
      {},
      ['objective: It is missing. -> Add "objective": a string.', 'tasks: It is missing. -> Add "tasks": a list.'],
    ],
    ['no tasks', plan(), ['tasks: The plan has no task. -> Add at least one task.']],
    ['text', 'a plan', ['(root): It is a string, not an object. -> Write an object.']],
    ['null', null, ['(root): It is null, not an object. -> Write an object.']],
    ['a task that is none', plan('T1'), ['tasks[0]: It is a string, not an object. -> Write an object.']],
    [
      'other names for fields',
      plan(task('T1', { dependencies: [], wirtes: [], 'x y': 1 })),
      [
        'tasks[0].dependencies: There is no field "dependencies". -> Did you mean "depends"? If not, remove it.',
        'tasks[0].wirtes: There is no field "wirtes". -> Did you mean "writes"? If not, remove it.',
        'tasks[0]["x y"]: There is no field "x y". -> Remove it.',
      ],
    ],
    [
      'wrong types and values',
      plan(task('T1', { depends: 'T2', complexity: 'XL', expectedMinutes: 0, kind: 7 })),
      [
        'tasks[0].kind: It is a number. -> Use one of "feature", "fix", "refactor", "test", "docs", "chore".',
        'tasks[0].depends: It is a string, not a list. -> Write a list.',
        'tasks[0].complexity: "XL" is not allowed. -> Use one of "S", "M", "L".',
        'tasks[0].expectedMinutes: It is too small. -> Give more than 0.',
      ],
    ],
    [
      'verify entries',
      plan(task('T1', { verify: [7, { run: [] }, { run: 'npm test', timeout: 'soon' }, { command: 'npm test' }] })),
      [
        'tasks[0].verify[0]: It is a number, not a string or an object. -> Write a string or an object.',
        'tasks[0].verify[1].run: It is too small. -> Give at least 1 entry.',
        'tasks[0].verify[2].timeout: It is a string, not a number. -> Write a number.',
        'tasks[0].verify[3].run: It is missing. -> Write a string or a list.',
        'tasks[0].verify[3].command: There is no field "command". -> Did you mean "run"? If not, remove it.',
      ],
    ],
  ])('%s', (_name, input, wanted) => {
    expect(issuesOf(input)).toEqual(wanted);
  });
});

describe('ids', () => {
  it.each(['', '.', '..', '-x', 'a/b', 'a b', 'é', 'x'.repeat(65), 'a\n', 'a~1', 'a@{'])('refuses %j', (id) => {
    expect(validatePlan(plan(task(id, { writes: ['a'] })))).toMatchObject({
      status: 'invalid',
      issues: [{ where: 'tasks[0].id', problem: expect.stringContaining('cannot name a branch or a directory') }],
    });
  });

  it.each(['a..b', 'a.', 'T1.lock', 'T1.LOCK'])('refuses %j, which git does', (id) => {
    expect(validatePlan(plan(task(id)))).toMatchObject({ status: 'invalid', issues: [{ where: 'tasks[0].id' }] });
  });

  it.each(['T1', '1', 'a.b-c_d', 'x'.repeat(64)])('takes %j', (id) => {
    expect(warningsOf(plan(task(id)))).toEqual([]);
  });

  it('refuses the same id twice, also in another case', () => {
    expect(issuesOf(plan(task('T1'), task('T1'), task('t1')))).toEqual([
      'tasks[1].id: The id "T1" is used by tasks[0] too. -> Give every task an id of its own.',
      'tasks[2].id: The id "t1" differs from "T1" only in case. -> Give every task an id of its own.',
    ]);
  });
});

describe('dependencies', () => {
  it('names what is unknown, and what was likely meant', () => {
    expect(issuesOf(plan(task('login-api'), task('T2', { depends: ['login_api', 'nope', 'T2'] })))).toEqual([
      'tasks[1].depends[0]: There is no task "login_api". -> Did you mean "login-api"?',
      'tasks[1].depends[1]: There is no task "nope". -> Use one of "login-api" and "T2", or remove it.',
      'tasks[1].depends[2]: "T2" depends on itself. -> Remove it.',
    ]);
  });

  it('names the members of a circle only', () => {
    const tasks = [task('T3', { depends: ['T1'] }), task('T1', { depends: ['T2'] }), task('T2', { depends: ['T1'] })];
    expect(issuesOf(plan(...tasks))).toEqual([
      'tasks[1].depends: "T1" and "T2" depend on each other in a circle. -> Remove one of these dependencies, such as "T2" from "T1".',
    ]);
  });
});

describe('paths', () => {
  it.each<[string, string]>([
    ['/etc/passwd', 'The path "/etc/passwd" is absolute.'],
    ['\\\\server\\x', 'The path "\\\\\\\\server\\\\x" is absolute.'],
    ['C:\\x', 'The path "C:\\\\x" is absolute.'],
    ['../x', 'The path "../x" leaves the repository.'],
    ['a/../../x', 'The path "a/../../x" leaves the repository.'],
    ['a\\..\\x', 'The path "a\\\\..\\\\x" leaves the repository.'],
    ['~/x', 'The path "~/x" begins with a home directory\'s ~.'],
    ['', 'The path "" is empty.'],
    ['  ', 'The path "  " is empty.'],
    ['a\0b', 'The path "a\\u0000b" contains a control character.'],
    ['.git/hooks/x', 'The path ".git/hooks/x" is in git\'s own directory.'],
    ['sub/.GIT', 'The path "sub/.GIT" is in git\'s own directory.'],
    [' src/a.ts', 'The path " src/a.ts" begins or ends with a blank.'],
    ['!src/a.ts', 'The path "!src/a.ts" begins with "!", which excludes nothing here.'],
  ])('%j is refused', (path, problem) => {
    for (const field of ['writes', 'forbids']) {
      const result = validatePlan(plan(task('T1', { [field]: ['ok.ts', path] })));
      expect(result).toMatchObject({ status: 'invalid', issues: [{ where: `tasks[0].${field}[1]`, problem }] });
    }
  });

  it('shows how to write what is not understood', () => {
    expect(issuesOf(plan(task('T1', { writes: ['src/{a,b}.ts', 'src/**.ts', 'lib/x**'] })))).toEqual([
      'tasks[0].writes[0]: Braces in "src/{a,b}.ts" are not expanded. -> List the paths: "src/a.ts", "src/b.ts".',
      'tasks[0].writes[1]: "**" in "src/**.ts" is not alone between slashes. -> Write "src/**/*.ts".',
      'tasks[0].writes[2]: "**" in "lib/x**" is not alone between slashes. -> Write "lib/x*/**".',
    ]);
  });

  it('takes names that only look odd', () => {
    const writes = ['app/[id]/page.tsx', '.gitignore', '.github/**', 'a b/ü.ts', 'x/..y', 'src/{id}.ts', './a'];
    expect(warningsOf(plan(task('T1', { writes })))).toEqual([]);
  });
});

describe('verify', () => {
  it('is needed but for documents', () => {
    expect(warningsOf(plan(task('T1', { kind: 'docs', verify: [] })))).toEqual([]);
    expect(issuesOf(plan(task('T1', { verify: [] })))).toEqual([
      'tasks[0].verify: Nothing verifies "T1". -> Add a command that shows it works, such as "verify": ["npm test"], or set "kind" to "docs".',
    ]);
  });

  it('known defect: a line with operators refuses the plan', () => {
    expect(issuesOf(plan(task('T1', { verify: ['npm test', 'npm test; rm -rf /'] })))).toEqual([
      'tasks[0].verify[1]: The command contains the shell operator ;, and no shell runs it. -> Each entry is one command. Write "verify":["npm test","rm -rf /"].',
    ]);
  });
});

describe('warnings', () => {
  it('are for tasks that claim nothing or everything', () => {
    expect(warningsOf(plan(task('T1', { writes: [] })))).toEqual([
      'tasks[0].writes: "T1" does not say what it writes, so all its changes will be flagged. -> List the paths it will change, such as ["src/auth/**"].',
    ]);
    expect(warningsOf(plan(task('T1', { writes: ['src/a.ts', '**'] })))).toEqual([
      'tasks[0].writes[1]: "T1" claims the whole repository, so nothing runs beside it. -> Name the directories it needs.',
    ]);
  });

  it('are for tasks that may run together and write the same files', () => {
    expect(
      warningsOf(plan(task('T1', { writes: ['src/auth'] }), task('T2', { writes: ['docs', 'src/auth/x.ts'] }))),
    ).toEqual([
      'tasks[1].writes[1]: "T2" and "T1" write the same files ("src/auth/x.ts", "src/auth") and no dependency orders them, so they will run one after the other. -> Add "T1" to the depends of "T2", or give each its own files.',
    ]);
  });

  it('known defect: none for tasks ordered through others', () => {
    const shared = { writes: ['src/a.ts'] };
    const tasks = [task('T1', shared), task('T2', { depends: ['T1'] }), task('T3', { depends: ['T2'], ...shared })];
    expect(warningsOf(plan(...tasks))).toEqual([]);
  });
});

describe('any input', () => {
  it('is answered with a value', () => {
    const anything = fc.anything({
      withNullPrototype: true,
      withBigInt: true,
      withDate: true,
      withMap: true,
      withSparseArray: true,
    });
    fc.assert(
      fc.property(anything, (input) => {
        expect(['valid', 'invalid']).toContain(validatePlan(input).status);
      }),
      { numRuns: 150 },
    );
  });

  it('is answered with a value where it is nearly a plan', () => {
    const text = fc.oneof(
      fc.string({ unit: 'binary' }),
      fc.constantFrom('T1', 'T2', '__proto__', 'constructor', '**', '../x', 'a && b', 'npm test'),
    );
    const texts = fc.array(fc.oneof({ weight: 9, arbitrary: text }, fc.anything()), { maxLength: 3 });
    const entry = fc.oneof(
      text,
      fc.record({ run: fc.oneof(text, texts), cwd: text, env: fc.dictionary(text, text) }, { requiredKeys: [] }),
    );
    const rawTask = fc.record(
      {
        id: text,
        title: text,
        depends: texts,
        writes: texts,
        forbids: texts,
        verify: fc.array(entry, { maxLength: 3 }),
      },
      { requiredKeys: ['id', 'title'] },
    );
    fc.assert(
      fc.property(fc.array(rawTask, { maxLength: 4 }), (tasks) => {
        const result = validatePlan({ objective: 'x', tasks });
        if (result.status === 'invalid') expect(result.issues).not.toEqual([]);
      }),
      { numRuns: 150 },
    );
  });

  it('may be deep, huge or named like a prototype', () => {
    let deep: unknown = 'x';
    for (let level = 0; level < 50_000; level++) deep = { tasks: [deep] };
    const huge = 'a&&*{,'.repeat(200_000);
    const inputs = [
      deep,
      huge,
      {
        objective: huge,
        tasks: [{ id: huge, title: huge, depends: [huge], writes: [huge], verify: [huge, { run: [huge], cwd: huge }] }],
      },
      JSON.parse(
        '{"__proto__": {"tasks": []}, "constructor": 1, "objective": "x", "tasks": [{"id": "__proto__", "title": "", "__proto__": {}}]}',
      ),
      plan(
        task('constructor', {
          depends: ['toString', '__proto__'],
          verify: [{ run: 'npm test', env: JSON.parse('{"__proto__": "x"}') }],
        }),
      ),
    ];
    for (const input of inputs) {
      const result = validatePlan(input);
      expect(result.status).toBe('invalid');
      expect(JSON.stringify(result).length).toBeLessThan(20_000);
    }
  });
});
