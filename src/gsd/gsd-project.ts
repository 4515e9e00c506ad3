/**
 * A project kept in `.gsd`: milestones, their slices and the tasks of those, as far as the files say. Types only. Done
 * is not a box that somebody ticked: `evidence` says what stands behind it, and `remarks` list where files disagree.
 */

/** Which tool laid the folder out. Only the first four can be continued. */
export const gsdLayouts = ['nested', 'task-folders', 'flat', 'early', 'foreign', 'absent'] as const;
export type GsdLayout = (typeof gsdLayouts)[number];

export interface GsdProject {
  readonly layout: GsdLayout;
  readonly milestones: readonly GsdMilestone[];
  /** What STATE.md says is being worked on. It lags behind the files, so it only breaks ties. */
  readonly hint: {
    readonly milestone?: string | undefined;
    readonly slice?: string | undefined;
    readonly phase?: string | undefined;
  };
  /** Where the documents disagree or cannot be understood, by file. Nothing is changed because of one. */
  readonly remarks: readonly GsdRemark[];
}

export interface GsdRemark {
  readonly file: string;
  readonly problem: string;
}

export interface GsdMilestone {
  readonly id: string;
  /** Relative to the project's root. */
  readonly directory: string;
  readonly title: string;
  readonly vision: string;
  readonly has: Readonly<Record<MilestoneDocument, boolean>>;
  readonly isParked: boolean;
  readonly status: GsdStatus;
  readonly slices: readonly GsdSlice[];
}

export const milestoneDocuments = ['roadmap', 'context', 'research', 'summary'] as const;
export type MilestoneDocument = (typeof milestoneDocuments)[number];

export interface GsdSlice {
  readonly id: string;
  readonly title: string;
  /** The level where one can be read; `riskText` is what was written. */
  readonly risk?: 'low' | 'medium' | 'high' | undefined;
  readonly riskText: string;
  readonly depends: readonly string[];
  /** Planned only as an idea so far. */
  readonly isSketch: boolean;
  readonly demo: string;
  readonly has: Readonly<Record<SliceDocument, boolean>>;
  readonly status: GsdStatus;
  readonly tasks: readonly GsdTask[];
}

export const sliceDocuments = ['plan', 'research', 'summary', 'risk', 'continue'] as const;
export type SliceDocument = (typeof sliceDocuments)[number];

export interface GsdTask {
  readonly id: string;
  readonly title: string;
  readonly status: GsdStatus;
  /** The plan says RUNNING: whoever worked on it did not get to its end. */
  readonly isInterrupted: boolean;
  /** Undefined when the plan does not say: such a task never runs beside another. */
  readonly depends?: readonly string[] | undefined;
  readonly writes?: readonly string[] | undefined;
  readonly hasPlan: boolean;
}

/** `skipped` counts as over. */
export interface GsdStatus {
  readonly state: 'open' | 'done' | 'skipped';
  /** `summary`: a document that is not a stub. `mark`: only a ticked box or a status word. */
  readonly evidence: 'summary' | 'manifest' | 'mark' | 'none';
}

export const openStatus: GsdStatus = { state: 'open', evidence: 'none' };

export function isOverStatus({ status }: { readonly status: GsdStatus }): boolean {
  return status.state !== 'open';
}
