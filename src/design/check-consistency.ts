/**
 * What only the whole design can show: modules and files that do not match, dependencies that lead nowhere or in a circle,
 * protocols that disagree with the dependencies, features nobody builds. Reports; changes nothing. Pure.
 */
import { findCycles } from '../plan/cycles.ts';
import { leadingId } from './design-ids.ts';
import type { DesignProblems } from './design-problems.ts';
import type { Design } from './design.ts';

export function checkConsistency(design: Design, moduleFiles: readonly string[], problems: DesignProblems): void {
  // An index that could not be read is one problem, not one for every line that names a module.
  if (design.modules.length === 0) return;
  const known = new Map(design.modules.map((module) => [module.id, module]));
  for (const file of moduleFiles) {
    const id = leadingId(file.slice(file.lastIndexOf('/') + 1), 'M');
    if (id === undefined)
      problems.warn({ file, line: 1 }, 'The file name does not start with a module id.', 'Name it M-001-name.md.');
    else if (!known.has(id))
      problems.error(
        { file, line: 1 },
        `${id} is not in the module index.`,
        'Add a row for it to the module index, or remove the file.',
      );
  }
  for (const { id, depends, viaInterface, indexed } of design.modules) {
    for (const other of [...depends, ...viaInterface]) {
      if (other === id) problems.error(indexed, `${id} depends on itself.`, 'Remove it from its own dependencies.');
      else if (!known.has(other))
        problems.error(
          indexed,
          `${id} depends on ${other}, which is not in the module index.`,
          `Add ${other} to the index or remove the dependency.`,
        );
    }
  }
  for (const members of findCycles(design.modules)) {
    const first = known.get(members[0] ?? '');
    if (members.length > 1 && first !== undefined)
      problems.error(
        first.indexed,
        `These modules depend on each other in a circle: ${members.slice(0, 20).join(', ')}.`,
        'Remove one of the dependencies, or invert it with an interface of the consumer.',
      );
  }
  checkProtocols(design, problems);
  checkFeatures(design, problems);
}

/** Dependencies and protocols are two views of one graph. */
function checkProtocols({ modules, protocols }: Design, problems: DesignProblems): void {
  const edges = new Set(
    modules.flatMap(({ id, depends, viaInterface }) => [...depends, ...viaInterface].map((other) => `${id} ${other}`)),
  );
  const known = new Set(modules.map(({ id }) => id));
  for (const { from, to, ...place } of protocols) {
    const unknown = [from, to].filter((id) => !known.has(id));
    for (const id of unknown)
      problems.error(
        place,
        `The protocol names ${id}, which is not in the module index.`,
        `Add ${id} to the index or correct the row.`,
      );
    if (unknown.length === 0 && from !== to && !edges.has(`${from} ${to}`) && !edges.has(`${to} ${from}`))
      problems.error(
        place,
        `${from} and ${to} talk to each other, but neither depends on the other.`,
        `Add ${to} to the Deps of ${from}, or remove the row.`,
      );
  }
  if (protocols.length === 0) return;
  const spoken = new Set(protocols.flatMap(({ from, to }) => [`${from} ${to}`, `${to} ${from}`]));
  for (const { id, depends, indexed } of modules) {
    for (const other of depends.filter((each) => each !== id && known.has(each) && !spoken.has(`${id} ${each}`)))
      problems.warn(
        indexed,
        `${id} depends on ${other}, but no protocol says how they talk.`,
        'Add a row to "Module Interaction Protocols".',
      );
  }
}

function checkFeatures({ modules, mapping, prd }: Design, problems: DesignProblems): void {
  const known = new Set(modules.map(({ id }) => id));
  for (const { feature, module, ...place } of mapping) {
    if (!known.has(module))
      problems.error(
        place,
        `The mapping of ${feature} names ${module}, which is not in the module index.`,
        'Correct the header of that column.',
      );
  }
  if (prd === undefined) return;
  const features = new Set(prd.features.map(({ id }) => id));
  for (const { feature, use: _use, module: _module, ...place } of mapping) {
    if (features.size > 0 && !features.has(feature))
      problems.error(
        place,
        `${feature} is not in the PRD's feature index.`,
        `Add ${feature} to the PRD or correct the row.`,
      );
  }
  const built = new Set(mapping.filter(({ use }) => use === 'changes').map(({ feature }) => feature));
  for (const { id, file, line } of prd.features) {
    if (mapping.length > 0 && !built.has(id))
      problems.error(
        { file, line },
        `No module builds ${id}.`,
        'Mark a module with ✦ in the row of this feature in the feature-module mapping.',
      );
  }
  for (const { features: named, id, file, line } of modules) {
    for (const feature of named.filter((each) => features.size > 0 && !features.has(each)))
      problems.error(
        { file, line },
        `${id} names ${feature}, which is not in the PRD's feature index.`,
        `Add ${feature} to the PRD or remove it from the module.`,
      );
  }
  for (const { touchpoints } of prd.journeys) {
    for (const { features: mapped, ...place } of touchpoints) {
      for (const feature of mapped.filter((each) => features.size > 0 && !features.has(each)))
        problems.error(
          place,
          `The touchpoint names ${feature}, which is not in the feature index.`,
          `Add ${feature} to the PRD or correct the row.`,
        );
    }
  }
}
