/**
 * Build files whose main content is dependencies (Cargo.toml, go.mod, pom.xml, Gradle, pnpm-workspace.yaml), looked at only
 * for lines that switch tests off, leave some out or choose what runs scripts. Such a change is for a person to see; the commit's file stays.
 */

export function switchChanges(before: string | undefined, after: string | undefined): string[] {
  if (after === undefined) return ['deleted'];
  const had = new Map<string, number>();
  for (const line of switches(before ?? '')) had.set(line, (had.get(line) ?? 0) + 1);
  const added = switches(after).filter((line) => {
    const left = had.get(line) ?? 0;
    if (left > 0) had.set(line, left - 1);
    return left === 0;
  });
  return [...new Set(added)].map((line) => `added: ${line.slice(0, 120)}`);
}

const patterns: readonly RegExp[] = [
  /^(?:test|doctest|harness|autotests|autobins|bench)\s*=/,
  /^\[\[?test\]\]?/,
  /^['"]?(?:scriptShell|script-shell|nodeOptions|node-options|shellEmulator|pnpmfile|globalPnpmfile)['"]?\s*:/,
  // Members that checks of all packages would leave out.
  /^-\s*['"]?!/,
  /^(?:exclude|default-members)\s*=/,
  // Where a package comes from: a runner or an assertion library could be taken from anywhere.
  /^\[(?:patch|replace)[.\]]/,
  /^(?:replace\s|exclude\s|[\w./-]+(?:\s+v\S+)?\s+=>\s)/,
  /skipTests|skipITs|maven\.test\.skip|testFailureIgnore|ignoreFailures|<skip>|excludeTestsMatching|failIfNoTests|enabled\s*=\s*false/,
];

function switches(text: string): string[] {
  return text
    .split(/\r?\n/)
    .map((line) => line.trim())
    .filter((line) => patterns.some((pattern) => pattern.test(line.slice(0, 500))));
}
