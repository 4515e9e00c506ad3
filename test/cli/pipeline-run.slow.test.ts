/** Whole runs of `pipeline` through the binary: every event, gate, verdict and way to a person, and what the records say. */
import { describe, expect, it } from 'vitest';
import { makeProject } from './support.ts';
import {
  actionsOf,
  approved,
  backlog,
  backlogScript,
  bugRecord,
  built,
  done,
  idOf,
  job,
  planned,
  reply,
  revision,
  sprint,
  storedEvents,
  storedRecord,
  taskRecord,
  usage,
} from './pipeline-story.ts';

const gates = (text: string): string =>
  `|\n${text
    .split('\n')
    .map((line) => `      ${line}`)
    .join('\n')}`;

const config = `agents:
  rehearsal: { driver: scripted, script: .forge/script.yaml }
parallel: 3
pipelines:
  careful:
    phases:
      - { command: plan, role: plan }
      - { command: review-plan, role: review-plan, maxIterations: 2 }
      - { command: implement, role: implement }
      - { command: commit, role: commit }
  gated:
    gates: ${gates('```gates phase=implement\nartifact docs/agreed.md min=10\n```')}
    phases: [{ command: implement, role: implement }, { command: commit, role: commit }]
  broken:
    gates: ${gates('```gates phase=implement\nrequires task.status == planned\n```')}
    phases: [{ command: implement, role: implement }, { command: commit, role: commit }]
  endless:
    phases: [{ command: implement, role: implement }]
  short:
    phases: [{ command: implement, role: implement }, { command: commit, role: commit }]
  own:
    phases:
      - { command: implement, role: implement }
      - { command: look-for-leaks, role: review-leaks, on_revision: implement, maxIterations: 2 }
      - { command: commit, role: commit }
`;
const leaks =
  '---\nname: review-leaks\ndescription: Looks for leaks.\n---\n\n# Leaks\n\n## Responsibilities\n\n- Find every leak.\n';

