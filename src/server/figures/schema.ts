import { ADMIN, forceRowSecurity } from "../row-security.ts";

/** Shared figures: rows are added by any token, visible to holders who may read a repository, and removed by the admin. */
export const FIGURES_SCHEMA = `
  CREATE TABLE groundwork.figures (
    token text NOT NULL REFERENCES groundwork.tokens (id),
    batch text NOT NULL,
    day date NOT NULL,
    counts jsonb NOT NULL,
    stored_at timestamptz NOT NULL DEFAULT now(),
    PRIMARY KEY (token, batch, day)
  );
  CREATE INDEX figures_by_day ON groundwork.figures (day);
  CREATE INDEX figures_by_token ON groundwork.figures (token, stored_at);
  ${forceRowSecurity("figures")}
  CREATE POLICY sees ON groundwork.figures FOR SELECT USING (
    token = groundwork.principal() OR groundwork.principal() = '${ADMIN}'
    OR EXISTS (SELECT FROM groundwork.grants g WHERE g.token = groundwork.principal() AND g.may_read));
  CREATE POLICY adds ON groundwork.figures FOR INSERT WITH CHECK (token = groundwork.principal());
  CREATE POLICY removes ON groundwork.figures FOR DELETE USING (groundwork.principal() = '${ADMIN}');
`;
