/**
 * Everything that has to be known before a run of `design` starts: the design without a fault, its plan directory, and for
 * the next delivery the one before. What is wrong is refused here, with what to do, and nothing has been changed. Only
 * reads, and only what is committed: agents see nothing else.
 */

import type { Design } from '../../design/design.ts';
import { readDesign } from '../../design/read-design.ts';
import { resolveLink } from '../../design/source-tree.ts';
import { ForgeError } from '../../errors.ts';
import type { CommitDocuments } from '../definition.ts';
import type { DesignInput } from './design-input.ts';
import {
  type DesignRequest,
  deliveryTag,
  describeDesign,
  designInputField,
  familyOf,
  plannedFields,
  plansRoot,
  readmeOf,
  refuseProblems,
} from './plan-fields.ts';
import { directoryProblems } from './plan/check-plan-directory.ts';
import { readPlanDirectory } from './plan/read-plan-directory.ts';
import { prepareEvolution } from './prepare-evolution.ts';

type Prepared = Pick<DesignInput, 'mode' | 'design' | 'plan' | 'hasSource' | 'evolve' | 'parallel'>;

export async function prepareRun(request: DesignRequest): Promise<Prepared> {
  const { options, settings, fresh } = request;
  refuseTogether(options);
  const tree = await request.repository.documents();
  const common = { hasSource: await hasSource(request), parallel: settings.parallel };
  if (options.execute !== undefined) return { ...(await prepareExecution(request, tree, options.execute)), ...common };
  const dir = request.repository.directory(request.argument);
  const design = requireDesign(request, tree, dir);
  if (options.evolve && !fresh) return { ...(await prepareEvolution(request, tree, design)), ...common };
  const tags = (await request.repository.tags()).filter(({ name }) => deliveryTag.test(name));
  const name = dir.split('/').at(-1) ?? dir;
  const plan = freshDirectory(tree, `${plansRoot(options.plans)}/${name}`, request.repository.head);
  return {
    mode: 'full',
    design: describeDesign(design),
    plan: { ...plan, delivery: 1, designDelivery: tags.at(-1)?.name ?? '', date: '' },
    ...common,
  };
}

function refuseTogether({ execute, evolve, from }: DesignRequest['options']): void {
  if (execute !== undefined && evolve)
    throw new ForgeError('bad-input', '--execute and --evolve cannot be used together', {
      hint: 'Use --evolve to plan a changed design, --execute to build plans that are there.',
    });
  if (from !== undefined && !evolve)
    throw new ForgeError('bad-input', '--from is only for --evolve', { hint: 'Add --evolve, or leave it out.' });
}

/** The design as committed, without an error; and nothing of it is waiting to be committed. */
export function requireDesign({ repository }: DesignRequest, tree: CommitDocuments, dir: string): Design {
  const { design, problems } = readDesign(tree, dir);
  const errors = problems.filter(({ severity }) => severity === 'error');
  const dirty = repository.dirty.filter((path) => isBelow(path, dir) || isBelow(path, design?.prd?.dir ?? dir));
  if (dirty.length > 0)
    throw new ForgeError(
      'bad-input',
      `The design has changes that are not committed: ${dirty.slice(0, 5).join(', ')}`,
      {
        hint: 'Commit them first: agents work from commits only.',
      },
    );
  if (design !== undefined && errors.length === 0) return design;
  const shown = errors.slice(0, 10).map(({ file, line, problem, fix }) => `  ${file}:${line}: ${problem} ${fix}`);
  const more = errors.length > 10 ? [`  and ${errors.length - 10} more`] : [];
  throw new ForgeError(
    'bad-input',
    `The design in ${dir} has ${errors.length === 1 ? 'an error' : `${errors.length} errors`}:\n${[...shown, ...more].join('\n')}`,
    { hint: `Fix and commit it. forge design check ${dir} shows everything.` },
  );
}

function isBelow(path: string, dir: string): boolean {
  return dir !== '' && (path === dir || path.startsWith(`${dir}/`) || dir.startsWith(path.replace(/\/?$/, '/')));
}

