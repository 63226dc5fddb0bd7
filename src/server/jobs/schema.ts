import { TEAM_JOB_STATES, TEAM_SANDBOXES } from "../../contract/team-jobs.ts";
import { ADMIN, forceRowSecurity } from "../row-security.ts";

const oneOf = (column: string, values: readonly string[]) =>
  `CHECK (${column} IN (${values.map((value) => `'${value}'`).join(", ")}))`;

/** True if the row's job was submitted by the principal, or is or was last held by it. */
const OF_OWN_JOB = `EXISTS (SELECT FROM groundwork.jobs j WHERE j.id = job
  AND groundwork.principal() IN ('${ADMIN}', j.submitter, j.worker))`;
/** True if the principal holds the attempt that the row belongs to. */
const ofHeldAttempt = (attempt: string) => `EXISTS (SELECT FROM groundwork.jobs j WHERE j.id = job
  AND j.worker = groundwork.principal() AND j.state = 'running' AND j.attempt = ${attempt})`;

/**
 * SQL of the tables of a team's Codex jobs. A job is visible to its submitter, to workers while it is queued, to the
 * worker that holds it or held it last, and to the admin. The data of the current attempt is kept in the job's own row,
 * so that lease, fence and state always change together, under one lock.
 */
export const JOBS_SCHEMA = `
  CREATE FUNCTION groundwork.may_submit() RETURNS boolean LANGUAGE sql STABLE SECURITY DEFINER SET search_path = pg_catalog
    AS $$ SELECT EXISTS (SELECT FROM groundwork.tokens WHERE id = groundwork.principal() AND may_submit) $$;
  CREATE FUNCTION groundwork.may_work() RETURNS boolean LANGUAGE sql STABLE SECURITY DEFINER SET search_path = pg_catalog
    AS $$ SELECT EXISTS (SELECT FROM groundwork.tokens WHERE id = groundwork.principal() AND may_work) $$;

  CREATE TABLE groundwork.jobs (
    id text PRIMARY KEY,
    submitter text NOT NULL DEFAULT groundwork.principal(),
    repo text NOT NULL,
    revision text NOT NULL,
    task text NOT NULL,
    title text NOT NULL,
    tag text NOT NULL,
    sandbox text NOT NULL ${oneOf("sandbox", TEAM_SANDBOXES)},
    network boolean NOT NULL,
    timeout_seconds integer NOT NULL,
    retries_left integer NOT NULL,
    state text NOT NULL DEFAULT 'queued' ${oneOf("state", TEAM_JOB_STATES)},
    created_at timestamptz NOT NULL DEFAULT now(),
    updated_at timestamptz NOT NULL DEFAULT now(),
    ended_at timestamptz,
    stop_asked_at timestamptz,
    attempt integer NOT NULL DEFAULT 0,
    worker text,
    worker_name text NOT NULL DEFAULT '',
    fence text,
    lease_until timestamptz,
    log_bytes integer NOT NULL DEFAULT 0,
    log_cut boolean NOT NULL DEFAULT false,
    result_bytes integer NOT NULL DEFAULT 0,
    commit_id text NOT NULL DEFAULT '',
    exit_code integer,
    classification text NOT NULL DEFAULT '',
    tokens_used text NOT NULL DEFAULT '',
    reason text NOT NULL DEFAULT '',
    result_head text,
    result_sha256 text
  );
  CREATE INDEX jobs_waiting ON groundwork.jobs (created_at, id) WHERE state = 'queued';
  CREATE INDEX jobs_leased ON groundwork.jobs (lease_until) WHERE state = 'running';
  CREATE INDEX jobs_submitted ON groundwork.jobs (submitter, created_at DESC, id DESC);
  CREATE INDEX jobs_ended ON groundwork.jobs (ended_at) WHERE ended_at IS NOT NULL;
  ${forceRowSecurity("jobs")}
  CREATE POLICY sees ON groundwork.jobs FOR SELECT USING (
    groundwork.principal() IN ('${ADMIN}', submitter, worker) OR (state = 'queued' AND (SELECT groundwork.may_work())));
  CREATE POLICY adds ON groundwork.jobs FOR INSERT WITH CHECK (
    submitter = groundwork.principal() AND (SELECT groundwork.may_submit()) AND state = 'queued' AND worker IS NULL);
  CREATE POLICY alters ON groundwork.jobs FOR UPDATE USING (
    groundwork.principal() IN ('${ADMIN}', submitter, worker) OR (state = 'queued' AND (SELECT groundwork.may_work())));
  CREATE POLICY removes ON groundwork.jobs FOR DELETE USING (groundwork.principal() = '${ADMIN}');

  CREATE TABLE groundwork.job_attempts (
    job text NOT NULL REFERENCES groundwork.jobs (id) ON DELETE CASCADE,
    number integer NOT NULL,
    worker_name text NOT NULL,
    state text NOT NULL DEFAULT 'running' ${oneOf("state", TEAM_JOB_STATES)},
    reason text NOT NULL DEFAULT '',
    started_at timestamptz NOT NULL DEFAULT now(),
    ended_at timestamptz,
    PRIMARY KEY (job, number)
  );
  ${forceRowSecurity("job_attempts")}
  CREATE POLICY sees ON groundwork.job_attempts FOR SELECT USING (${OF_OWN_JOB});
  CREATE POLICY adds ON groundwork.job_attempts FOR INSERT WITH CHECK (${ofHeldAttempt("number")});
  CREATE POLICY alters ON groundwork.job_attempts FOR UPDATE USING (${OF_OWN_JOB});
  CREATE POLICY removes ON groundwork.job_attempts FOR DELETE USING (groundwork.principal() = '${ADMIN}');

  -- Logs and results, in pieces; each begins where the one before it ends.
  CREATE TABLE groundwork.job_pieces (
    job text NOT NULL REFERENCES groundwork.jobs (id) ON DELETE CASCADE,
    attempt integer NOT NULL,
    kind text NOT NULL ${oneOf("kind", ["log", "result"])},
    at_byte integer NOT NULL,
    data bytea NOT NULL,
    PRIMARY KEY (job, attempt, kind, at_byte)
  );
  ${forceRowSecurity("job_pieces")}
  CREATE POLICY sees ON groundwork.job_pieces FOR SELECT USING (${OF_OWN_JOB});
  CREATE POLICY adds ON groundwork.job_pieces FOR INSERT WITH CHECK (${ofHeldAttempt("job_pieces.attempt")});
  CREATE POLICY alters ON groundwork.job_pieces FOR UPDATE USING (${ofHeldAttempt("job_pieces.attempt")});
  CREATE POLICY removes ON groundwork.job_pieces FOR DELETE USING (groundwork.principal() = '${ADMIN}');
`;

/** Tables that the member role may access. */
export const JOB_TABLES = ["jobs", "job_attempts", "job_pieces"] as const;
