/**
 * `cargo test`: one block per target from `running N tests` to `test result:`. Failing names come from the
 * list that closes a block, because what tests print can look like results. Targets are announced on standard
 * error, in the order of the blocks. A crate that does not compile did not load.
 */
import { toReading, type Point, type Reading, type RunOutput, type Totals } from './reading.ts';
import { plainLines } from './text.ts';

export function read(output: RunOutput): Reading | undefined {
  const out = plainLines(output.stdout);
  const both = [...out, ...plainLines(output.stderr)];
  const blocks = blocksOf(out);
  const broken = new Set(both.flatMap((line) => /^error: could not compile `([^`]+)`/.exec(line)?.[1] ?? []));
  if (blocks.length === 0 && broken.size === 0) return undefined;
  const targets = both.flatMap((line) => targetOf(line) ?? []);
  const named = targets.length === blocks.length;
  const points: Point[] = [...broken].map((name) => ({ name, status: 'failed', unloaded: true }));
  const totals = { passed: 0, failed: broken.size, skipped: 0 };
  for (const [index, block] of blocks.entries()) {
    const prefix = named ? `${targets[index] ?? ''}::` : '';
    for (const name of block.failing) points.push({ name: `${prefix}${name}`, status: 'failed' });
    totals.passed += block.totals.passed;
    totals.failed += block.totals.failed;
    totals.skipped += block.totals.skipped;
  }
  return toReading(points, output.root, totals);
}

function targetOf(line: string): string | undefined {
  // `Running tests/it.rs (target/debug/deps/it-4b221586d8d4eec4)`: the hash differs between machines.
  const running = /^ +Running .*?\(?(?:[^\s()]*[\\/])?([\w-]+)-[0-9a-f]{16}(?:\.exe)?\)?$/.exec(line);
  if (running !== null) return running[1];
  const docs = /^ +Doc-tests (\S+)$/.exec(line)?.[1];
  return docs === undefined ? undefined : `${docs} (doc)`;
}

interface Block {
  readonly failing: readonly string[];
  readonly totals: Totals;
}

function blocksOf(lines: readonly string[]): Block[] {
  const blocks: Block[] = [];
  let open = false;
  let marked: string[] = [];
  let listed: string[] | undefined;
  for (const line of lines) {
    if (/^running \d+ tests?$/.test(line)) {
      open = true;
      marked = [];
      listed = undefined;
      continue;
    }
    if (line === 'failures:') listed = [];
    else if (listed !== undefined && /^ {4}\S/.test(line)) listed.push(line.trim());
    const mark = open && listed === undefined ? /^test (.+) \.\.\. FAILED$/.exec(line)?.[1] : undefined;
    if (mark !== undefined) marked.push(mark);
    const end = /^test result: (?:ok|FAILED)\. (\d{1,9}) passed; (\d{1,9}) failed; (\d{1,9}) ignored;/.exec(line);
    if (end === null) continue;
    const names = (listed !== undefined && listed.length > 0 ? listed : marked).map(bareName);
    const failed = Number(end[2]);
    blocks.push({
      failing: failed === 0 ? [] : names,
      totals: { passed: Number(end[1]), failed, skipped: Number(end[3]) },
    });
    open = false;
    listed = undefined;
    marked = [];
  }
  return blocks;
}

function bareName(name: string): string {
  return name.replace(/ - should panic$/, '').replace(/ \(line \d+\)/, '');
}
