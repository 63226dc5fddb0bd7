import { guardPublished } from "../search/schema.ts";

/** Tables with the call graphs of repositories. The messages that fill them are defined in `team/shared-code.ts`. */
export const CODE_TABLES = ["code", "graphs"] as const;

/**
 * Code of files is keyed by its hash, because a file's edges can change when other files do. The graph of a repository
 * maps the files of its state to their code; every state gets a new graph id.
 */
export const CODE_SCHEMA = `
  CREATE TABLE groundwork.code (
    repo integer NOT NULL REFERENCES groundwork.repos (id) ON DELETE CASCADE,
    name bytea NOT NULL,
    symbols text NOT NULL,
    edges text NOT NULL,
    PRIMARY KEY (repo, name)
  );
  CREATE TABLE groundwork.graphs (
    id integer GENERATED ALWAYS AS IDENTITY,
    repo integer PRIMARY KEY REFERENCES groundwork.repos (id) ON DELETE CASCADE,
    code bytea NOT NULL,
    starts bytea NOT NULL,
    targets bytea NOT NULL
  );
  ${CODE_TABLES.map(guardPublished).join("")}
`;
