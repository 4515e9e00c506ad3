/** Lets a person change a text in their own editor. The file is theirs alone and goes when the editor is left. */
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { ForgeError } from '../errors.ts';
import { runForeground } from '../process/foreground.ts';

export interface EditRequest {
  readonly text: string;
  /** Its ending tells the editor what it is. */
  readonly name: string;
  readonly cwd: string;
  readonly env: Readonly<Record<string, string | undefined>>;
}

/** Opens the person's editor on a file or a directory and waits until it is left. */
export async function openEditor(path: string, { cwd, env }: Pick<EditRequest, 'cwd' | 'env'>): Promise<void> {
  const editor = env['VISUAL'] || env['EDITOR'] || 'vi';
  // `code --wait` is how people write it; words, never a shell.
  const [program = 'vi', ...args] = editor.trim().split(/\s+/);
  const code = await runForeground({ program, args: [...args, path], cwd, env });
  if (code === 0) return;
  throw new ForgeError('bad-input', `The editor ${program} ended with ${code ?? 'a signal'}`, {
    hint: 'Nothing was changed. Set EDITOR to the editor you like.',
  });
}

/** Undefined when the person changed nothing or emptied it. */
export async function editText({ text, name, cwd, env }: EditRequest): Promise<string | undefined> {
  const directory = await mkdtemp(join(tmpdir(), 'forge-edit-'));
  const file = join(directory, name);
  try {
    await writeFile(file, text, { mode: 0o600 });
    await openEditor(file, { cwd, env });
    const edited = await readFile(file, 'utf8');
    return edited === text || edited.trim() === '' ? undefined : edited;
  } finally {
    await rm(directory, { recursive: true, force: true });
  }
}
