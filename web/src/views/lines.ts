/** Numbered lines that come in pages as they are scrolled to. Few pages are kept. */
import { useEffect, useMemo, useReducer, useState } from 'react';
import { type Failure, failureOf, useSource } from '../source/source.ts';

export interface NumberedLine {
  readonly number: number;
  readonly text: string;
}

interface Answer {
  readonly total: number;
  readonly found?: number;
  readonly lines: readonly NumberedLine[];
}

export interface Lines {
  readonly count: number;
  /** With a search: how many fit. */
  readonly found: number | undefined;
  readonly failure: Failure | undefined;
  /** Undefined while it is on its way. */
  at(index: number): NumberedLine | undefined;
}

const pageSize = 100;
const mostPages = 60;
const searchMs = 250;

export function useLines(
  operation: string,
  input: Readonly<Record<string, unknown>>,
  {
    repository,
    total,
    search,
    filter = {},
  }: {
    readonly repository: string | undefined;
    readonly total: number;
    readonly search: string;
    readonly filter?: Readonly<Record<string, string>>;
  },
): Lines {
  const source = useSource();
  const [, draw] = useReducer((count: number) => count + 1, 0);
  const [failure, setFailure] = useState<Failure>();
  const key = JSON.stringify([operation, input, repository]);
  const pages = useMemo(() => new Map<number, { size: number; lines: readonly NumberedLine[] | undefined }>(), [key]);
  const wanted = JSON.stringify([search, filter]);
  const isFiltered = search !== '' || Object.keys(filter).length > 0;
  const [matches, setMatches] = useState<{ wanted: string; answer: Answer }>();
  useEffect(() => {
    if (!isFiltered) return;
    let isCurrent = true;
    const timer = setTimeout(() => {
      source
        .call<Answer>(operation, { ...input, ...filter, ...(search === '' ? {} : { search }), count: 500 }, repository)
        .then(
          (answer) => {
            if (isCurrent) setMatches({ wanted, answer });
          },
          (error: unknown) => {
            if (isCurrent) setFailure(failureOf(error));
          },
        );
    }, searchMs);
    return () => {
      isCurrent = false;
      clearTimeout(timer);
    };
    // oxlint-disable-next-line react-hooks/exhaustive-deps
  }, [key, wanted, Math.floor(total / 50)]);

  if (isFiltered) {
    const found = matches?.wanted === wanted ? matches.answer : undefined;
    return { count: found?.lines.length ?? 0, found: found?.found, failure, at: (index) => found?.lines[index] };
  }
  const load = (page: number): void => {
    const size = Math.min(pageSize, total - page * pageSize);
    const known = pages.get(page);
    if (known !== undefined && known.size >= size) return;
    pages.set(page, { size, lines: known?.lines });
    source.call<Answer>(operation, { ...input, from: page * pageSize + 1, count: pageSize }, repository).then(
      ({ lines }) => {
        pages.delete(page);
        pages.set(page, { size: lines.length, lines });
        const [oldest] = pages.keys();
        if (pages.size > mostPages && oldest !== undefined) pages.delete(oldest);
        draw();
      },
      (error: unknown) => setFailure(failureOf(error)),
    );
  };
  return {
    count: total,
    found: undefined,
    failure,
    at: (index) => {
      const page = Math.floor(index / pageSize);
      queueMicrotask(() => load(page));
      return pages.get(page)?.lines?.[index % pageSize];
    },
  };
}
