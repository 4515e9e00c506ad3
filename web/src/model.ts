/** The shapes of what the server answers, as the operations declare them. */
import type { RunDetails } from '../../src/api/inspect-run.ts';
import type { RunChange } from '../../src/api/watch-run.ts';

export type RunPage = NonNullable<RunChange['page']>;
export type OpenQuestion = NonNullable<RunChange['questions']>[number];
export type FlatNode = RunChange['nodes'][number];
export type ReportedFinding = RunDetails['report']['findings'][number];
export type Page = NonNullable<OpenQuestion['page']>;
export type PageBlock = Page['sections'][number]['blocks'][number];
