/** What can be done with a run now: each button first says what it will do, and what cannot be taken back asks twice. */
import { type ReactNode, useState } from 'react';
import type { RunAction } from '../../../src/api/run-actions.ts';
import { Dialog } from '../parts/dialog.tsx';
import { Said, Trouble } from '../parts/basics.tsx';
import { routeTo } from '../route.ts';
import { useCall } from '../source/hooks.ts';
import { type Failure, failureOf, useSource } from '../source/source.ts';

interface ActionsProps {
  readonly run: string;
  readonly repository: string | undefined;
  /** Asks again when it changes. */
  readonly version: unknown;
  readonly onRemoved: () => void;
  /** What else there is to do. */
  readonly children?: ReactNode;
}

export function Actions({ run, repository, version, onRemoved, children }: ActionsProps): ReactNode {
  const source = useSource();
  const [chosen, setChosen] = useState<RunAction>();
  const { value } = useCall<{ actions: readonly RunAction[] }>(
    source.isLive ? 'run-actions' : undefined,
    { run },
    { repository, version },
  );
  if (!source.isLive) return null;
  const buttons = (isFinal: boolean): ReactNode =>
    (value?.actions ?? [])
      .filter((action) => action.isFinal === isFinal)
      .map((action) => (
        <button
          key={action.id}
          type="button"
          className={action.isNext ? 'primary' : isFinal ? 'danger' : ''}
          onClick={() => setChosen(action)}
        >
          {action.label}
        </button>
      ));
  return (
    <div className="buttons actions" role="group" aria-label="Actions">
      {buttons(false)}
      {value === undefined ? null : children}
      {buttons(true)}
      {chosen === undefined ? null : (
        <ActionDialog
          action={chosen}
          repository={repository}
          onClose={() => setChosen(undefined)}
          onDone={() => {
            setChosen(undefined);
            if (chosen.id === 'cleanup') onRemoved();
          }}
        />
      )}
    </div>
  );
}

export function mayStartAgain({ status }: { readonly status: string }): boolean {
  return status === 'failed' || status === 'cancelled';
}

/** Leads to the form for a new run, with what this one was asked for. */
export function StartAgain({
  run,
  repository,
}: {
  readonly run: string;
  readonly repository: string | undefined;
}): ReactNode {
  return (
    <a className="button" href={routeTo(['start'], { repository, like: run, of: repository })}>
      Start again
    </a>
  );
}

function ActionDialog({
  action,
  repository,
  onClose,
  onDone,
}: {
  readonly action: RunAction;
  readonly repository: string | undefined;
  readonly onClose: () => void;
  readonly onDone: () => void;
}): ReactNode {
  const source = useSource();
  const [values, setValues] = useState<Readonly<Record<string, string>>>(() =>
    Object.fromEntries(action.fields.map(({ name, value }) => [name, value])),
  );
  const [isSure, setSure] = useState(false);
  const [isBusy, setBusy] = useState(false);
  const [failure, setFailure] = useState<Failure>();
  const isMissing = action.fields.some(({ name, isRequired }) => isRequired && (values[name] ?? '') === '');

  const act = async (more: object = {}): Promise<void> => {
    setBusy(true);
    setFailure(undefined);
    const filled = Object.entries(values).filter(([, value]) => value !== '');
    try {
      await source.call(action.operation, { ...action.input, ...Object.fromEntries(filled), ...more }, repository);
      onDone();
    } catch (error) {
      setFailure(failureOf(error));
      setBusy(false);
    }
  };

  return (
    <Dialog title={`${action.label} this run`} onClose={onClose}>
      <form
        onSubmit={(event) => {
          event.preventDefault();
          void act();
        }}
      >
        <ul className="says">
          {action.says.map((sentence) => (
            <li key={sentence}>
              <Said text={sentence} />
            </li>
          ))}
        </ul>
        {action.fields.map(({ name, label, choices, hint }) => (
          <label key={name} className="field">
            <span>{label}</span>
            {choices === undefined ? (
              <input
                value={values[name] ?? ''}
                onChange={({ target }) => setValues({ ...values, [name]: target.value })}
              />
            ) : (
              <select
                value={values[name] ?? ''}
                onChange={({ target }) => setValues({ ...values, [name]: target.value })}
              >
                {choices.map((choice) => (
                  <option key={choice.value} value={choice.value}>
                    {choice.label}
                  </option>
                ))}
              </select>
            )}
            {hint === '' ? null : <small className="soft">{hint}</small>}
          </label>
        ))}
        {action.isFinal ? (
          <label className="check">
            <input type="checkbox" checked={isSure} onChange={({ target }) => setSure(target.checked)} />
            <span>I know that this cannot be taken back</span>
          </label>
        ) : null}
        {failure === undefined ? null : <Trouble failure={failure} />}
        <div className="buttons">
          <button
            type="submit"
            className={action.isFinal ? 'danger solid' : 'primary'}
            disabled={isBusy || isMissing || (action.isFinal && !isSure)}
          >
            {isBusy ? 'Working…' : action.label}
          </button>
          {failure?.code === 'cleanup-refused' ? (
            <button
              type="button"
              className="danger"
              disabled={isBusy || !isSure}
              onClick={() => void act({ force: true })}
            >
              Remove it all the same
            </button>
          ) : null}
          <button type="button" onClick={onClose}>
            Leave it
          </button>
        </div>
      </form>
    </Dialog>
  );
}
