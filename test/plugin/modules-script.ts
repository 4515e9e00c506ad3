/** A scripted agent that plays every role of `modules` for one module, and all goes well. */
export const script: readonly object[] = [
  {
    when: { role: 'architect' },
    do: [
      {
        reply: {
          techStack: { language: 'JavaScript', testCommand: 'node --test' },
          tasks: [
            {
              id: 'm1',
              title: 'Multiply two numbers',
              objective: 'Export mul from src/mul.js.',
              writes: ['src/mul.js', 'test/mul.test.js'],
              verify: ['node --test'],
              doneWhen: 'mul(2, 3) is 6',
            },
          ],
        },
      },
    ],
  },
  {
    when: { role: 'worker' },
    do: [
      { write: { path: 'src/mul.js', content: 'export const mul = (a, b) => a * b;\n' } },
      {
        write: {
          path: 'test/mul.test.js',
          content:
            "import assert from 'node:assert';\nimport test from 'node:test';\nimport { mul } from '../src/mul.js';\ntest('mul', () => assert.equal(mul(2, 3), 6));\n",
        },
      },
      { reply: { status: 'done', summary: 'Added mul', filesChanged: ['src/mul.js', 'test/mul.test.js'] } },
    ],
  },
  { when: { role: 'reviewer' }, repeat: true, do: [{ reply: { findings: [] } }] },
  { when: { role: 'auditor' }, repeat: true, do: [{ reply: { findings: [] } }] },
  { when: { role: 'learner' }, do: [{ reply: { lessons: [] } }] },
];