describe('a sprint in which everything happens', () => {
  it('ends each task by its own rule, says why, and goes on with the others', async () => {
    const names = ['T01', 'T02', 'T03', 'T04', 'T05', 'T06', 'T07', 'T08', 'T09', 'T10', 'T11', 'T12'];
    const pipelines: Readonly<Record<string, string>> = {
      T02: 'careful',
      T03: 'gated',
      T04: 'careful',
      T05: 'short',
      T06: 'short',
      T07: 'short',
      T09: 'broken',
      T11: 'endless',
      T12: 'own',
    };
    const tasks = names.map((name) =>
      taskRecord(name, {
        ...(pipelines[name] === undefined ? {} : { pipeline: pipelines[name] }),
        ...(name === 'T10' ? { status: 'blocked' } : {}),
      }),
    );
    const at = (name: string, rest: string): string => `${idOf(name)}/${rest}`;
    const first = [
      job(at('T02', 'review-plan#1/agent'), revision()),
      job(at('T02', 'review-plan#2/agent'), revision()),
      job(at('T04', 'review-plan#1/agent'), reply({ verdict: 'n/a', objective: 'I cannot tell' })),
      job(at('T05', 'implement#1/agent'), { crash: 1 }),
      job(at('T05', 'implement#1/agent-retry'), ...built('T05'), done()),
      job(at('T06', 'implement#1/agent'), ...built('T06', -1), usage, done()),
      job(at('T06', 'implement#1/repair#1/agent'), ...built('T06'), usage, done()),
      job(at('T07', 'implement#1/agent'), ...built('T07', -1), done()),
      job(at('T07', 'implement#1/repair#1/agent'), done()),
      job(at('T08', 'plan#1/agent'), done()),
      job(at('T12', 'look-for-leaks#1/agent'), revision('src/T12.js leaks')),
      {
        when: { role: 'review-leaks' },
        repeat: true,
        do: [approved({ friction: [{ issue: 'No list of leaks', subkind: 'skill_missing' }] })],
      },
      job('BUG-001/triage#1/agent', reply({ objective: 'A wrong sign', route: 'B' })),
      job('BUG-001/plan-fix#1/agent', planned('engineering/bugs/BUG-001'), done()),
      job('BUG-001/implement#1/agent', ...built('fixed'), done()),
    ];
    const project = makeProject({
      config,
      files: { ...backlog(tasks, [bugRecord('BUG-001')]), '.forge/roles/review-leaks.md': leaks },
      script: backlogScript(names, first),
    });
    const { code, stdout } = await project.forge('sprint', 'run', sprint, '--with', 'BUG-001', '--yes');
    expect(code).toBe(1);
    const states = Object.fromEntries(
      names.map((name) => [name, storedRecord(project, 'tasks', idOf(name))['status']]),
    );
    expect(states).toEqual({
      T01: 'committed',
      T02: 'escalated',
      T03: 'escalated',
      T04: 'escalated',
      T05: 'committed',
      T06: 'committed',
      T07: 'escalated',
      T08: 'escalated',
      T09: 'escalated',
      T10: 'blocked',
      T11: 'escalated',
      T12: 'committed',
    });
    expect(storedRecord(project, 'bugs', 'BUG-001')['status']).toBe('fixed');
    expect(storedRecord(project, 'sprints', sprint)['status']).toBe('active');
    const last = (name: string, count: number): readonly string[] => actionsOf(project, idOf(name)).slice(-count);
    expect(actionsOf(project, idOf('T01'))).toEqual(
      ['plan', 'review-plan', 'implement', 'review-code', 'validate', 'approve', 'writeback', 'commit'].flatMap(
        (phase) => [`${phase} start`, `${phase} complete`],
      ),
    );
    expect(last('T02', 1)).toEqual(['review-plan escalated']);
    expect(actionsOf(project, idOf('T02')).filter((one) => one === 'review-plan complete')).toHaveLength(2);
    expect(actionsOf(project, idOf('T03'))).toEqual(['implement escalated', 'implement gate_failed']);
    expect(actionsOf(project, idOf('T04'))).toContain('review-plan verdict_malformed');
    expect(actionsOf(project, idOf('T05'))).toContain('implement subagent_retry');
    expect(actionsOf(project, idOf('T05'))).not.toContain('implement subagent_escalated');
    expect(last('T07', 1)).toEqual(['implement escalated']);
    expect(last('T08', 1)).toEqual(['plan escalated']);
    expect(actionsOf(project, idOf('T09'))).toEqual(['preflight escalated']);
    expect(actionsOf(project, idOf('T10'))).toEqual(['- task_skipped']);
    expect(last('T11', 1)).toEqual(['implement escalated']);
    expect(actionsOf(project, idOf('T12'))).toContain('review-leaks friction');
    expect(actionsOf(project, 'BUG-001', 'bugs')).toContain('plan-fix complete');
    // What was measured is in the event, also of work that had to be mended.
    const mended = storedEvents(project).find(
      (event) => event['taskId'] === idOf('T06') && event['action'] === 'complete' && event['phase'] === 'implement',
    );
    expect(mended).toMatchObject({
      inputTokens: 2000,
      outputTokens: 200,
      estimatedCostUSD: 0.02,
      tokenSource: 'reported',
      provider: 'scripted',
    });
    expect(stdout).toContain(`Then: forge task run ${idOf('T03')} --again`);
    expect(stdout).toContain('In plain words: It stopped.');
    // Records, also with summaries of the project's own phases, fit what the store says.
    expect((await project.forge('store', 'validate')).stdout).toBe('Every record fits.\n');
    expect((await project.forge('sprint', 'status', sprint, '--json')).code).toBe(0);
  });

  it('takes up an escalated task where it stopped, with the work it left', async () => {
    const project = makeProject({
      config,
      files: backlog([taskRecord('T01')]),
      script: backlogScript(
        ['T01'],
        [
          job(`${idOf('T01')}/validate#1/agent`, { crash: 1 }),
          job(`${idOf('T01')}/validate#1/agent-retry`, { crash: 1 }),
        ],
      ),
    });
    expect((await project.forge('task', 'run', idOf('T01'), '--yes')).code).toBe(1);
    expect(storedRecord(project, 'tasks', idOf('T01'))['status']).toBe('escalated');
    const [run = ''] = project.runs();
    const { code, stdout } = await project.forge('retry', run, idOf('T01'), '--yes');
    expect([code, stdout.includes('› implement:')]).toEqual([0, false]);
    expect(storedRecord(project, 'tasks', idOf('T01'))['status']).toBe('committed');
    expect(project.git('log', '--format=%s', `main..forge/${run}`)).toBe(`${idOf('T01')}: Did it`);
  });
});

describe('what cannot work', () => {
  it('is told before anything begins: unknown ids, circles, open tasks outside', async () => {
    const project = makeProject({
      config,
      files: backlog([
        taskRecord('T01', { dependencies: [idOf('T02')] }),
        taskRecord('T02', { dependencies: [idOf('T01')] }),
        taskRecord('T03', { dependencies: [idOf('T01')] }),
      ]),
      script: [],
    });
    const told = async (...ids: string[]): Promise<string> => {
      const { stdout, stderr } = await project.forge('task', 'run', ...ids, '--yes');
      return stdout + stderr;
    };
    expect(await told('ACME-S01-T1')).toContain('There is no record ACME-S01-T1\n  Did you mean "ACME-S01-T01"');
    expect(await told(idOf('T03'))).toContain(
      `${idOf('T03')} depends on ${idOf('T01')}, which is draft and is not part of this run`,
    );
    expect((await project.forge('sprint', 'run', sprint, '--yes')).stdout).toContain(
      `these tasks wait for each other: ${idOf('T01')}, ${idOf('T02')}`,
    );
    expect(storedRecord(project, 'sprints', sprint)['status']).toBe('planning');
  });
});
