import { CODE_SCHEMA, CODE_TABLES } from "./code/schema.ts";
import { FIGURES_SCHEMA } from "./figures/schema.ts";
import { JOB_TABLES, JOBS_SCHEMA } from "./jobs/schema.ts";
import { ADMIN, forceRowSecurity, PRINCIPAL } from "./row-security.ts";
import { SEARCH_SCHEMA, SEARCH_TABLES } from "./search/schema.ts";

/** A step from one version of the database's schema to the next. */
export interface Migration {
  readonly name: string;
  readonly sql: string;
}

/** Role that requests assume if the connection's user bypasses row-level security. */
export const MEMBER_ROLE = "groundwork_member";

/** All migrations in order; a released one is never changed. */
export const MIGRATIONS: readonly Migration[] = [
  {
    name: "tokens, repositories and their stored data",
    sql: `
      CREATE FUNCTION groundwork.principal() RETURNS text LANGUAGE sql STABLE PARALLEL SAFE
        AS $$ SELECT coalesce(current_setting('${PRINCIPAL}', true), '') $$;
      CREATE TABLE groundwork.tokens (
        id text PRIMARY KEY,
        name text NOT NULL,
        hash bytea NOT NULL,
        may_submit boolean NOT NULL,
        may_work boolean NOT NULL,
        created_at timestamptz NOT NULL DEFAULT now(),
        expires_at timestamptz,
        revoked_at timestamptz
      );
      CREATE TABLE groundwork.grants (
        token text NOT NULL REFERENCES groundwork.tokens (id),
        repo text NOT NULL,
        may_read boolean NOT NULL,
        may_publish boolean NOT NULL,
        PRIMARY KEY (token, repo)
      );
      ${forceRowSecurity("grants")}
      CREATE POLICY sees ON groundwork.grants FOR SELECT
        USING (token = groundwork.principal() OR groundwork.principal() = '${ADMIN}');
      CREATE POLICY adds ON groundwork.grants FOR INSERT WITH CHECK (groundwork.principal() = '${ADMIN}');

      CREATE TABLE groundwork.repos (
        id integer GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
        name text NOT NULL UNIQUE,
        created_at timestamptz NOT NULL DEFAULT now()
      );
      ${forceRowSecurity("repos")}
      -- Asked once for a statement, not for each repository.
      CREATE POLICY sees ON groundwork.repos FOR SELECT USING (
        (SELECT groundwork.principal()) = '${ADMIN}'
        OR (SELECT EXISTS (SELECT FROM groundwork.grants g WHERE g.token = groundwork.principal() AND g.repo = '*'))
        OR name = ANY (ARRAY(SELECT g.repo FROM groundwork.grants g WHERE g.token = groundwork.principal())));
      CREATE POLICY adds ON groundwork.repos FOR INSERT WITH CHECK (
        EXISTS (SELECT FROM groundwork.grants g
          WHERE g.token = groundwork.principal() AND g.may_publish AND g.repo IN ('*', name)));
      CREATE POLICY removes ON groundwork.repos FOR DELETE USING (groundwork.principal() = '${ADMIN}');
      CREATE FUNCTION groundwork.may_publish(wanted integer) RETURNS boolean LANGUAGE sql STABLE AS $$
        SELECT groundwork.principal() = '${ADMIN}' OR EXISTS (
          SELECT FROM groundwork.repos r JOIN groundwork.grants g
            ON g.token = groundwork.principal() AND g.may_publish AND g.repo IN ('*', r.name)
          WHERE r.id = wanted) $$;

      CREATE TABLE groundwork.objects (
        repo integer NOT NULL REFERENCES groundwork.repos (id) ON DELETE CASCADE,
        name text NOT NULL,
        data bytea NOT NULL,
        stored_at timestamptz NOT NULL DEFAULT now(),
        PRIMARY KEY (repo, name)
      );
      -- They are compressed already.
      ALTER TABLE groundwork.objects ALTER COLUMN data SET STORAGE EXTERNAL;
      ${forceRowSecurity("objects")}
      CREATE POLICY sees ON groundwork.objects FOR SELECT USING (repo = ANY (ARRAY(SELECT id FROM groundwork.repos)));
      CREATE POLICY adds ON groundwork.objects FOR INSERT WITH CHECK (groundwork.may_publish(repo));
      CREATE POLICY alters ON groundwork.objects FOR UPDATE USING (groundwork.may_publish(repo));
      CREATE POLICY removes ON groundwork.objects FOR DELETE USING (groundwork.may_publish(repo));

      CREATE TABLE groundwork.audit (
        id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
        at timestamptz NOT NULL DEFAULT now(),
        principal text NOT NULL DEFAULT groundwork.principal(),
        action text NOT NULL,
        subject text NOT NULL
      );
      ${forceRowSecurity("audit")}
      CREATE POLICY sees ON groundwork.audit FOR SELECT USING (groundwork.principal() = '${ADMIN}');
      CREATE POLICY adds ON groundwork.audit FOR INSERT WITH CHECK (principal = groundwork.principal() AND principal <> '');
    `,
  },
  { name: "questions across repositories", sql: SEARCH_SCHEMA },
  { name: "shared figures", sql: FIGURES_SCHEMA },
  { name: "Codex jobs of a team", sql: JOBS_SCHEMA },
  { name: "what calls what in repositories", sql: CODE_SCHEMA },
];

const named = (tables: readonly string[]) => tables.map((table) => `groundwork.${table}`).join(", ");

/** Privileges of the member role; the policies restrict the rows. Applied again after every migration. */
export const GRANTS = `
  GRANT USAGE ON SCHEMA groundwork TO ${MEMBER_ROLE};
  GRANT SELECT ON groundwork.grants TO ${MEMBER_ROLE};
  GRANT SELECT, INSERT ON groundwork.repos TO ${MEMBER_ROLE};
  GRANT SELECT, INSERT, UPDATE, DELETE ON ${named(["objects", ...SEARCH_TABLES, ...CODE_TABLES, ...JOB_TABLES])} TO ${MEMBER_ROLE};
  GRANT INSERT ON groundwork.audit TO ${MEMBER_ROLE};
  GRANT SELECT, INSERT ON groundwork.figures TO ${MEMBER_ROLE};
`;
