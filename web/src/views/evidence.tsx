/** The evidence: what was checked and what it printed, findings, merges with what was declared, what was left behind. */
import { type ReactNode, useMemo, useState } from 'react';
import type { RunDetails } from '../../../src/api/inspect-run.ts';
import { countText, durationText, shortCommit } from '../../../src/views/figures.ts';
import { Empty, isOver, Loading, Path, Pill, Said, Trouble } from '../parts/basics.tsx';
import { useShownPart } from '../parts/shown-part.tsx';
import { visible, visibleName } from '../parts/visible-text.ts';
import type { ViewProps } from '../run/run-view.tsx';
import { useCall } from '../source/hooks.ts';
import { useDetails } from './details.ts';

type Report = RunDetails['report'];

export function Evidence(props: ViewProps): ReactNode {
  const { value, failure, reload } = useDetails(props);
  if (failure !== undefined && value === undefined) return <Trouble failure={failure} onRetry={reload} />;
  if (value === undefined) return <Loading />;
  const { report, sessions } = value;
  const left = sessions.flatMap(({ key, leftBehind }) => leftBehind.map((entry) => ({ ...entry, key })));
  const { checks, findings, receipts, coverage, unverified } = report;
  if ([checks, findings, receipts, coverage, unverified, left].every(({ length }) => length === 0)) {
    return isOver(props.page) ? (
      <Empty title="This run left no evidence">Nothing was checked, found or merged.</Empty>
    ) : (
      <Empty title="There is no evidence yet">Checks, findings and merges appear here as they are made.</Empty>
    );
  }
  return (
    <div className="stack">
      <Overview report={report} />
      <Coverage report={report} />
      <Checks {...props} report={report} />
      <Findings report={report} address={props.address} />
      <Receipts report={report} />
      {report.unverified.length === 0 ? null : (
        <section>
          <h2>Not verified</h2>
          <ul>
            {report.unverified.map((text) => (
              <li key={text}>
                <Said text={text} />
              </li>
            ))}
          </ul>
        </section>
      )}
      {left.length === 0 ? null : (
        <section>
          <h2>Left behind</h2>
          <p className="soft">Files agents made that are in no commit.</p>
          <ul className="plain-list">
            {left.map(({ key, path, reason }) => (
              <li key={`${key} ${path}`}>
                <Path name={path} />{' '}
                <span className="soft">
                  {reason}, in {visible(key)}
                </span>
              </li>
            ))}
          </ul>
        </section>
      )}
    </div>
  );
}

function Overview({ report }: { readonly report: Report }): ReactNode {
  const { red, absent, green, notMeasured } = report.redGreen;
  const failed = report.checks.filter(({ status }) => status === 'failed').length;
  const open = report.findings.filter(({ state }) => state === 'must-fix').length;
  const unproven = report.checks.filter(({ status }) => status === 'unverified').length;
  const words = [
    'checks',
    ...(failed > 0 ? [`${failed} failed on the way`] : []),
    ...(unproven > 0 ? [`${unproven} not verified`] : []),
  ];
  const tiles: readonly (readonly [figure: string, text: string, tone?: string])[] = [
    [`${report.checks.length}`, words.join(', ')],
    [`${red + absent}`, 'test files red before, green after'],
    ...(green > 0 ? ([[`${green}`, 'test files that passed without the change', 'warn']] as const) : []),
    ...(notMeasured > 0 ? ([[`${notMeasured}`, 'test files not measured']] as const) : []),
    [`${report.receipts.length}`, 'merges with a receipt'],
    [`${open}`, 'findings that must be fixed', open > 0 ? 'bad' : ''],
  ];
  return (
    <ul className="tiles">
      {tiles.map(([figure, text, tone]) => (
        <li key={text} className={tone}>
          <b>{figure}</b>
          <span className="soft">{text}</span>
        </li>
      ))}
    </ul>
  );
}

const coverageWords: Readonly<Record<Report['coverage'][number]['status'], readonly [status: string, word: string]>> = {
  passed: ['passed', 'proven'],
  failed: ['failed', 'fails'],
  'not-covered': ['unverified', 'not proven'],
};

