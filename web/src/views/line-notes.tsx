/** What stands below a line of a difference: findings, failures of checks, comments, and the form for another one. */
import { type ReactNode, useState } from 'react';
import type { ReportedFinding } from '../model.ts';
import { Pill, Said } from '../parts/basics.tsx';
import { CommentForm } from './comment-form.tsx';
import type { DiffRow } from './diff.ts';
import type { Failure } from './failures.ts';

export interface Comment {
  readonly path: string;
  readonly line: number;
  /** The change removed it: its number is that of before. */
  readonly isRemoved?: boolean;
  readonly quote: string;
  readonly text: string;
}

/** Which line a comment is on: of a removed one the number before, of any other the one after. */
export interface Place {
  readonly line: number;
  readonly isRemoved: boolean;
}

export function placeOf({ type, before, after }: DiffRow): Place | undefined {
  const isRemoved = type === 'removed';
  const line = isRemoved ? before : after;
  return line === undefined ? undefined : { line, isRemoved };
}

export function isSame(one: Place | undefined, other: Place | undefined): boolean {
  return one !== undefined && one.line === other?.line && one.isRemoved === other.isRemoved;
}

export function commentOn({ line, isRemoved }: Place): string {
  return `Comment on ${isRemoved ? 'removed ' : ''}line ${line}`;
}

export function Below({
  row,
  columns,
  file,
  findings,
  failures,
  comments,
  isAsking,
  onClose,
  onComment,
  onForget,
}: {
  readonly file: { readonly path: string };
  readonly findings: readonly ReportedFinding[];
  readonly failures: readonly Failure[];
  readonly comments: readonly Comment[];
  readonly onComment: (comment: Comment) => void;
  readonly onForget: (comment: Comment) => void;
  readonly row: DiffRow;
  readonly columns: number;
  readonly isAsking: boolean;
  readonly onClose: () => void;
}): ReactNode {
  const place = placeOf(row);
  const [text, setText] = useState('');
  if (place === undefined) return null;
  const own = comments.filter(({ line, isRemoved = false }) => isSame(place, { line, isRemoved }));
  // What a reader or a check said is about the file as it is now.
  const found = findings.filter(({ line }) => !place.isRemoved && line === place.line);
  const failed = failures.filter(({ line }) => !place.isRemoved && line === place.line);
  if (own.length + found.length + failed.length === 0 && !isAsking) return null;
  return (
    <tr className="below">
      <td colSpan={columns}>
        {found.map((finding) => (
          <FindingNote key={finding.fingerprint} finding={finding} />
        ))}
        {failed.map((failure) => (
          <FailureNote key={failure.check} failure={failure} />
        ))}
        {own.map((comment) => (
          <div key={comment.text} className="comment">
            <Said text={comment.text} />
            <button type="button" className="quiet" onClick={() => onForget(comment)}>
              Remove
            </button>
          </div>
        ))}
        {isAsking ? (
          <CommentForm
            label={commentOn(place)}
            text={text}
            onText={setText}
            onClose={onClose}
            onSend={() => {
              const { line, isRemoved } = place;
              const quote = row.text.slice(0, 500);
              onComment({ path: file.path, line, quote, text: text.trim(), ...(isRemoved ? { isRemoved } : {}) });
              setText('');
              onClose();
            }}
          />
        ) : null}
      </td>
    </tr>
  );
}

export function FailureNote({
  failure: { check, line, text },
  isElsewhere = false,
}: {
  readonly failure: Failure;
  /** Its line is not among those shown. */
  readonly isElsewhere?: boolean;
}): ReactNode {
  return (
    <div className="finding-note failure-note">
      <Pill status="failed" /> <Said text={check} className="mono" />
      {isElsewhere ? <span className="soft"> line {line}</span> : null} <Said text={text} />
    </div>
  );
}

export function FindingNote({ finding }: { readonly finding: ReportedFinding }): ReactNode {
  return (
    <div className="finding-note">
      <Pill status={finding.state} /> <b>{finding.severity}</b> <Said text={finding.claim} />
      {finding.evidence === '' ? null : (
        <p className="soft">
          <Said text={finding.evidence} />
        </p>
      )}
    </div>
  );
}
