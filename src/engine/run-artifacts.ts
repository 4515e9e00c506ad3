/**
 * What a run keeps beside its facts: transcripts, logs of checks, documents, a rehearsal's script. By name: a relative
 * path of plain components, such as `transcripts/T1.jsonl`. Never a source of truth: a run goes on without any of it.
 */
import type { LineMatches, LinePage } from '../files/line-index.ts';

export interface RunArtifacts {
  /** Undefined when there is none. No link is followed. */
  read(name: string): Promise<Buffer | undefined>;
  /** The bytes from a place on, which may lie beyond the end; a negative place counts from the end. */
  readFrom(name: string, place: number): Promise<Buffer>;
  /** Lines of what grows line by line, from the one with this number (from 1) on. */
  lines(name: string, from: number, count: number): Promise<LinePage>;
  /** The first lines that fit, at most so many. */
  searchLines(name: string, fits: (text: string) => boolean, most: number): Promise<LineMatches>;
  /** Plain files of one folder, in natural order. */
  list(folder: string): Promise<readonly ArtifactEntry[]>;
  /** Replaces the whole. */
  write(name: string, content: string): Promise<void>;
  remove(name: string): Promise<void>;
  /** For what grows line by line. Continues what is there; a line that was cut off is dropped. */
  append(name: string): ArtifactLines;
  /** A directory of this machine that holds a folder: for programs, which know only files. */
  openFolder(folder: string): Promise<LocalFolder>;
}

export interface ArtifactEntry {
  readonly name: string;
  readonly bytes: number;
}

export interface ArtifactLines {
  /** How much there is. */
  readonly bytes: number;
  /** Never waits: what is written last may be lost with the process. */
  append(line: string): void;
  /** Everything is kept when it resolves. */
  close(): Promise<void>;
}

export interface LocalFolder {
  readonly path: string;
  /** What programs wrote there belongs to the run when it resolves. */
  keep(): Promise<void>;
}
