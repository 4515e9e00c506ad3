/** The difference in one file: unified or side by side, coloured, with findings and comments below their lines. */
import { Fragment, memo, type ReactNode, useMemo, useState } from 'react';
import type { ReportedFinding } from '../model.ts';
import { Loading, Path, Pill, Trouble } from '../parts/basics.tsx';
import { cut, visibleCode, visibleName } from '../parts/visible-text.ts';
import { useCall } from '../source/hooks.ts';
import { useSource } from '../source/source.ts';
import { countText } from '../../../src/views/figures.ts';
import { type DiffRow, isGenerated, pairRows, rowsOfPatch } from './diff.ts';
import type { Failure } from './failures.ts';
import {
  Below,
  type Comment,
  commentOn,
  FailureNote,
  FindingNote,
  isSame,
  type Place,
  placeOf,
} from './line-notes.tsx';
import { languageOf, type MarkedToken, markWords, type Token } from './highlight.ts';

interface FileProps {
  readonly file: { readonly path: string; readonly status: string; readonly added?: number; readonly removed?: number };
  readonly letter: string;
  readonly run: string;
  readonly repository: string | undefined;
  readonly scope: object;
  readonly version: unknown;
  readonly isSplit: boolean;
  readonly isOpen: boolean;
  /** Of a test file: how it did without the change. */
  readonly proof: string | undefined;
  readonly findings: readonly ReportedFinding[];
  /** Where checks failed in it. */
  readonly failures: readonly Failure[];
  readonly comments: readonly Comment[];
  readonly onComment: (comment: Comment) => void;
  readonly onForget: (comment: Comment) => void;
}

/** Where a file stands on the page. */
export function fileId(path: string): string {
  return `file ${path}`;
}

const proofWords: Readonly<Record<string, string>> = {
  red: 'red before, green after',
  absent: 'could not run before, green after',
  green: 'green without the change',
  'not-measured': 'not measured',
};

/** A run at work counts its seconds; its files are drawn again only when something about them is new. */
export const FileDiff = memo(FileDetails);

function FileDetails(props: FileProps): ReactNode {
  const { file, letter, proof, findings, failures, comments } = props;
  const [isOpen, setOpen] = useState(props.isOpen);
  const isBinary = file.added === undefined;
  return (
    <details
      id={fileId(file.path)}
      className="file"
      open={isOpen}
      onToggle={({ currentTarget }) => setOpen(currentTarget.open)}
    >
      <summary data-entry="">
        <span className={`letter ${file.status}`} title={file.status}>
          {letter}
        </span>
        <Path name={file.path} className="file-path" />
        <span className="file-signs">
          {isGenerated(file.path) ? <span className="soft">generated</span> : null}
          {proof === undefined ? null : <Pill status={proof}>{proofWords[proof] ?? proof}</Pill>}
          {findings.length > 0 ? <Pill status={worstOf(findings)}>{countText(findings.length, 'finding')}</Pill> : null}
          {failures.length > 0 ? <Pill status="failed">{countText(failures.length, 'check failure')}</Pill> : null}
          {comments.length > 0 ? <Pill status="commented">{countText(comments.length, 'comment')}</Pill> : null}
        </span>
        <span className="soft figures">
          {isBinary ? (
            'not text'
          ) : (
            <>
              <span className="plus">+{file.added}</span> <span className="minus">−{file.removed}</span>
            </>
          )}
        </span>
      </summary>
      {isOpen ? (
        isBinary ? (
          <p className="soft pad">This file is not text, so no lines are shown.</p>
        ) : (
          <Patch {...props} />
        )
      ) : null}
    </details>
  );
}

function worstOf(findings: readonly ReportedFinding[]): string {
  if (findings.some(({ state }) => state === 'must-fix')) return 'must-fix';
  return findings.some(({ state }) => state === 'advisory') ? 'advisory' : 'fixed';
}

const firstRows = 2000;

/** A file that is new or gone has nothing to stand beside it. */
function hasTwoSides(rows: readonly DiffRow[]): boolean {
  const types = new Set(rows.map(({ type }) => type));
  return types.has('same') || (types.has('added') && types.has('removed'));
}

function Patch(props: FileProps): ReactNode {
  const { file, run, repository, scope, version, isSplit, findings, failures } = props;
  const { value, failure, reload } = useCall<{ text: string; cutFrom?: number }>(
    'diff-file',
    { run, ...scope, path: file.path },
    { repository, version },
  );
  const rows = useMemo(() => rowsOfPatch(value?.text ?? '', languageOf(file.path)), [value?.text, file.path]);
  const [most, setMost] = useState(firstRows);
  if (failure !== undefined) return <Trouble failure={failure} onRetry={reload} />;
  if (value === undefined) return <Loading />;
  const shown = rows.slice(0, most);
  const known = new Set(shown.map(({ after }) => after));
  const others = findings.filter(({ line }) => line === 0 || !known.has(line));
  const elsewhere = failures.filter(({ line }) => !known.has(line));
  return (
    <>
      {others.map((finding) => (
        <FindingNote key={`${finding.fingerprint} ${finding.line}`} finding={finding} />
      ))}
      {elsewhere.map((one) => (
        <FailureNote key={`${one.check} ${one.line}`} failure={one} isElsewhere />
      ))}
      <div className="scroll code" tabIndex={0} role="region" aria-label={`Difference in ${visibleName(file.path)}`}>
        {isSplit && hasTwoSides(rows) ? (
          <SplitTable {...props} rows={shown} />
        ) : (
          <UnifiedTable {...props} rows={shown} />
        )}
      </div>
      {rows.length > most ? (
        <p className="pad">
          <button type="button" onClick={() => setMost(most * 4)}>
            Show {Math.min(most * 3, rows.length - most).toLocaleString()} more of {rows.length.toLocaleString()} lines
          </button>
        </p>
      ) : null}
      {value.cutFrom === undefined ? null : (
        <p className="soft pad">
          Only the beginning is shown: the difference has {value.cutFrom.toLocaleString()} bytes.
        </p>
      )}
    </>
  );
}

