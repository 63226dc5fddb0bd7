/** Tables with rows of repositories that are searched. What is sent for them stands in `team/shared-index.ts`. */
export const SEARCH_TABLES = ["segments", "postings", "files", "states"] as const;

/**
 * What a repository is searched by: files that were published together are a segment, which is never changed. The state of a
 * repository names its segments, oldest first; a file counts as the newest of them has it. Rows are found by repository
 * first, so that the time a question takes does not depend on repositories that it does not see.
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
 * Makes the policies of a table with rows of repositories. As rows of bases are guarded, but asked once for a statement, not for each of thousands of rows.
 */
export function guardPublished(table: string): string {
  return `
    ALTER TABLE groundwork.${table} ENABLE ROW LEVEL SECURITY;
    ALTER TABLE groundwork.${table} FORCE ROW LEVEL SECURITY;
    CREATE POLICY sees ON groundwork.${table} FOR SELECT USING (repo IN (SELECT id FROM groundwork.repos));
    CREATE POLICY adds ON groundwork.${table} FOR INSERT WITH CHECK (repo IN (SELECT groundwork.publishable()));
    CREATE POLICY alters ON groundwork.${table} FOR UPDATE USING (repo IN (SELECT groundwork.publishable()));
    CREATE POLICY removes ON groundwork.${table} FOR DELETE USING (repo IN (SELECT groundwork.publishable()));
  `;
}