/** Which requirement is proven by which test, where the workflow knows them one by one. */
function Coverage({ report: { coverage } }: { readonly report: Report }): ReactNode {
  const [hidesProven, setHidesProven] = useState(false);
  if (coverage.length === 0) return null;
  const proven = coverage.filter(({ status }) => status === 'passed').length;
  const rows = hidesProven ? coverage.filter(({ status }) => status !== 'passed') : coverage;
  return (
    <section>
      <h2>Requirements</h2>
      <div className="toolbar">
        <progress value={proven} max={coverage.length} aria-label="Requirements that are proven" />
        <span className="soft">
          {proven} of {coverage.length} proven by a test that was seen to pass
        </span>
        <label className="check">
          <input type="checkbox" checked={hidesProven} onChange={({ target }) => setHidesProven(target.checked)} />
          <span>Only what is not proven</span>
        </label>
      </div>
      {rows.length === 0 ? (
        <p className="soft">Every requirement is proven.</p>
      ) : (
        <div className="scroll" role="group" aria-label="Requirements" tabIndex={0}>
          <table className="stacked">
            <thead>
              <tr>
                <th>Requirement</th>
                <th>Result</th>
                <th>Tests</th>
              </tr>
            </thead>
            <tbody>
              {rows.map(({ id, text, status, tests, reason }) => (
                <tr key={id}>
                  <td>
                    <code>{visible(id)}</code> <Said text={text} />
                  </td>
                  <td>
                    <Pill status={coverageWords[status][0]}>{coverageWords[status][1]}</Pill>
                    {reason === '' ? null : (
                      <p className="soft">
                        <Said text={reason} />
                      </p>
                    )}
                  </td>
                  <td>
                    {tests.map((test) => (
                      <p key={test}>
                        <Said text={test} className="mono" />
                      </p>
                    ))}
                  </td>
                </tr>
              ))}
            </tbody>
          </table>
        </div>
      )}
    </section>
  );
}

function Checks({ report, run, repository, query }: ViewProps & { readonly report: Report }): ReactNode {
  const { rows: shown, button } = useShownPart(report.checks, { size: 300 });
  const owners = [...new Set(shown.map(({ owner }) => owner))];
  const numbers = useMemo(() => numbersOf(report.checks), [report.checks]);
  if (report.checks.length === 0) return null;
  return (
    <section>
      <h2>Checks</h2>
      {owners.map((owner) => (
        <div key={owner} className="group">
          <h3>
            <Said text={owner} />
          </h3>
          {shown
            .filter((check) => check.owner === owner)
            .map((check, at) => (
              <CheckRow
                key={`${check.key} ${at}`}
                check={check}
                number={numbers.get(check) ?? 1}
                base={report.baseline.find(({ name }) => name === check.name)}
                run={run}
                repository={repository}
                isChosen={query.get('key') === check.key}
              />
            ))}
        </div>
      ))}
      {button}
    </section>
  );
}

/** Which command of its check each row is: their outputs have these numbers. */
function numbersOf(checks: Report['checks']): ReadonlyMap<Report['checks'][number], number> {
  const counts = new Map<string, number>();
  return new Map(
    checks.map((check) => {
      const number = (counts.get(check.key) ?? 0) + 1;
      counts.set(check.key, number);
      return [check, number] as const;
    }),
  );
}

function CheckRow({
  check,
  number,
  base,
  run,
  repository,
  isChosen,
}: {
  readonly check: Report['checks'][number];
  readonly number: number;
  /** The same on the commit that the run began from. */
  readonly base: Report['baseline'][number] | undefined;
  readonly run: string;
  readonly repository: string | undefined;
  readonly isChosen: boolean;
}): ReactNode {
  const [isOpen, setOpen] = useState(isChosen);
  return (
    <details
      className={`check-row${isChosen ? ' marked' : ''}`}
      open={isOpen}
      onToggle={({ currentTarget }) => setOpen(currentTarget.open)}
    >
      <summary data-entry="">
        <Pill status={check.status} />
        <Said text={check.name} className="mono" />
        <span className="soft">
          <Said text={[check.step === check.owner ? '' : check.step, check.reason].filter(Boolean).join(': ')} />
        </span>
        {check.durationMs === 0 ? null : <span className="soft figures">{durationText(check.durationMs)}</span>}
      </summary>
      {isOpen && base !== undefined ? (
        <p className="soft baseline">
          On the base: <Pill status={base.status} /> <Said text={base.reason} /> {durationText(base.durationMs)}
        </p>
      ) : null}
      {isOpen && check.newFailures !== undefined ? (
        <p className="baseline">
          New failures: <Said text={check.newFailures.join(', ')} />
        </p>
      ) : null}
      {isOpen ? <CheckOutput run={run} repository={repository} checkKey={check.key} number={number} /> : null}
    </details>
  );
}

