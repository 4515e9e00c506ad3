/** A draft as a form or as text, with the same check: what is wrong is listed, and only what is right can be sent. */
import { type ReactNode, useEffect, useState } from 'react';
import type { OpenQuestion } from '../model.ts';
import type { WrittenTask } from '../../../src/api/edit-draft.ts';
import { Said, Trouble } from '../parts/basics.tsx';
import { type Failure, failureOf, useSource } from '../source/source.ts';
import { tellWhenLate } from './late-answer.ts';

interface Draft {
  readonly text: string;
  /** As the text has them, right or wrong. */
  readonly tasks?: readonly WrittenTask[];
  readonly warnings: readonly string[];
  readonly problems: readonly string[];
}

interface FieldChange {
  readonly task: string;
  readonly field: string;
  readonly value: string | readonly string[];
}

const textFields = [
  ['title', 'Title'],
  ['objective', 'Objective'],
  ['doneWhen', 'Done when'],
] as const;
const listFields = [
  ['writes', 'Files it may change, one per line'],
  ['depends', 'Waits for, one per line'],
  ['verify', 'Commands that prove it, one per line'],
] as const;

export function DraftEditor({
  run,
  repository,
  question,
  onDone,
}: {
  readonly run: string;
  readonly repository: string | undefined;
  readonly question: OpenQuestion;
  readonly onDone: () => void;
}): ReactNode {
  const source = useSource();
  const [text, setText] = useState(question.draft ?? '');
  const [draft, setDraft] = useState<Draft>();
  const [failure, setFailure] = useState<Failure>();
  const [way, setWay] = useState<'form' | 'text'>('form');
  const [isSending, setSending] = useState(false);

  const check = async (wanted: string, changes: readonly FieldChange[] = []): Promise<void> => {
    try {
      const read = await source.call<Draft>(
        'edit-draft',
        { run, question: question.key, text: wanted, changes },
        repository,
      );
      setDraft(read);
      setText(read.text);
      setFailure(undefined);
    } catch (error) {
      setFailure(failureOf(error));
    }
  };
  useEffect(() => {
    void check(question.draft ?? '');
    // Once: from then on the text is the person's.
    // oxlint-disable-next-line react-hooks/exhaustive-deps
  }, []);

  const send = async (): Promise<void> => {
    setSending(true);
    try {
      await source.call('answer-question', { run, question: question.key, text }, repository);
      onDone();
    } catch (error) {
      const said = failureOf(error);
      if (!tellWhenLate(question.title, said.error)) setFailure(said);
    }
    setSending(false);
  };

  const problems = draft?.problems ?? [];
  return (
    <div className="draft">
      <div className="segments" role="group" aria-label="How to edit">
        {(['form', 'text'] as const).map((one) => (
          <button key={one} type="button" aria-pressed={way === one} onClick={() => setWay(one)}>
            {one === 'form' ? 'Form' : 'Text'}
          </button>
        ))}
      </div>
      {way === 'text' ? (
        <label className="field grow">
          <span>The plan as text</span>
          <textarea
            className="mono tall"
            value={text}
            spellCheck={false}
            onChange={(event) => setText(event.target.value)}
            onBlur={() => void check(text)}
          />
        </label>
      ) : (
        <div className="tasks-form">
          {(draft?.tasks ?? []).map((task, at) => (
            <TaskForm key={task.id} task={task} isFirst={at === 0} onChange={(change) => void check(text, [change])} />
          ))}
          {draft !== undefined && draft.tasks === undefined ? (
            <p className="soft">The text has no list of tasks. Fix it as text first.</p>
          ) : null}
        </div>
      )}
      {problems.length === 0 ? null : (
        <div className="trouble" role="alert">
          <p>This cannot be sent yet:</p>
          <ul>
            {problems.map((problem) => (
              <li key={problem}>
                <Said text={problem} />
              </li>
            ))}
          </ul>
        </div>
      )}
      {(draft?.warnings ?? []).map((warning) => (
        <p key={warning} className="notice">
          <Said text={warning} />
        </p>
      ))}
      {failure === undefined ? null : <Trouble failure={failure} />}
      <div className="buttons">
        <button
          type="button"
          className="primary"
          disabled={isSending || problems.length > 0}
          onClick={() => void send()}
        >
          {isSending ? 'Sending…' : 'Use this plan'}
        </button>
        <button type="button" onClick={onDone}>
          Cancel
        </button>
      </div>
    </div>
  );
}

function TaskForm({
  task,
  isFirst,
  onChange,
}: {
  readonly task: WrittenTask;
  readonly isFirst: boolean;
  readonly onChange: (change: FieldChange) => void;
}): ReactNode {
  return (
    <details className="card" open={isFirst}>
      <summary>
        <b>{task.id}</b> <Said text={task.title} />
      </summary>
      {textFields.map(([field, label]) => (
        <label key={field} className="field">
          <span>{label}</span>
          <textarea
            rows={field === 'title' ? 1 : 2}
            defaultValue={task[field]}
            onBlur={({ target }) => {
              if (target.value !== task[field]) onChange({ task: task.id, field, value: target.value });
            }}
          />
        </label>
      ))}
      {listFields.map(([field, label]) => (
        <label key={field} className="field">
          <span>{label}</span>
          <textarea
            className="mono"
            rows={Math.max(1, task[field].length)}
            defaultValue={task[field].join('\n')}
            onBlur={({ target }) => {
              const value = target.value
                .split('\n')
                .map((line) => line.trim())
                .filter(Boolean);
              if (value.join('\n') !== task[field].join('\n')) onChange({ task: task.id, field, value });
            }}
          />
        </label>
      ))}
    </details>
  );
}
