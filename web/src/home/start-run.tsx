/** A form for a new run, made from what the repository's workflows declare. */
import { type ReactNode, useState } from 'react';
import { Loading, Said, Trouble } from '../parts/basics.tsx';
import { visible } from '../parts/visible-text.ts';
import { go, routeTo } from '../route.ts';
import { useCall } from '../source/hooks.ts';
import { type About, type Failure, failureOf, useSource } from '../source/source.ts';

interface Option {
  readonly name: string;
  readonly type: 'boolean' | 'number' | 'text' | 'choice';
  readonly summary: string;
  readonly choices?: readonly string[];
  readonly min?: number;
  readonly max?: number;
  readonly default?: boolean | number | string;
}

interface Start {
  readonly root: string;
  readonly workflows: readonly {
    readonly name: string;
    readonly summary: string;
    readonly argument: {
      readonly name: string;
      readonly kind: string;
      readonly summary: string;
      readonly orOption?: string;
    };
    readonly options: readonly Option[];
    readonly problem?: string;
  }[];
  readonly defaultWorkflow: string;
  readonly agents: readonly string[];
  readonly limits: string;
  readonly branch?: string;
  readonly head: string;
  readonly branches: readonly string[];
  readonly notices: readonly string[];
}

type Values = Readonly<Record<string, string | number | boolean>>;

export interface StartProps {
  readonly repository: string | undefined;
  /** To choose from; none where the dashboard serves one. */
  readonly repositories: About['repositories'];
  readonly onRepository: (id: string) => void;
  /** What the form begins with: the requirement and the workflow of another run. */
  readonly asked: { readonly requirement: string; readonly workflow: string };
}

export function StartRun({ repository, repositories, onRepository, asked }: StartProps): ReactNode {
  const source = useSource();
  const { value: start, failure, reload } = useCall<Start>('describe-start', {}, { repository });
  const [wishes, setWishes] = useState<Values>({
    requirement: asked.requirement,
    workflow: asked.workflow,
    agent: '',
    budget: '',
    base: '',
  });
  const [options, setOptions] = useState<Values>({});
  const [problem, setProblem] = useState<Failure>();
  /** The same run, begun before and not finished. */
  const [unfinished, setUnfinished] = useState<string>();
  const [isBusy, setBusy] = useState(false);
  if (failure !== undefined) return <Trouble failure={failure} onRetry={reload} />;
  if (start === undefined) return <Loading />;
  const name = wishes['workflow'] || start.defaultWorkflow;
  const workflow = start.workflows.find((one) => one.name === name);
  const isDirectory = workflow?.argument.kind === 'directory';
  const instead = workflow?.argument.orOption;
  const isReplaced = instead !== undefined && (options[instead] ?? '') !== '';
  const isMissing = String(wishes['requirement']).trim() === '' && !isReplaced;
  const set = (field: string, value: string | boolean): void => setWishes({ ...wishes, [field]: value });

  const submit = async (): Promise<void> => {
    setBusy(true);
    setProblem(undefined);
    setUnfinished(undefined);
    const { requirement, agent, budget, base } = wishes;
    const given = Object.fromEntries(Object.entries({ agent, budget, base }).filter(([, value]) => value !== ''));
    try {
      const { run, status, interrupted } = await source.call<{
        run?: string;
        status: string;
        interrupted?: readonly { run: string }[];
      }>('start-run', { requirement, workflow: name, options, whenInterrupted: 'same', ...given }, repository);
      const there = run ?? interrupted?.[0]?.run ?? '';
      if (status === 'interrupted') {
        setUnfinished(there);
        setBusy(false);
      } else go(routeTo(['run', repository ?? '-', there]));
    } catch (error) {
      setProblem(failureOf(error));
      setBusy(false);
    }
  };

  return (
    <form
      className="start card"
      onSubmit={(event) => {
        event.preventDefault();
        void submit();
      }}
    >
      <h1>New run</h1>
      <p className="soft">
        In <code>{start.root}</code>. The plan and its forecast come first; nothing is built before you approve it.
      </p>
      {start.notices.map((notice) => (
        <p key={notice} className="notice">
          <Said text={notice} />
        </p>
      ))}
      {repositories.length < 2 ? null : (
        <label className="field">
          <span>Repository</span>
          <select
            value={repository ?? ''}
            onChange={({ target }) => {
              // What was written stays; what is chosen from lists belongs to the other repository.
              setWishes({ ...wishes, workflow: '', agent: '', base: '' });
              setOptions({});
              onRepository(target.value);
            }}
          >
            {repositories.map(({ id, name: title, root }) => (
              <option key={id} value={id}>
                {visible(`${title} (${root})`)}
              </option>
            ))}
          </select>
        </label>
      )}
      <label className="field">
        <span>{argumentLabel(workflow?.argument)}</span>
        <textarea
          required={!isReplaced}
          autoFocus
          rows={isDirectory ? 1 : 5}
          value={String(wishes['requirement'])}
          onChange={({ target }) => set('requirement', target.value)}
        />
      </label>
      <fieldset className="choices">
        <legend>Workflow</legend>
        {start.workflows.map((one) => (
          <label key={one.name} className="choice">
            <input
              type="radio"
              name="workflow"
              checked={one.name === name}
              disabled={one.problem !== undefined}
              onChange={() => {
                set('workflow', one.name);
                setOptions({});
              }}
            />
            <span>
              <b>{one.name}</b> <span className="soft">{one.problem ?? one.summary}</span>
            </span>
          </label>
        ))}
      </fieldset>
      <div className="columns">
        <label className="field">
          <span>Agent</span>
          <select value={String(wishes['agent'])} onChange={({ target }) => set('agent', target.value)}>
            <option value="">As the settings say</option>
            {start.agents.map((agent) => (
              <option key={agent}>{agent}</option>
            ))}
          </select>
        </label>
        <label className="field">
          <span>Budget</span>
          <input
            placeholder={start.limits}
            value={String(wishes['budget'])}
            onChange={({ target }) => set('budget', target.value)}
          />
          <small className="soft">Such as $5, 200k tokens or 2h.</small>
        </label>
        <label className="field">
          <span>Start from</span>
          <select value={String(wishes['base'])} onChange={({ target }) => set('base', target.value)}>
            <option value="">
              {start.branch ?? 'HEAD'} ({start.head.slice(0, 7)})
            </option>
            {start.branches
              .filter((branch) => branch !== start.branch)
              .map((branch) => (
                <option key={branch}>{branch}</option>
              ))}
          </select>
        </label>
      </div>
      {workflow === undefined || workflow.options.length === 0 ? null : (
        <details>
          <summary>Options of {workflow.name}</summary>
          <div className="columns">
            {workflow.options.map((option) => (
              <OptionField
                key={option.name}
                option={option}
                value={options[option.name]}
                onChange={(value) => setOptions(withOption(options, option.name, value))}
              />
            ))}
          </div>
        </details>
      )}
      {problem === undefined ? null : <Trouble failure={problem} />}
      {unfinished === undefined ? null : (
        <p className="notice" role="alert">
          The same run is there already and is not finished.{' '}
          <a href={routeTo(['run', repository ?? '-', unfinished])}>Open it</a> to resume it, or cancel it first.
        </p>
      )}
      <div className="buttons">
        <button type="submit" className="primary" disabled={isBusy || isMissing}>
          {isBusy ? 'Starting…' : 'Start'}
        </button>
        <a className="button" href={routeTo([])}>
          Cancel
        </a>
      </div>
    </form>
  );
}

