import { type ListedTeamJob, type TeamJob, toBranch } from "../../contract/team-jobs.ts";
import { type SqlRow, toTime } from "../sql.ts";

/** A job as an entry of a list. */
export function toListed(row: SqlRow): ListedTeamJob {
  return {
    id: String(row["id"]),
    state: row["state"] as TeamJob["state"],
    createdAt: toTime(row["created_at"]) ?? "",
    updatedAt: toTime(row["updated_at"]) ?? "",
    tag: String(row["tag"]),
    title: String(row["title"]),
    repo: String(row["repo"]),
    attempt: Number(row["attempt"]),
  };
}

/** A job with its attempts, as shown to its submitter. */
export function toJob(row: SqlRow, attempts: readonly SqlRow[]): TeamJob {
  const { createdAt, updatedAt, ...listed } = toListed(row);
  const { id, attempt } = listed;
  const text = (name: string) => String(row[name] ?? "");
  const sha256 = row["result_sha256"];
  const result = { branch: toBranch(id, attempt), head: text("result_head"), bytes: Number(row["result_bytes"]) };
  return {
    ...listed,
    created_at: createdAt,
    updated_at: updatedAt,
    exit_code: row["exit_code"] === null ? null : Number(row["exit_code"]),
    classification: text("classification"),
    reason: text("reason"),
    tokens_used: text("tokens_used"),
    commit: text("commit_id") || text("revision"),
    sandbox: row["sandbox"] as TeamJob["sandbox"],
    network: row["network"] === true,
    retries_left: Number(row["retries_left"]),
    worker: text("worker_name"),
    stop_asked: row["stop_asked_at"] !== null,
    log_bytes: Number(row["log_bytes"]),
    log_cut: row["log_cut"] === true,
    result: typeof sha256 === "string" ? { ...result, sha256 } : null,
    attempts: attempts.map((one) => ({
      attempt: Number(one["number"]),
      worker: String(one["worker_name"]),
      state: one["state"] as TeamJob["state"],
      reason: String(one["reason"]),
      started_at: toTime(one["started_at"]) ?? "",
      ended_at: toTime(one["ended_at"]),
    })),
  };
}
