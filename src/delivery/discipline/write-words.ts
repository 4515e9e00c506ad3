/** The words by which writes and access checks are recognized, in whatever language they stand. Pure. */

/** An UPDATE, or a DELETE of some rows: how many there were says whether it worked. Emptying a table always does. */
export function isPartialWrite(sql: string): boolean {
  return /^\s*UPDATE\s/i.test(sql) || /^\s*DELETE\s+FROM\b[^;]*\bWHERE\b/is.test(sql);
}

/** Who is there: a user, a session, a tenant. */
export function isAboutContext(name: string): boolean {
  return /^(?:user|current_?user|session|auth|principal|tenant|role|roles|permissions?|claims|actor)(?:_?id)?$/i.test(
    name,
  );
}

/** Whether something of this name says who may pass. A name that asks who is missing (`isGuest`, `needsLogin`) does not. */
export function isDoor(name: string): boolean {
  return (
    name === '' ||
    /^(?:can|may|has|is_?(?:allowed|permitted|authori|admin|owner|valid)|allow|authori|permit|grant|check|verify|guard|require|ensure|protect|access|policy)/i.test(
      name,
    )
  );
}
