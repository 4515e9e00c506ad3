/**
 * The beginning of a prompt: the role's text, then the schema of the result it must give. It depends on nothing else,
 * so it is the same for every job of a role and a provider can cache it; what differs from job to job comes after.
 */
import { resultContract } from '../policy/result-contract.ts';
import type { Role } from './role.ts';

export function renderRole(role: Role, resultSchema: Readonly<Record<string, unknown>>): string {
  return `${role.text}

# The result you must give
${resultContract(resultSchema)}
`;
}
