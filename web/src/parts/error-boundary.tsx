/** What a person sees when a part of the page cannot be drawn or loaded: what happened and a way on, never an empty page. */
import { Component, type ReactNode } from 'react';

interface Props {
  readonly children: ReactNode;
  /** A way on besides loading the page again. */
  readonly wayOn?: ReactNode;
}

interface State {
  /** What went wrong. */
  readonly text?: string;
}

export class ErrorBoundary extends Component<Props, State> {
  override state: State = {};

  static getDerivedStateFromError(error: unknown): State {
    return { text: error instanceof Error ? error.message : 'an error without words' };
  }

  override render(): ReactNode {
    const { text } = this.state;
    if (text === undefined) return this.props.children;
    return (
      <div className="trouble" role="alert">
        {isLoadFailure(text) ? (
          <>
            <p>This part of the dashboard could not be loaded.</p>
            <p className="soft">
              The server does not answer, or was started again with another version. Load the page again when it runs.
            </p>
          </>
        ) : (
          <>
            <p>This part of the dashboard could not be shown: {text.slice(0, 500)}</p>
            <p className="soft">This is a bug in Forge. Your runs are not affected.</p>
          </>
        )}
        <div className="buttons">
          <button type="button" onClick={() => location.reload()}>
            Load the page again
          </button>
          {this.props.wayOn}
        </div>
      </div>
    );
  }
}

/** How browsers say that a module did not come. */
function isLoadFailure(text: string): boolean {
  return /dynamically imported module|importing a module script|error loading/i.test(text);
}
