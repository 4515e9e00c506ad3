/**
 * Commands that cannot fail, or say nothing about the repository: `true`, `echo ok`, `node --version`. A plan that
 * names only such commands has named no check. Pure, and only about the words: it never runs anything.
 */
export function provesNothing(argv: readonly string[]): boolean {
  const [program = '', ...args] = argv;
  const name = program.split('/').at(-1) ?? '';
  if (/^(?:env|nice|time|timeout|npx|command|exec)$/.test(name) && args.length > 0) {
    const rest = args.slice(args.findIndex((word) => !/^-|^\w+=|^[\d.]+[smhd]?$/.test(word)));
    return rest.length < argv.length && rest.length > 0 && provesNothing(rest);
  }
  if (idle.has(name)) return true;
  return args.length > 0 && args.every((word) => asksAboutItself.test(word));
}

const idle = new Set('true : echo printf sleep pwd date whoami id uname hostname yes exit'.split(' '));

const asksAboutItself = /^(?:--?version|-v|-V|version|--?help|-h|help)$/;
