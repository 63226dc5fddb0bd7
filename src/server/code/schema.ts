import { guardPublished } from "../search/schema.ts";

/** Tables with what calls what in repositories. What is sent for them stands in `team/shared-code.ts`. */
export const CODE_TABLES = ["code", "graphs"] as const;

/**
 * The code of files is found by a hash of it, because the edges of a file change when others do. The graph of a repository says which file of
 * its state has which; its id is another one for every state.
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