interface Log {
  readonly name: string;
  readonly text: string;
  readonly bytes: number;
  readonly isCut: boolean;
}

function CheckOutput({
  run,
  repository,
  checkKey,
  number,
}: {
  readonly run: string;
  readonly repository: string | undefined;
  readonly checkKey: string;
  readonly number: number;
}): ReactNode {
  const { value, failure } = useCall<{ logs: readonly Log[] }>('read-check', { run, key: checkKey }, { repository });
  if (failure !== undefined) return <Trouble failure={failure} />;
  if (value === undefined) return <Loading />;
  if (value.logs.length === 0) return <p className="soft">It printed nothing that was kept.</p>;
  const own = value.logs
    .filter(({ name }) => name.startsWith(`${number}-`))
    .sort((a, b) => Number(a.name.endsWith('-again')) - Number(b.name.endsWith('-again')));
  const logs = own.length === 0 ? value.logs : own;
  return (
    <>
      {logs.map(({ name, text, bytes, isCut }) => (
        <div key={name} className="log">
          <p className="soft">
            {nameOfLog(name)}
            {isCut ? `, the end of ${bytes.toLocaleString()} bytes` : ''}
          </p>
          <pre className="document" tabIndex={0}>
            {visible(text)}
          </pre>
        </div>
      ))}
    </>
  );
}

/** Of the second command: `2-first`, and `2-again` to see whether it is flaky. */
function nameOfLog(name: string): string {
  if (/^\d+-first$/.test(name)) return 'Output';
  return /^\d+-again$/.test(name) ? 'Output of the second try' : visible(name);
}

function Findings({ report, address }: { readonly report: Report; readonly address: ViewProps['address'] }): ReactNode {
  if (report.findings.length === 0) return null;
  return (
    <section>
      <h2>Findings</h2>
      <ul className="findings">
        {report.findings.map((finding) => (
          <li key={`${finding.fingerprint} ${finding.line}`} className="finding">
            <p>
              <Pill status={finding.state} /> <b>{finding.severity}</b> <Said text={finding.claim} />
            </p>
            <p className="soft">
              {finding.file === '' ? null : (
                <a href={address('changes', { path: finding.file })} className="mono">
                  {visibleName(finding.file)}
                  {finding.line > 0 ? `:${finding.line}` : ''}
                </a>
              )}{' '}
              <Said text={[finding.source, finding.owner].filter(Boolean).join(', ')} />
            </p>
            {finding.evidence === '' ? null : (
              <p className="prose soft">
                <Said text={finding.evidence} />
              </p>
            )}
          </li>
        ))}
      </ul>
    </section>
  );
}

function Receipts({ report }: { readonly report: Report }): ReactNode {
  const { rows, button } = useShownPart(report.receipts, { size: 200 });
  if (report.receipts.length === 0) return null;
  return (
    <section>
      <h2>Merges</h2>
      <div className="group">
        {rows.map((receipt) => (
          <details key={receipt.after} className="check-row">
            <summary data-entry="">
              <b>
                <Said text={receipt.task} />
              </b>
              <span className="soft">
                {countText(receipt.changed.length, 'file')}
                {receipt.flags.length > 0 ? `, ${receipt.flags.length} flagged` : ''}
              </span>
              <code className="soft">
                {shortCommit(receipt.before)}..{shortCommit(receipt.after)}
              </code>
            </summary>
            <div className="scroll" role="group" aria-label="Table" tabIndex={0}>
              <table>
                <thead>
                  <tr>
                    <th>File</th>
                    <th>Change</th>
                    <th>Decision</th>
                  </tr>
                </thead>
                <tbody>
                  {receipt.changed.map(({ path, status }) => (
                    <tr key={path}>
                      <td>
                        <Path name={path} />
                      </td>
                      <td>{status}</td>
                      <td>
                        {receipt.flags
                          .filter((flag) => flag.path === path)
                          .map((flag) => `${flag.case}: ${flag.action} (${visible(flag.reason)})`)
                          .join('; ')}
                      </td>
                    </tr>
                  ))}
                </tbody>
              </table>
            </div>
            {receipt.checks.length === 0 ? null : (
              <p className="soft">
                Checked: {receipt.checks.map(({ label, status }) => `${visible(label)} ${status}`).join(', ')}
              </p>
            )}
          </details>
        ))}
      </div>
      {button}
    </section>
  );
}
