/** A question of a run and everything needed to answer it: what it is about, options, words, and a draft to edit. */
import { lazy, type ReactNode, Suspense, useId, useRef, useState } from 'react';
import type { OpenQuestion, Page } from '../model.ts';
import { Dialog } from '../parts/dialog.tsx';
import { Said, Trouble } from '../parts/basics.tsx';
import { PageView } from '../parts/page-blocks.tsx';
import { type Failure, failureOf, useSource } from '../source/source.ts';
import { DraftEditor } from './draft-editor.tsx';
import { tellWhenLate } from './late-answer.ts';

const PlanGraph = lazy(async () => ({ default: (await import('./plan-graph.tsx')).PlanGraph }));

interface QuestionProps {
  readonly run: string;
  readonly repository: string | undefined;
  readonly question: OpenQuestion;
  /** Without the page it is about, for a list of many. */
  readonly isBrief?: boolean;
  /** Where the whole of it is. */
  readonly address?: string;
}

export function QuestionCard({ run, repository, question, isBrief = false, address }: QuestionProps): ReactNode {
  const source = useSource();
  const [words, setWords] = useState('');
  const [busy, setBusy] = useState<string>();
  const [failure, setFailure] = useState<Failure>();
  const [isEditing, setEditing] = useState(false);
  const label = useId();
  const field = useRef<HTMLTextAreaElement>(null);
  const { options, freeText, answered } = question;
  // Below a run's title, or below a part of home.
  const Heading = isBrief ? 'h3' : 'h2';
  const sorted = [...options].sort((a, b) => Number(b.recommended) - Number(a.recommended));
  const takesWords = freeText || options.some(({ id }) => id === 'modify');

  const answer = async (given: { option?: string; text?: string }): Promise<void> => {
    // Another plan costs money, and without a word it would be the same one.
    if (given.option === 'modify' && given.text === undefined) {
      setFailure({ error: 'Say what should be different first.', code: 'bad-input' });
      return field.current?.focus();
    }
    setBusy(given.option ?? 'text');
    setFailure(undefined);
    try {
      await source.call('answer-question', { run, question: question.key, ...given }, repository);
      setWords('');
    } catch (error) {
      const said = failureOf(error);
      if (!tellWhenLate(question.title, said.error)) setFailure(said);
    }
    setBusy(undefined);
  };

  return (
    // No landmark: home has many of them, and most ask the same.
    <div className="question" role="group" aria-labelledby={label}>
      <Heading id={label}>
        <Said text={question.title} />
      </Heading>
      {question.detail === '' ? null : (
        <p className="prose soft">
          <Said text={question.detail} />
        </p>
      )}
      {question.page === undefined || isBrief ? null : <PageView page={question.page} />}
      {question.draft === undefined || isBrief || !source.isLive ? null : (
        <Suspense fallback={null}>
          <PlanGraph run={run} repository={repository} question={question.key} />
        </Suspense>
      )}
      {question.page !== undefined && isBrief && address !== undefined ? (
        <p>
          {sizesOf(question.page).map((size) => (
            <span key={size} className="soft">
              <Said text={size} /> ·{' '}
            </span>
          ))}
          <a href={address}>Read the whole plan</a>
        </p>
      ) : null}
      {answered === undefined ? null : (
        <p className="notice">
          Answered with “{options.find(({ id }) => id === answered.option)?.label ?? answered.text ?? answered.option}”.
          The run takes it up when it continues.
        </p>
      )}
      {source.isLive && takesWords ? (
        <label className="field">
          <span>{question.topic === 'approval' ? 'What should be different' : 'Your answer'}</span>
          <textarea
            ref={field}
            value={words}
            rows={isBrief ? 2 : 3}
            onChange={(event) => setWords(event.target.value)}
          />
        </label>
      ) : null}
      {source.isLive ? (
        <div className="buttons">
          {sorted.map(({ id, label: text, recommended }) => (
            <button
              key={id}
              type="button"
              className={recommended ? 'primary' : ''}
              {...(recommended ? { title: 'Recommended', 'aria-description': 'Recommended' } : {})}
              disabled={busy !== undefined}
              onClick={() => void answer({ option: id, ...(words.trim() === '' ? {} : { text: words }) })}
            >
              {busy === id ? 'Sending…' : <Said text={text} />}
            </button>
          ))}
          {freeText && question.topic !== 'approval' ? (
            <button
              type="button"
              className={sorted.length === 0 ? 'primary' : ''}
              disabled={busy !== undefined || words.trim() === ''}
              onClick={() => void answer({ text: words })}
            >
              Send answer
            </button>
          ) : null}
          {question.draft === undefined ? null : (
            <button type="button" disabled={busy !== undefined} onClick={() => setEditing(true)}>
              Edit the plan…
            </button>
          )}
        </div>
      ) : null}
      {failure === undefined ? null : <Trouble failure={failure} />}
      {isEditing ? (
        <Dialog title="Edit the plan" onClose={() => setEditing(false)}>
          <DraftEditor run={run} repository={repository} question={question} onDone={() => setEditing(false)} />
        </Dialog>
      ) : null}
    </div>
  );
}

/** How much there is of what a page lists: `Tasks: 12`. */
function sizesOf({ sections }: Page): readonly string[] {
  return sections.flatMap(({ title, blocks }) =>
    blocks.flatMap((block) => (block.type === 'table' ? [`${title}: ${block.rows.length}`] : [])),
  );
}