type TableProps = FileProps & { readonly rows: readonly DiffRow[] };

function UnifiedTable(props: TableProps): ReactNode {
  const [at, setAt] = useState<Place>();
  return (
    <table className="diff">
      <tbody>
        {props.rows.map((row, index) => (
          <Fragment key={index}>
            <tr className={row.type}>
              {row.type === 'removed' ? (
                <>
                  <LineNumber row={row} onComment={setAt} />
                  <td className="line-number" />
                </>
              ) : (
                <>
                  <td className="line-number">{row.before}</td>
                  <LineNumber row={row} onComment={setAt} />
                </>
              )}
              <td className="line-sign" aria-hidden="true">
                {row.type === 'added' ? '+' : row.type === 'removed' ? '−' : ''}
              </td>
              <td className="line-text">
                <Code row={row} />
              </td>
            </tr>
            <Below
              {...props}
              row={row}
              columns={4}
              isAsking={isSame(at, placeOf(row))}
              onClose={() => setAt(undefined)}
            />
          </Fragment>
        ))}
      </tbody>
    </table>
  );
}

function SplitTable(props: TableProps): ReactNode {
  const [at, setAt] = useState<Place>();
  const pairs = useMemo(() => pairRows(props.rows), [props.rows]);
  return (
    <table className="diff split-diff">
      <colgroup>
        <col className="number-column" />
        <col />
        <col className="number-column" />
        <col />
      </colgroup>
      <tbody>
        {pairs.map(([before, after], index) =>
          before?.type === 'hunk' ? (
            <tr key={index} className="hunk">
              <td className="line-number" />
              <td className="line-text" colSpan={3}>
                {before.text}
              </td>
            </tr>
          ) : (
            <Fragment key={index}>
              <tr>
                {before?.type === 'removed' ? (
                  <LineNumber row={before} onComment={setAt} />
                ) : (
                  <td className={`line-number ${before?.type ?? 'none'}`}>{before?.before}</td>
                )}
                <td className={`line-text ${before?.type ?? 'none'}`}>
                  {before === undefined ? null : <Code row={before} />}
                </td>
                {after === undefined ? (
                  <td className="line-number none" />
                ) : (
                  <LineNumber row={after} onComment={setAt} />
                )}
                <td className={`line-text ${after?.type ?? 'none'}`}>
                  {after === undefined ? null : <Code row={after} />}
                </td>
              </tr>
              {[before?.type === 'removed' ? before : undefined, after].map((row, side) =>
                row === undefined ? null : (
                  <Below
                    key={side}
                    {...props}
                    row={row}
                    columns={4}
                    isAsking={isSame(at, placeOf(row))}
                    onClose={() => setAt(undefined)}
                  />
                ),
              )}
            </Fragment>
          ),
        )}
      </tbody>
    </table>
  );
}

function LineNumber({
  row,
  onComment,
}: {
  readonly row: DiffRow;
  readonly onComment: (place: Place) => void;
}): ReactNode {
  const source = useSource();
  const place = placeOf(row);
  return (
    <td className={`line-number ${row.type}`}>
      {place === undefined ? null : source.isLive ? (
        <button type="button" className="line-button" aria-label={commentOn(place)} onClick={() => onComment(place)}>
          {place.line}
        </button>
      ) : (
        place.line
      )}
    </td>
  );
}

const longestLine = 2000;

function Code({ row }: { readonly row: DiffRow }): ReactNode {
  const { type, text, words, tokens = [{ text, kind: '' }] } = row;
  if (type === 'hunk') return text;
  const shown = cut(text, longestLine);
  const pieces: readonly (Token & Partial<MarkedToken>)[] =
    shown.more > 0 ? [{ text: shown.text, kind: '' }] : words === undefined ? tokens : markWords(tokens, words);
  return (
    <>
      {pieces.map((piece, at) => {
        const name = piece.kind === '' ? undefined : `code-${piece.kind}`;
        const said = visibleCode(piece.text);
        return piece.differs === true ? (
          <mark key={at} className={name}>
            {said}
          </mark>
        ) : (
          <span key={at} className={name}>
            {said}
          </span>
        );
      })}
      {shown.more > 0 ? <span className="soft"> … {shown.more.toLocaleString()} more characters</span> : null}
    </>
  );
}
