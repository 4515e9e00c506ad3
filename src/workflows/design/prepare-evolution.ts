/**
 * The next delivery of a design: the plan directory of the last one, the design it was built from, and the one to build now.
 * Every reason not to start is a refusal that says what to do instead. Only reads commits and tags.
 */
import { planStatus, unfinishedModules } from '../../delivery/plan-status.ts';
import type { Design } from '../../design/design.ts';
import { designImpact } from '../../design/design-impact.ts';
import { type EvolveRefusal, evolveRefusal } from '../../design/evolve-refusal.ts';
import { readDesign } from '../../design/read-design.ts';
import { ForgeError } from '../../errors.ts';
import type { CommitDocuments } from '../definition.ts';
import type { DesignInput, EvolveInput } from './design-input.ts';
import { directoryProblems } from './plan/check-plan-directory.ts';
import { readPlanDirectory } from './plan/read-plan-directory.ts';
import {
  type DesignRequest,
  deliveryTag,
  describeDesign,
  designInputField,
  plannedFields,
  plansRoot,
  readmeOf,
  refuseProblems,
} from './plan-fields.ts';

type Prepared = Pick<DesignInput, 'mode' | 'design' | 'plan' | 'evolve'>;
type Tag = EvolveInput['target'];

export async function prepareEvolution(
  request: DesignRequest,
  tree: CommitDocuments,
  design: Design,
): Promise<Prepared> {
  const { repository } = request;
  const dir = priorDirectory(request, tree, design.dir);
  if (dir === undefined) throw refused(evolveRefusal({ ...nothingYet, priorPlan: undefined }), design.dir);
  const readme = readmeOf(tree, dir) ?? '';
  const directory = readPlanDirectory(tree, dir);
  const listed = directory.rows.map(({ module }) => module).filter((id) => directory.files.has(id));
  refuseProblems(dir, directoryProblems(directory, { dir, needed: listed, built: [], ours: [] }));
  const tags = (await repository.tags()).filter(({ name }) => deliveryTag.test(name));
  const recorded = designInputField(readme, 'Current Design Delivery');
  const builtAt = designInputField(readme, 'Design Commit');
  const hasDelivery = designInputField(readme, 'Autoforge Delivery') !== '';
  const isLegacy = recorded === '' && builtAt === '';
  if (isLegacy && tags.length === 0)
    throw new ForgeError(
      'bad-input',
      'The design has no delivery-* tag yet, so nobody can tell what was built before',
      {
        hint: 'Tag the commit of the design that was built, for example: git tag -a delivery-1-first -m "first" <commit>',
      },
    );
  const target = tags.at(-1) ?? { name: '', commit: repository.head, at: '' };
  const baseline = isLegacy ? undefined : baselineOf(tags, recorded, builtAt);
  const before = baseline === undefined ? undefined : await designAt(request, baseline, design.dir);
  const impact = before === undefined ? undefined : designImpact(before, design);
  const isChanged =
    impact === undefined || impact.modules.some((module) => module.impact !== 'kept') || impact.undecided.length > 0;
  const refusal = evolveRefusal({
    priorPlan: { directory: dir, isUnfinished: isUnfinished(readme), modules: [...directory.files.keys()] },
    hasUncommittedChanges: repository.dirty.length > 0,
    baseline: baseline?.name ?? '',
    target: target.name !== '' || isChanged ? target.name || 'changed' : (baseline?.name ?? ''),
    added: (impact?.modules ?? []).filter((module) => module.impact === 'added').map(({ module }) => module),
  });
  if (refusal !== undefined) throw refused(refusal, design.dir);
  const delivery = (hasDelivery ? Number.parseInt(designInputField(readme, 'Autoforge Delivery'), 10) || 1 : 1) + 1;
  const [, , slug = ''] = deliveryTag.exec(target.name) ?? [];
  return {
    mode: 'evolve',
    design: describeDesign(design),
    plan: { ...plannedFields(readme, dir), delivery, designDelivery: target.name },
    evolve: {
      ...(baseline === undefined ? {} : { baseline }),
      target,
      slug: slug === '' ? (design.dir.split('/').at(-1) ?? 'design').replace(/^\d{4}-\d\d-\d\d-/, '') : slug,
      candidates: [...tags],
      isLegacy,
    },
  };
}

