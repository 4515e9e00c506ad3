/** `roles.read`: what role files of the project say, as they were agreed to. */
import { bundledRoles } from '../roles/load-roles.ts';
import type { Performer } from '../engine/performer.ts';
import type { EffectDeps } from './deps.ts';

export function rolesRead({ role, redactor }: EffectDeps): Performer<'roles.read'> {
  return {
    async perform({ roles }) {
      const found = await Promise.all(roles.map(async (name) => [name, await role(name)] as const));
      return {
        roles: Object.fromEntries(
          found.flatMap(([name, file]) =>
            file === undefined || file.source.startsWith(bundledRoles)
              ? []
              : [[name, { description: file.description, text: redactor.redact(file.text) }]],
          ),
        ),
      };
    },
  };
}
