/** A recording under the project's settings of today: who plays what, how fast, and what is not as it was. Pure. */
import { parseDuration } from '../agents/duration.ts';
import { type Settings, settingsSchema } from '../policy/settings.ts';
import { forgeVersion } from '../version.ts';
import { findDefinition } from '../workflows/registry.ts';
import type { Recording } from './recording.ts';

/** The project's own, with every agent that can be named played from the script. */
export function rehearsalSettings(
  project: Settings,
  recording: Recording,
  { script, parallel }: { readonly script: string; readonly parallel: number | undefined },
): Settings {
  const recorded = settingsSchema.safeParse(recording.settings);
  const known = [...Object.keys(project.agents), ...(recorded.success ? Object.keys(recorded.data.agents) : [])];
  const names = known.length === 0 ? ['rehearsal'] : [...new Set(known)];
  return {
    ...project,
    agents: Object.fromEntries(names.map((name) => [name, { driver: 'scripted', script }] as const)),
    parallel: parallel ?? project.parallel,
    // Recorded trouble is what was left after all patience: it is not waited for again.
    trouble: { ...project.trouble, retries: 0, longestWait: 0 },
    rehearsal: true,
  };
}

export function pacedEntry(entry: Readonly<Record<string, unknown>>, pace: number): Readonly<Record<string, unknown>> {
  const took = typeof entry['took'] === 'string' ? (parseDuration(entry['took']) ?? 0) : 0;
  const ms = Math.round(took * pace);
  if (ms === 0 || !Array.isArray(entry['do'])) return entry;
  return { ...entry, do: [{ sleep: `${ms}ms` }, ...(entry['do'] as readonly unknown[])] };
}

export function changesSince(project: Settings, recording: Recording, workflow: string): readonly string[] {
  const then = settingsSchema.safeParse(recording.settings);
  const names = (Object.keys(project) as (keyof Settings)[]).filter((name) => name !== 'agents');
  const other = then.success
    ? names.filter((name) => JSON.stringify(project[name]) !== JSON.stringify(then.data[name]))
    : [];
  const version = findDefinition(workflow)?.version;
  return [
    ...(recording.forge === forgeVersion
      ? []
      : [`it was recorded with Forge ${recording.forge}, this is ${forgeVersion}`]),
    ...(workflow === recording.workflow ? [] : [`it was recorded with ${recording.workflow}, this is ${workflow}`]),
    ...(workflow === recording.workflow && version !== undefined && version !== recording.workflowVersion
      ? [`${workflow} was version ${recording.workflowVersion} and is ${version}`]
      : []),
    ...(other.length === 0 ? [] : [`other settings than when it was recorded: ${other.join(', ')}`]),
  ];
}
