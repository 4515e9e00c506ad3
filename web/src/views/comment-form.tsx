/** The words of a comment on a line; by key as with a mouse, and whoever leaves it is back where it was opened. */
import { type ReactNode, useEffect, useRef } from 'react';

interface CommentFormProps {
  readonly label: string;
  /** Kept by the line, so that closing the form loses nothing. */
  readonly text: string;
  readonly onText: (text: string) => void;
  readonly onSend: () => void;
  readonly onClose: () => void;
}

export function CommentForm({ label, text, onText, onSend, onClose }: CommentFormProps): ReactNode {
  const openedFrom = useRef(document.activeElement);
  useEffect(
    () => () => {
      if (openedFrom.current instanceof HTMLElement) openedFrom.current.focus({ preventScroll: true });
    },
    [],
  );
  const send = (): void => {
    if (text.trim() !== '') onSend();
  };
  return (
    <form
      className="comment-form"
      onSubmit={(event) => {
        event.preventDefault();
        send();
      }}
      onKeyDown={(event) => {
        if (event.key === 'Escape') onClose();
        else if (event.key === 'Enter' && (event.ctrlKey || event.metaKey)) send();
        else return;
        event.preventDefault();
      }}
    >
      <textarea aria-label={label} autoFocus rows={3} value={text} onChange={({ target }) => onText(target.value)} />
      <div className="buttons">
        <button type="submit" className="primary" title="Ctrl+Enter">
          Add comment
        </button>
        <button type="button" onClick={onClose} title="Esc">
          Cancel
        </button>
      </div>
    </form>
  );
}