const nothingYet = { hasUncommittedChanges: false, baseline: 'a', target: 'b', added: [] };

/** The plan directory of this design with the highest delivery; one without a number counts as the first. */
function priorDirectory(request: DesignRequest, tree: CommitDocuments, designDir: string): string | undefined {
  const { options, repository } = request;
  if (options.from !== undefined) {
    const dir = repository.directory(options.from);
    const readme = readmeOf(tree, dir);
    const source = readme === undefined ? '' : sourceOf(readme);
    if (readme !== undefined && (source === designDir || source === '')) return dir;
    const why = readme === undefined ? 'has no README.md in this commit' : `belongs to ${source}`;
    throw new ForgeError('bad-input', `--from: ${dir} ${why}`, {
      hint: 'Name the plan directory of the last delivery of this design.',
    });
  }
  const root = plansRoot(options.plans);
  const found = tree.list(root);
  const dirs = found.status === 'read' ? found.entries.filter(({ kind }) => kind === 'directory') : [];
  const own = dirs.flatMap(({ name }) => {
    const readme = readmeOf(tree, `${root}/${name}`);
    if (readme === undefined || sourceOf(readme) !== designDir) return [];
    return [
      {
        dir: `${root}/${name}`,
        delivery: Number.parseInt(designInputField(readme, 'Autoforge Delivery') || '0', 10) || 0,
      },
    ];
  });
  return own.toSorted((a, b) => b.delivery - a.delivery || (a.dir < b.dir ? -1 : 1))[0]?.dir;
}

function sourceOf(readme: string): string {
  return designInputField(readme, 'Source Design')
    .replace(/\/?README\.md$/i, '')
    .replace(/^\.\//, '')
    .replace(/\/+$/, '');
}

function baselineOf(tags: readonly Tag[], recorded: string, builtAt: string): Tag {
  const plain = (name: string): string => name.replace(/^system-design-/, '');
  const tag = tags.find(({ name }) => recorded !== '' && plain(name) === plain(recorded));
  if (tag !== undefined) return tag;
  if (builtAt !== '') return { name: recorded === '' ? builtAt : recorded, commit: builtAt, at: '' };
  throw new ForgeError('bad-input', `The last delivery was built from ${recorded}, but there is no such tag here`, {
    hint: 'Fetch the tags of the design: git fetch --tags',
  });
}

async function designAt({ repository }: DesignRequest, { name, commit }: Tag, dir: string): Promise<Design> {
  const { design } = readDesign(await repository.documents(commit), dir);
  if (design !== undefined) return design;
  throw new ForgeError('bad-input', `${dir} was not a design at ${name}`, {
    hint: 'Name the right plan directory with --from.',
  });
}

/** A module that is neither merged nor skipped, and no verdict that says the delivery is over all the same. */
function isUnfinished(readme: string): boolean {
  const { verdict } = planStatus(readme, '');
  return unfinishedModules(readme).length > 0 && !/\b(?:pass|partial)/i.test(verdict);
}

function refused(refusal: EvolveRefusal | undefined, designDir: string): ForgeError {
  if (refusal === undefined) throw new Error('there is no refusal');
  const hints: Partial<Record<EvolveRefusal['code'], string>> = {
    'no-prior-plan': `forge design ${designDir}`,
    unfinished: 'forge design --execute <plan-dir>',
  };
  const hint = hints[refusal.code];
  return new ForgeError('bad-input', refusal.message, {
    hint: hint === undefined ? refusal.fix : `${refusal.fix} (${hint})`,
  });
}