/** What a person is to write, in the words of the workflow. */
function argumentLabel(argument: { readonly name: string; readonly summary: string } | undefined): string {
  if (argument === undefined || argument.name === 'requirement') return 'What should be built?';
  return argument.summary.charAt(0).toUpperCase() + argument.summary.slice(1);
}

function withOption(options: Values, name: string, value: string | number | boolean | undefined): Values {
  const { [name]: _, ...others } = options;
  return value === undefined ? others : { ...others, [name]: value };
}

function OptionField({
  option,
  value,
  onChange,
}: {
  readonly option: Option;
  readonly value: string | number | boolean | undefined;
  readonly onChange: (value: string | number | boolean | undefined) => void;
}): ReactNode {
  const { name, type, summary, choices = [] } = option;
  if (type === 'boolean') {
    return (
      <label className="check">
        <input
          type="checkbox"
          checked={Boolean(value ?? option.default)}
          onChange={({ target }) => onChange(target.checked)}
        />
        <span>
          {name} <small className="soft">{summary}</small>
        </span>
      </label>
    );
  }
  return (
    <label className="field">
      <span>{name}</span>
      {type === 'choice' ? (
        <select value={String(value ?? '')} onChange={({ target }) => onChange(target.value || undefined)}>
          <option value="">{String(option.default ?? 'as usual')}</option>
          {choices.map((choice) => (
            <option key={choice}>{choice}</option>
          ))}
        </select>
      ) : (
        <input
          type={type === 'number' ? 'number' : 'text'}
          min={option.min}
          max={option.max}
          placeholder={String(option.default ?? '')}
          value={value === undefined ? '' : String(value)}
          onChange={({ target }) =>
            onChange(target.value === '' ? undefined : type === 'number' ? Number(target.value) : target.value)
          }
        />
      )}
      <small className="soft">{summary}</small>
    </label>
  );
}
