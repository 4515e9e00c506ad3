/** Arguments as a line for a shell. Apart from reading such lines, which takes far more. Pure. */

/** The line that `parseCommandLine` reads back as exactly these arguments. */
export function quoteCommand(argv: readonly string[]): string {
  return argv
    .map((word, place) => {
      const isSafe = /^[A-Za-z0-9_@%+:,./-]+$/.test(word) || (place > 0 && /^[A-Za-z0-9_@%+:,./=-]+$/.test(word));
      return isSafe ? word : `'${word.replaceAll("'", `'\\''`)}'`;
    })
    .join(' ');
}
