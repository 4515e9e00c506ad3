/** What the rest of the run needs of a wave, gathered while it is worked on: bugs, handoff, the developer's session. */
import type { Figures } from '../../engine/facts.ts';
import type { Handoff, TesterResult } from './role-results.ts';
import { readWaveData, type WaveData } from './wave-data.ts';
import { tallyText } from './wave-wording.ts';

export class WaveLog {
  #data: WaveData = readWaveData({});

  handedOver(handoff: Handoff, session: string | undefined): void {
    this.#data = {
      ...this.#data,
      handoff: newestHandoff(this.#data.handoff, handoff),
      ...(session === undefined ? {} : { session }),
    };
  }

  /** A bug that is not named again was fixed. */
  tested({ bugs, unit, integration, skipped }: TesterResult): void {
    const { found, open, rounds } = this.#data;
    const known = new Set(open.map((bug) => bug.title));
    this.#data = {
      ...this.#data,
      found: found + bugs.filter((bug) => !known.has(bug.title)).length,
      open: [...bugs],
      tests: { unit, integration, skipped: skipped.length },
      rounds: rounds + 1,
    };
  }

  unverified(what: string): void {
    this.#data = { ...this.#data, unverified: [...this.#data.unverified, what] };
  }

  /** What a person reads beside the wave. */
  figures(): Figures {
    const { rounds, found, tests } = this.#data;
    const counts = tests === undefined ? '' : tallyText({ ...tests, skipped: Array.from({ length: tests.skipped }) });
    return { rounds, bugs: found, ...(counts === '' ? {} : { tests: counts }) };
  }

  data(): null {
    return this.#data as unknown as null;
  }
}

/** A fix often says nothing about what stayed as it was: per section, the newest that says something counts. */
function newestHandoff(before: Handoff, now: Handoff): Handoff {
  const newer = (section: keyof Handoff): string[] => (now[section].length > 0 ? now[section] : before[section]);
  return {
    filesModified: newer('filesModified'),
    keyInterfaces: newer('keyInterfaces'),
    stateDependencies: newer('stateDependencies'),
    deviations: newer('deviations'),
  };
}
