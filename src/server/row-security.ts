/**
 * Setting with the current principal: the id of a token, `admin` for the database's own credentials, or empty. It is
 * set for one transaction; without it nothing is visible.
 */
export const PRINCIPAL = "groundwork.principal";
/** Principal for the database's own credentials. */
export const ADMIN = "admin";

/** Enables row-level security for a table, for its owner as well. */
export function forceRowSecurity(table: string): string {
  return `
    ALTER TABLE groundwork.${table} ENABLE ROW LEVEL SECURITY;
    ALTER TABLE groundwork.${table} FORCE ROW LEVEL SECURITY;`;
}
