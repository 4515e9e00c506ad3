/** Documents of a run: plan, report, findings, and files it left. Markdown is drawn; all of it can be read as text. */
import { type ReactNode, useMemo, useState } from 'react';
import { downloadName, Empty, Loading, Trouble } from '../parts/basics.tsx';
import { isDrawable, MarkdownText } from '../parts/markdown.tsx';
import { cut, visible } from '../parts/visible-text.ts';
import type { ViewProps } from '../run/run-view.tsx';
import { useCall } from '../source/hooks.ts';

interface Listed {
  readonly name: string;
  readonly bytes?: number;
}

export function Documents({ run, repository, page, query, address }: ViewProps): ReactNode {
  const version = `${page.status} ${page.progress.done}`;
  const { value, failure, reload } = useCall<readonly Listed[]>('list-documents', { run }, { repository, version });
  const name = query.get('name') ?? value?.[0]?.name;
  const document = useCall<{ text: string }>(
    name === undefined ? undefined : 'read-document',
    { run, name },
    { repository, version },
  );
  const [isRaw, setRaw] = useState(false);
  const whole = document.value?.text ?? '';
  const canDraw = useMemo(() => name?.endsWith('.md') === true && isDrawable(whole), [name, whole]);
  if (failure !== undefined && value === undefined) return <Trouble failure={failure} onRetry={reload} />;
  if (value === undefined) return <Loading />;
  if (value.length === 0) return <Empty title="There are no documents yet" />;
  const { text, more } = cut(visible(whole), 1_000_000);
  return (
    <div className="split">
      <nav aria-label="Documents">
        <ul className="plain-list">
          {value.map((one) => (
            <li key={one.name}>
              <a href={address('documents', { name: one.name })} aria-current={one.name === name} data-entry="">
                {one.name}
              </a>
            </li>
          ))}
        </ul>
      </nav>
      <section aria-label={name ?? 'Document'}>
        {document.failure === undefined ? null : <Trouble failure={document.failure} />}
        {document.isLoading ? <Loading /> : null}
        {document.value === undefined ? null : (
          <>
            <div className="toolbar">
              {canDraw ? (
                <div className="segments" role="group" aria-label="Show as">
                  <button type="button" aria-pressed={!isRaw} onClick={() => setRaw(false)}>
                    Document
                  </button>
                  <button type="button" aria-pressed={isRaw} onClick={() => setRaw(true)}>
                    Text
                  </button>
                </div>
              ) : null}
              <button type="button" onClick={() => save(downloadName(`${run}-${name ?? ''}`), whole)}>
                Download
              </button>
            </div>
            {text === '' ? (
              <p className="soft">This document is empty.</p>
            ) : canDraw && !isRaw ? (
              <MarkdownText text={whole} />
            ) : (
              <pre className="document" tabIndex={0}>
                {text}
              </pre>
            )}
            {more > 0 && (isRaw || !canDraw) ? (
              <p className="soft">{more.toLocaleString()} more characters: download it to read on.</p>
            ) : null}
          </>
        )}
      </section>
    </div>
  );
}

function save(name: string, text: string): void {
  const link = window.document.createElement('a');
  link.href = URL.createObjectURL(new Blob([text], { type: 'text/plain' }));
  link.download = name;
  link.click();
  URL.revokeObjectURL(link.href);
}
