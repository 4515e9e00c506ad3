/**
 * Ends a process with everything it started. A tree is its process group, its descendants by parent
 * links, and whatever was once seen to belong: so a child that left the group is still found.
 * Every signal goes to an identity that was just read, never to a remembered number. Not found here: a
 * process that left the group and whose parents had all died before the first look (only a jail ends
 * those), and one that changed its user so that it cannot be signalled.
 */
import { setTimeout as sleep } from 'node:timers/promises';
import { sameBoot, sameHost } from './identity.ts';
import type { ProcessIdentity } from './process.ts';
import { listProcesses, namespacePids, type ProcessEntry } from './process-table.ts';

export const defaultGraceMs = 2000;

/**
 * TERM, then KILL after the grace; resolves when nothing of the tree is left. The root may be long gone:
 * then its group is what is ended, provided the pid was not given to another process.
 */
export async function killTree(root: ProcessIdentity, graceMs: number = defaultGraceMs): Promise<void> {
  if (!sameHost(root)) throw new Error(`process ${root.pid} belongs to host ${root.host}`);
  if (!sameBoot(root)) return;
  const tree = new Tree(root);
  const asked = new Set<string>();
  const deadline = performance.now() + graceMs;
  let pause = 1;
  while (performance.now() < deadline) {
    const members = tree.look();
    if (members.length === 0) return;
    for (const member of askable(members)) {
      if (asked.has(nameOf(member))) continue;
      asked.add(nameOf(member));
      tree.signal(member, 'SIGTERM');
    }
    await sleep(Math.min(pause, Math.max(1, deadline - performance.now())));
    pause = Math.min(pause * 2, 25);
  }
  await endNow(tree);
}

/** What is left of a group whose leader has ended by itself: killed, resolves when it is gone. */
export async function killGroup(leader: ProcessIdentity): Promise<void> {
  if (!(await vanishes(leader.pid))) await endNow(new Tree(leader));
}

/**
 * What died with its leader only waits to be collected, which takes a moment. Waiting for it spares a look at every
 * process of the machine after nearly every program.
 */
async function vanishes(group: number): Promise<boolean> {
  for (let look = 0; look < 4; look += 1) {
    if (!groupExists(group)) return true;
    await sleep(1);
  }
  return !groupExists(group);
}

/**
 * Whom a polite request may reach. The monitor of a pid namespace dies of TERM and takes its namespace along before
 * anyone inside could finish; the first process inside ignores TERM. Both are left out, so what they contain is asked.
 */
function askable(members: readonly ProcessEntry[]): readonly ProcessEntry[] {
  const firsts = members.filter((member) => isNamespaceFirst(member.pid));
  const spared = new Set(firsts.flatMap((first) => [first.pid, first.parent]));
  return members.filter((member) => !spared.has(member.pid));
}

function isNamespaceFirst(pid: number): boolean {
  const pids = namespacePids(pid);
  return pids.length > 1 && pids.at(-1) === 1;
}

async function endNow(tree: Tree): Promise<void> {
  let pause = 1;
  for (;;) {
    const members = freeze(tree);
    if (members.length === 0) return;
    for (const member of members) tree.signal(member, 'SIGKILL');
    await sleep(pause);
    pause = Math.min(pause * 2, 50);
  }
}

/** Stops everything before anything is killed, so that no parent forks a child that would be orphaned unseen. */
function freeze(tree: Tree): readonly ProcessEntry[] {
  const stopped = new Set<string>();
  for (;;) {
    const members = tree.look();
    const moving = members.filter((member) => !stopped.has(nameOf(member)));
    if (moving.length === 0) return members;
    for (const member of moving) {
      stopped.add(nameOf(member));
      tree.signal(member, 'SIGSTOP');
    }
  }
}

class Tree {
  readonly #root: ProcessIdentity;
  readonly #seen = new Set<string>();
  readonly #outOfReach = new Set<string>();

  constructor(root: ProcessIdentity) {
    this.#root = root;
    this.#seen.add(nameOf(root));
  }

  /** The members that run now. */
  look(): readonly ProcessEntry[] {
    const table = listProcesses();
    const children = byParent(table);
    const leader = table.find((entry) => entry.pid === this.#root.pid);
    // The system gives no pid away while a group bears it: another process there means that our group is gone.
    const groupIsOurs = leader === undefined || nameOf(leader) === nameOf(this.#root);
    const open = table.filter(
      (entry) => this.#seen.has(nameOf(entry)) || (groupIsOurs && entry.group === this.#root.pid),
    );
    const members = new Map<string, ProcessEntry>();
    for (let entry = open.pop(); entry !== undefined; entry = open.pop()) {
      if (members.has(nameOf(entry))) continue;
      members.set(nameOf(entry), entry);
      this.#seen.add(nameOf(entry));
      open.push(...(children.get(entry.pid) ?? []));
    }
    return [...members.values()].filter(
      (entry) => entry.running && entry.pid !== process.pid && !this.#outOfReach.has(nameOf(entry)),
    );
  }

  signal(member: ProcessEntry, name: NodeJS.Signals): void {
    try {
      process.kill(member.pid, name);
    } catch (error) {
      // ESRCH: it ended meanwhile, the next look will show it. EPERM: it is someone else's now, and waiting is vain.
      if ((error as NodeJS.ErrnoException).code !== 'ESRCH') this.#outOfReach.add(nameOf(member));
    }
  }
}

function byParent(table: readonly ProcessEntry[]): ReadonlyMap<number, readonly ProcessEntry[]> {
  const children = new Map<number, ProcessEntry[]>();
  for (const entry of table) {
    const siblings = children.get(entry.parent);
    if (siblings === undefined) children.set(entry.parent, [entry]);
    else siblings.push(entry);
  }
  return children;
}

function nameOf(entry: { readonly pid: number; readonly startTime: string }): string {
  return `${entry.pid}@${entry.startTime}`;
}

function groupExists(group: number): boolean {
  try {
    process.kill(-group, 0);
    return true;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM';
  }
}
