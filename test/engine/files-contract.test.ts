import { join } from 'node:path';
import { FilesEngine } from '../../src/engine/files/files-engine.ts';
import { engineContract } from '../contract/engine.contract.ts';
import { countingClock } from '../support/clock.ts';
import { tempDir } from '../support/temp.ts';
import { fakeHost, identity } from './support.ts';

engineContract('the engine on files', () => {
  const runs = join(tempDir(), 'runs');
  const alive = new Set<number>();
  return {
    die: (process) => void alive.delete(process),
    open: ({ process, workflow, performers, probe }) => {
      alive.add(process);
      return new FilesEngine({
        runs,
        host: fakeHost(identity(process), alive),
        clock: countingClock(),
        workflow: () => workflow,
        performers: async () => performers,
        forge: '0.0.0',
        jail: 'none',
        ...(probe === undefined ? {} : { probe }),
      });
    },
  };
});
