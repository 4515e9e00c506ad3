import { describe, expect, it } from 'vitest';
import { questionSchema } from '../../src/engine/facts.ts';
import {
  answerCommand,
  choiceLines,
  chosenBy,
  optionChoices,
  questionText,
  wordsAsked,
} from '../../src/views/question-text.ts';

const question = questionSchema.parse({
  title: 'W1 changed 2 path(s) it did not declare. Take them?',
  detail: 'src/a.js: not declared by W1\nsrc/b.js: not declared by W1, which is a longer reason than fits on one line',
  options: [
    { id: 'accept', label: 'Take them' },
    { id: 'refuse', label: 'Refuse the task', recommended: true },
  ],
  freeText: true,
});

describe('questionText', () => {
  it('numbers the options and marks the recommended one', () => {
    expect(questionText(question)).toMatchInlineSnapshot(`
      "W1 changed 2 path(s) it did not declare. Take them?
        src/a.js: not declared by W1
        src/b.js: not declared by W1, which is a longer reason than fits on one line
        1. Take them
        2. Refuse the task (recommended)
        Or answer in your own words."
    `);
    expect(questionText(question, { columns: 40 })).toMatchInlineSnapshot(`
      "W1 changed 2 path(s) it did not declare.
      Take them?
        src/a.js: not declared by W1
        src/b.js: not declared by W1, which is
        a longer reason than fits on one line
        1. Take them
        2. Refuse the task (recommended)
        Or answer in your own words."
    `);
  });
});

describe('wordsAsked', () => {
  it.each([
    ['modify', 'Plan it differently (say how)', { prompt: 'What should be different? ', isOptional: false }],
    ['again', 'Try again (say how)', { prompt: 'Say how: ', isOptional: false }],
    ['no', 'No, stop here (say why if you like)', { prompt: 'Say why if you like: ', isOptional: true }],
    ['skip', 'Leave M-001 out', undefined],
    ['2', 'Use a queue (slower)', undefined],
  ])('%s: %s', (id, label, asked) => expect(wordsAsked({ id, label })).toEqual(asked));

  it('shows in what to type', () => {
    const options = [
      { id: 'again', label: 'Try again (say how)' },
      { id: 'stop', label: 'Stop' },
    ];
    expect(answerCommand('r', 'q', questionSchema.parse({ ...question, options, freeText: false }))).toBe(
      'forge answer r q --option again --text "…" | --option stop',
    );
  });
});

describe('chosenBy', () => {
  it('takes a number or an id, in any case, and nothing else', () => {
    const typed = ['1', ' refuse ', 'Accept', '', '3', '0', 'yes'];
    expect(typed.map((text) => chosenBy(optionChoices(question), text))).toEqual([
      0,
      1,
      0,
      undefined,
      undefined,
      undefined,
      undefined,
    ]);
  });
});

describe('choiceLines', () => {
  it('says at which line each choice begins', () => {
    const long = { name: 'e', id: 'edit', label: 'Change the plan in the editor of your choice' };
    expect(choiceLines([...optionChoices(question), long], 30)).toEqual({
      lines: [
        '  1. Take them',
        '  2. Refuse the task',
        '     (recommended)',
        '  e. Change the plan in the',
        '     editor of your choice',
      ],
      starts: [0, 1, 3],
    });
  });
});
