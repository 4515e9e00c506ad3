/**
 * What the agents of a run did, as a recording. Reads the journal, the commits and the transcripts of a run that is over,
 * and changes none of them. Of a task that was tried again only the last try counts. Secrets are redacted, in texts and in
 * files.
 */
import { asText, type RecordedChange, recordJob } from '../agents/record-script.ts';
import { redactValue } from '../agents/redact-value.ts';
import { parseTranscript } from '../agents/transcript.ts';
import { transcriptName } from '../agents/transcript-name.ts';
import { type EffectOutput, type EffectRequest, effectMap } from '../engine/effect-map.ts';
import type { RunListing, RunReader } from '../engine/engine.ts';
import type { RunArtifacts } from '../engine/run-artifacts.ts';
import type { RunState } from '../engine/run-state.ts';
import { ForgeError } from '../errors.ts';
import { treeOf } from '../git/changes.ts';
import type { Repository } from '../git/git.ts';
import { readContentChanges, readPatches } from '../git/recorded-changes.ts';
import { diffEntries, isPlainFile, readBlobs } from '../git/tree-edit.ts';
import type { Redactor } from '../process/redact.ts';
import type { Expected, Recording } from './recording.ts';

export async function recordingOf(
  { repo, engine }: { readonly repo: Repository; readonly engine: RunReader },
  listing: RunListing,
  redactor: Redactor,
): Promise<Recording> {
  const { state } = listing;
  const artifacts = engine.artifacts(listing.run);
  const { created } = state ?? {};
  if (state === undefined || created === undefined)
    throw new ForgeError('journal-corrupt', listing.problem ?? 'the journal cannot be read');
  const redacted = new Set<string>();
  const entries: Recording['entries'] = [];
  for (const [key, job] of finishedJobs(state)) {
    const recorded = recordJob(
      { key, outcome: job.output.outcome, changes: await changesOf(repo, job), said: await saidIn(artifacts, key) },
      redactor,
    );
    entries.push({ ...recorded.entry });
    for (const path of recorded.redacted) redacted.add(path);
  }
  const { run, workflow, workflowVersion, base, forge } = created;
  const clean = (value: unknown): unknown => redactValue(value, redactor);
  return {
    recording: 1,
    forge,
    run,
    workflow,
    workflowVersion,
    base,
    input: clean(created.input) as Recording['input'],
    settings: clean(created.settings) as Recording['settings'],
    answers: answersOf(state).map((answer) => clean(answer) as Recording['answers'][number]),
    result: {
      status: state.status,
      reason: redactor.redact(state.reason),
      ...(await expectedOf(repo, base, state.integration ?? base)),
      redacted: [...redacted].sort(),
    },
    entries,
  };
}

/** What should come out, for whoever has it again. */
export async function expectedOf(repo: Repository, base: string, commit: string): Promise<Expected> {
  const changes = await diffEntries(repo, base, commit);
  return {
    tree: await treeOf(repo, commit),
    changed: changes.map(({ path, after }) => ({
      path,
      mode: after?.mode ?? '000000',
      id: after?.id ?? '0'.repeat(repo.objectFormat === 'sha256' ? 64 : 40),
    })),
    redacted: [],
  };
}

interface FinishedJob {
  readonly request: EffectRequest<'agent.run'>;
  readonly output: EffectOutput<'agent.run'>;
}

function finishedJobs({ effects }: Readonly<RunState>): readonly (readonly [string, FinishedJob])[] {
  const { input: request, output } = effectMap['agent.run'];
  return [...effects].flatMap(([key, effect]) =>
    effect.kind !== 'agent.run' || effect.result === undefined
      ? []
      : [[key, { request: request.parse(effect.input), output: output.parse(effect.result.output) }] as const],
  );
}

async function changesOf(repo: Repository, { request, output }: FinishedJob): Promise<readonly RecordedChange[]> {
  const range = { from: request.commit, to: output.commit };
  if (range.from === range.to) return [];
  const changes = await readContentChanges(repo, range.from, range.to);
  const edited = changes.filter(
    ({ before, after }) => isPlainFile(before) && isPlainFile(after) && before.mode === after.mode,
  );
  const earlier = await readBlobs(
    repo,
    edited.map(({ before }) => before?.id ?? ''),
    textLimits,
  );
  const isText = (content: Uint8Array | undefined): boolean => content !== undefined && asText(content) !== undefined;
  const texts = edited.filter(({ before, after }) => isText(earlier.get(before?.id ?? '')) && isText(after?.content));
  const patches = await readPatches(
    repo,
    range,
    texts.map(({ path }) => path),
  );
  return changes.map((change) => ({ ...change, patch: patches.get(change.path) }));
}

/** A larger text is written down whole. */
const textLimits = { eachBytes: 1024 * 1024, allBytes: 64 * 1024 * 1024 };

/** The last of what it said: enough to recognise the work. */
async function saidIn(artifacts: RunArtifacts, key: string): Promise<readonly string[]> {
  const content = await artifacts.read(transcriptName(key));
  if (content === undefined) return [];
  const texts = parseTranscript(content).records.filter(({ type, text }) => type === 'text' && text.trim() !== '');
  return texts.slice(-mostSaid).map(({ text }) => text.slice(0, mostSaidChars));
}

const mostSaid = 20;
const mostSaidChars = 2000;

function answersOf({ questions }: Readonly<RunState>): Recording['answers'] {
  return [...questions].flatMap(([key, { answer }]) => {
    if (answer === undefined) return [];
    const { option, text } = answer;
    return [{ key, ...(option === undefined ? {} : { option }), ...(text === undefined ? {} : { text }) }];
  });
}
