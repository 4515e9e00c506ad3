/**
 * What the comparison of files needs to know of each, whatever its language: the names it offers with what they take,
 * the names it expects of others, and how it calls them. Made by the readers, one per language. A reader leaves out
 * what it is not certain of: `open` where more names may be offered than the text shows, no `takes` where a call can
 * not be judged. Names are data of strangers, so they are keys of maps and never of objects.
 */

export interface Shape {
  readonly kind: 'es' | 'cjs' | 'python';
  readonly exports: ReadonlyMap<string, Exported>;
  /** Names may be there that the text does not show. */
  readonly open: boolean;
  /** Modules all of whose names are offered again. */
  readonly stars: readonly string[];
  readonly wants: readonly WantedMember[];
  readonly calls: readonly Call[];
  /** Modules that this file adds names to while it runs. */
  readonly touches: readonly string[];
}

export interface Exported {
  readonly line: number;
  /** What a call takes, where that is certain. */
  readonly takes: Parameters | undefined;
  /** Offered on behalf of another module; the name `*` is the whole of it. */
  readonly from: { readonly specifier: string; readonly name: string } | undefined;
  /** Not among what a star takes. */
  readonly hidden?: boolean;
}

export interface Parameters {
  readonly list: readonly Parameter[];
  /** Takes any further arguments. */
  readonly rest: boolean;
  /** Takes any further named arguments. */
  readonly named: boolean;
}

export interface Parameter {
  readonly name: string;
  readonly by: 'position' | 'name' | 'either';
  readonly required: boolean;
}

/**
 * `import`: a name, or a member of the namespace. `require`: a member of what `require` gave. `default`: a member of a
 * default import, which is a name only where the exporter is CommonJS.
 */
export type ImportForm = 'import' | 'require' | 'default';

export interface WantedMember {
  readonly specifier: string;
  readonly name: string;
  readonly line: number;
  readonly access: ImportForm;
  /** Counts only if the name does not mean something else to that module: a Python package's `x`, not its module `x`. */
  readonly unless?: { readonly specifier: string; readonly name: string };
}

export interface Call extends WantedMember {
  readonly positional: number;
  readonly named: readonly string[];
}

export const emptyShape: Omit<Shape, 'kind'> = {
  exports: new Map(),
  open: false,
  stars: [],
  wants: [],
  calls: [],
  touches: [],
};

/** A file that was read, or why it says nothing. */
export type ContractReading =
  | { readonly status: 'read'; readonly shape: Shape }
  | { readonly status: 'broken'; readonly line: number; readonly message: string }
  /** Too large, too deep, or in a dialect we do not know: nothing is claimed about it. */
  | { readonly status: 'unread' };
