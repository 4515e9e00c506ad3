/**
 * What lies in `.forge` and whether this Forge can use it: versions of settings and store, what does not fit in them, and
 * packs that are older than their sources. For `forge doctor`; changes nothing.
 */
import { lstatSync } from 'node:fs';
import { join } from 'node:path';
import type { Examination } from '../compose.ts';
import { ForgeError } from '../errors.ts';
import { readConfinedText } from '../files/confined.ts';
import { upgradeSettings } from '../policy/upgrade-settings.ts';
import { inspectStore } from '../store/inspect-store.ts';
import { readStoreVersion, storeDirectory, storeVersion } from '../store/store-files.ts';
import { countText } from '../views/figures.ts';
import type { ApiContext } from './context.ts';
import { findStoreRoot, ownPhasesOf } from './store-place.ts';

const upgradeHint = 'See what would change: forge upgrade --dry-run';

export async function examineStructure(context: Pick<ApiContext, 'cwd'>): Promise<readonly Examination[]> {
  const root = await rootOf(context);
  if (root === undefined) return [];
  return [...settingsStructure(root), ...storeStructure(root)];
}

/** Undefined outside a repository: that was said already. */
async function rootOf(context: Pick<ApiContext, 'cwd'>): Promise<string | undefined> {
  try {
    return await findStoreRoot(context);
  } catch (error) {
    if (error instanceof ForgeError) return undefined;
    throw error;
  }
}

function settingsStructure(root: string): readonly Examination[] {
  const text = readConfinedText(root, '.forge/config.yaml');
  if (text === undefined) return [];
  try {
    const { from, to } = upgradeSettings(text);
    // Older ones work as they are.
    const detail = from === to ? `version ${to}` : `version ${from}; forge upgrade brings it to version ${to}`;
    return [{ name: 'settings version', ok: true, optional: true, detail, hint: '' }];
  } catch (error) {
    if (!(error instanceof ForgeError)) throw error;
    // Whoever reads the settings themselves says what is wrong with them.
    return [];
  }
}

function storeStructure(root: string): readonly Examination[] {
  const stat = lstatSync(join(root, storeDirectory), { throwIfNoEntry: false });
  if (stat === undefined) return [];
  const name = 'store';
  if (!stat.isDirectory())
    return [
      { name, ok: false, optional: false, detail: `${storeDirectory} is not a directory`, hint: 'Move it away.' },
    ];
  const version = readStoreVersion(root);
  if (version !== undefined && version > storeVersion) {
    const detail = `version ${version}; this Forge knows versions up to ${storeVersion}`;
    return [{ name, ok: false, optional: false, detail, hint: 'Update Forge.' }];
  }
  if (version === undefined)
    return [{ name, ok: false, optional: true, detail: 'has no version: another tool made it', hint: upgradeHint }];
  const errors = inspectStore(root, ownPhasesSafely(root)).filter(({ level }) => level === 'error').length;
  const ok = errors === 0;
  const detail = ok
    ? `version ${version}, every record fits`
    : `version ${version}, ${countText(errors, 'fault')} in records`;
  return [{ name, ok, optional: true, detail, hint: ok ? '' : 'See them with their fixes: forge store validate' }];
}

/** Settings that cannot be read are reported elsewhere. */
function ownPhasesSafely(root: string): readonly string[] {
  try {
    return ownPhasesOf(root);
  } catch (error) {
    if (error instanceof ForgeError) return [];
    throw error;
  }
}
