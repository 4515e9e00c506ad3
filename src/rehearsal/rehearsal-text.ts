/** What came of a rehearsal, in words. Pure. Paths, keys and reasons are others' text and made safe to show. */
import { plainLine } from '../views/terminal-text.ts';

export interface RehearsalFindings {
  readonly run: string;
  readonly same: boolean;
  readonly tree: string;
  readonly expectedTree: string;
  /** How it ended, and should have. */
  readonly status: string;
  readonly expectedStatus: string;
  readonly reason: string;
  readonly differences: readonly { readonly path: string; readonly what: string }[];
  /** Paths that differ because secrets were not recorded: these do not count. */
  readonly redacted: readonly string[];
  /** Work the script had nothing for, with what came near. */
  readonly unrecorded: readonly { readonly key: string; readonly message: string }[];
  readonly removed: boolean;
  /** Of a history: on how many of its commits the default rules would have asked a person, and why. */
  readonly asked?: AskedShare | undefined;
}

export interface AskedShare {
  readonly commits: number;
  /** The project's checks have run on every commit; without that, only texts were compared. */
  readonly measured: boolean;
  /** Why they have not, where they should have. */
  readonly problem?: string | undefined;
  readonly asked: readonly AskedCommit[];
  /** Commits on which the project's own checks do not pass. */
  readonly stopped: readonly AskedCommit[];
}

interface AskedCommit {
  readonly task: string;
  readonly title: string;
  readonly reasons: readonly string[];
}

export function rehearsalText(found: RehearsalFindings): string {
  const isSameTree = found.differences.length === 0 && (found.tree === found.expectedTree || found.redacted.length > 0);
  return [
    '',
    isSameTree ? sameTree(found) : `Another tree: ${found.tree}, not ${found.expectedTree}`,
    ...shown(found.differences.map(({ path, what }) => `  ${wording[what] ?? what}: ${path}`)),
    ...(found.redacted.length === 0 ? [] : [`Not compared, secrets were left out: ${found.redacted.join(', ')}`]),
    ...(found.status === found.expectedStatus
      ? []
      : [`The run is ${found.status}, not ${found.expectedStatus}${found.reason === '' ? '' : `: ${found.reason}`}`]),
    ...(found.unrecorded.length === 0 ? [] : ['Asked for, but not recorded:']),
    ...shown(found.unrecorded.map(({ key, message }) => `  ${key}: ${message}`)),
    ...askedLines(found.asked),
    found.removed ? `${found.run} is removed again (--keep would keep it).` : `Look at it: forge show ${found.run}`,
  ]
    .map((line) => `${/^ */.exec(line)?.[0] ?? ''}${plainLine(line)}`)
    .join('\n');
}

/** The share, then the commits with their first reason each. */
function askedLines(share: AskedShare | undefined): readonly string[] {
  if (share === undefined || share.commits === 0) return [];
  const percent = Math.round((100 * share.asked.length) / share.commits);
  const head = `The default rules would have asked a person about ${share.asked.length} of ${share.commits} commits (${percent} %).`;
  const { stopped } = share;
  return [
    head,
    ...shown(share.asked.map(commitLine)),
    ...(stopped.length === 0 ? [] : [`The project's own checks do not pass on ${stopped.length} of the commits:`]),
    ...shown(stopped.map(commitLine)),
    ...(share.measured
      ? []
      : [
          `This compares texts only. ${share.problem === undefined ? 'No checks were run.' : `The checks could not run: ${share.problem}`}`,
        ]),
  ];
}

function commitLine({ task, title, reasons: [first = '', ...more] }: AskedCommit): string {
  return `  ${task} ${title}: ${first}${more.length === 0 ? '' : ` (and ${more.length} more)`}`;
}

const wording: Readonly<Record<string, string>> = {
  missing: 'not done',
  unexpected: 'done besides',
  differs: 'differs',
};

function sameTree({ tree, expectedTree }: RehearsalFindings): string {
  return tree === expectedTree ? `The same tree: ${tree}` : 'The same tree, but for what was not recorded.';
}

const mostLines = 40;

function shown(lines: readonly string[]): readonly string[] {
  return lines.length <= mostLines ? lines : [...lines.slice(0, mostLines), `  and ${lines.length - mostLines} more`];
}