async function prepareExecution(
  request: DesignRequest,
  tree: CommitDocuments,
  typed: string,
): Promise<Omit<Prepared, 'hasSource' | 'parallel'>> {
  const dir = request.repository.directory(typed);
  const readme = readmeOf(tree, dir);
  if (readme === undefined)
    throw new ForgeError('bad-input', `${dir} is not a plan directory of this commit: it has no README.md`, {
      hint: 'Name the directory that --plan-only made, after you have merged its branch.',
    });
  const directory = readPlanDirectory(tree, dir);
  const first = directoryProblems(directory, { dir, needed: [], built: [], ours: [] });
  refuseProblems(
    dir,
    first.filter(({ file }) => file === `${dir}/README.md`),
  );
  const source = designInputField(readme, 'Source Design');
  if (source === '')
    throw new ForgeError('bad-input', `${dir}/README.md does not say which design it belongs to`, {
      hint: 'Add the row "Source Design" with the design directory to its table "Design Input".',
    });
  const designDir = designDirOf(tree, dir, source);
  const design = requireDesign(request, tree, designDir);
  const ids = design.modules.map(({ id }) => id);
  const ours = [dir, design.dir, design.prd?.dir ?? dir];
  refuseProblems(dir, directoryProblems(directory, { dir, needed: ids, built: ids, ours }));
  const delivery = Math.max(1, Number.parseInt(designInputField(readme, 'Autoforge Delivery') || '1', 10) || 1);
  const designDelivery = designInputField(readme, 'Current Design Delivery');
  return {
    mode: 'execute',
    design: describeDesign(design),
    plan: { ...plannedFields(readme, dir), delivery, designDelivery },
    ...plannedEvolution(request, tree, { dir, readme, delivery, designDelivery }),
  };
}

/** A later delivery that was planned and is not over: its impact is recorded, its summary is not. */
function plannedEvolution(
  { repository }: DesignRequest,
  tree: CommitDocuments,
  plan: { readonly dir: string; readonly readme: string; readonly delivery: number; readonly designDelivery: string },
): Pick<Prepared, 'evolve'> {
  const { dir, readme, delivery, designDelivery } = plan;
  const isPlanned = tree.read(`${dir}/.evolve-${delivery}/impact.md`).status === 'read';
  if (!isPlanned || tree.read(`${dir}/versions/${delivery}.md`).status === 'read') return {};
  const [, slug = 'next'] =
    /^autoforge-delivery-\d+-([\w.-]+)$/.exec(designInputField(readme, 'Autoforge Delivery Tag')) ?? [];
  const target = { name: designDelivery, commit: repository.head, at: '' };
  return { evolve: { target, slug, candidates: [], isLegacy: false } };
}

/** As written: a path of the repository, or a link from the README. */
function designDirOf(tree: CommitDocuments, planDir: string, source: string): string {
  const plain = source.replace(/\/?README\.md$/i, '').replace(/\/+$/, '');
  const linked = resolveLink(`${planDir}/README.md`, plain);
  const candidates = [plain, ...(linked.status === 'inside' ? [linked.path] : [])];
  const found = candidates.find((path) => readmeOf(tree, path) !== undefined);
  if (found !== undefined) return found;
  throw new ForgeError(
    'bad-input',
    `${planDir}/README.md belongs to ${JSON.stringify(source.slice(0, 200))}, which is not a design here`,
    {
      hint: 'Correct the row "Source Design" of its table "Design Input".',
    },
  );
}

/** Named after the commit it was planned on; longer where that name is taken. */
function freshDirectory(tree: CommitDocuments, start: string, head: string): { dir: string; family: string } {
  for (let length = 4; length < head.length; length += 1) {
    const dir = `${start}-${head.slice(0, length)}`;
    if (tree.list(dir).status === 'absent') return { dir, family: familyOf(dir) };
  }
  return { dir: `${start}-${head}`, family: familyOf(`${start}-${head}`) };
}

/** A manifest, a build file or a folder of source code. Documents alone are not a project yet. */
async function hasSource({ repository }: DesignRequest): Promise<boolean> {
  const files = await repository.files();
  return files.some(
    (path) =>
      /^(?:package\.json|pyproject\.toml|setup\.py|Cargo\.toml|go\.mod|pom\.xml|build\.gradle(?:\.kts)?|Makefile|CMakeLists\.txt|composer\.json|Gemfile)$/.test(
        path,
      ) || /^(?:src|lib|app|cmd|internal|pkg)\/.+\.[a-z]+$/i.test(path),
  );
}
