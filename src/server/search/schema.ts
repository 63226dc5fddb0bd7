import { forceRowSecurity } from "../row-security.ts";

/**
 * Tables with the rows of searchable repositories. The messages that fill them are defined in `team/shared-index.ts`.
 */
export const SEARCH_TABLES = ["segments", "postings", "files", "states"] as const;

/**
 * Files that were published together form a segment, which never changes. The state of a repository names its segments,
 * oldest first; the newest segment that has a file determines its content. Rows are looked up by repository first, so
 * that the time for a question does not depend on repositories that the asker does not see.
 */
export const SEARCH_SCHEMA = `
  CREATE TABLE groundwork.segments (
    id integer GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    repo integer NOT NULL REFERENCES groundwork.repos (id) ON DELETE CASCADE,
    name text COLLATE "C" NOT NULL,
    paths bytea NOT NULL,
    numbers bytea NOT NULL,
    removed bytea NOT NULL,
    UNIQUE (repo, name)
  );
  CREATE TABLE groundwork.postings (
    repo integer NOT NULL REFERENCES groundwork.repos (id) ON DELETE CASCADE,
    term text COLLATE "C" NOT NULL,
    segment integer NOT NULL,
    spread integer NOT NULL,
    data bytea NOT NULL,
    PRIMARY KEY (repo, term, segment) INCLUDE (spread)
  );
  CREATE TABLE groundwork.files (
    repo integer NOT NULL REFERENCES groundwork.repos (id) ON DELETE CASCADE,
    segment integer NOT NULL,
    slot integer NOT NULL,
    outline text NOT NULL,
    lines text NOT NULL,
    PRIMARY KEY (repo, segment, slot)
  );
  CREATE TABLE groundwork.states (
    repo integer PRIMARY KEY REFERENCES groundwork.repos (id) ON DELETE CASCADE,
    commit text NOT NULL,
    segments integer[] NOT NULL,
    files integer NOT NULL,
    lengths float8[] NOT NULL,
    provides text[] NOT NULL,
    needs text[] NOT NULL,
    stored_at timestamptz NOT NULL DEFAULT now()
  );
  CREATE FUNCTION groundwork.publishable() RETURNS SETOF integer LANGUAGE sql STABLE AS $$
    SELECT r.id FROM groundwork.repos r WHERE groundwork.may_publish(r.id) $$;
  ${SEARCH_TABLES.map(guardPublished).join("")}
`;

/**
 * Policies of a table with rows of repositories: the same rules as for base objects, but evaluated once per statement
 * instead of once for each of thousands of rows.
 */
export function guardPublished(table: string): string {
  return `
    ${forceRowSecurity(table)}
    CREATE POLICY sees ON groundwork.${table} FOR SELECT USING (repo IN (SELECT id FROM groundwork.repos));
    CREATE POLICY adds ON groundwork.${table} FOR INSERT WITH CHECK (repo IN (SELECT groundwork.publishable()));
    CREATE POLICY alters ON groundwork.${table} FOR UPDATE USING (repo IN (SELECT groundwork.publishable()));
    CREATE POLICY removes ON groundwork.${table} FOR DELETE USING (repo IN (SELECT groundwork.publishable()));
  `;
}
