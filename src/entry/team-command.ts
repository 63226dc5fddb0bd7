import type { OptionsOf } from "../adapters/cli/commands/table.ts";
import { DURATION_FORM, parseDuration } from "../base/duration.ts";
import { splitNames, toOneLine, toTable } from "../base/text.ts";
import { countOf } from "../contract/count-of.ts";
import { sayFault } from "../contract/faults.ts";
import { guardOwn } from "../lifecycle/guard.ts";
import type { TeamDatabase } from "../server/database.ts";
import { purgeJob, purgeRepo } from "../server/purge.ts";
import { createToken, type ListedToken, listTokens, revokeTokens } from "../server/tokens.ts";
import { failed, misuse, type Printed } from "./printed.ts";
import { canAsk, confirm, writeAll } from "./process.ts";
import { openTeamDatabase } from "./team-database.ts";

/**
 * `groundwork team token create|list|revoke`, `purge` and `worker`: manages the rights on a team server, removes data
 * from it, and runs its jobs.
 */
export async function steerTeam(words: readonly string[], options: OptionsOf<"team">): Promise<Printed> {
  const [subject = "", ...rest] = words;
  if (subject === "token") return steerTokens(rest, options);
  if (subject === "purge") return purge(rest, options);
  // A worker talks to the server, not to its database.
  if (subject === "worker") return (await import("./worker-command.ts")).runTeamWorker(rest, options);
  return misuse(`team knows token, purge and worker, not "${subject}"`, "team");
}

async function steerTokens(words: readonly string[], options: OptionsOf<"team">): Promise<Printed> {
  const [action = "list", ...rest] = words;
  const most = action === "revoke" ? 1 : 0;
  if (rest.length > most)
    return misuse(`team token ${action} takes ${most === 0 ? "no arguments" : "one id or name"}`, "team");
  if (action === "create") return withDatabase(options, (database) => create(database, options));
  if (action === "list") return withDatabase(options, (database) => list(database, options));
  if (action === "revoke") return withDatabase(options, (database) => revoke(database, rest[0]));
  return misuse(`team token knows create, list and revoke, not ${action}`, "team");
}

async function withDatabase(
  options: OptionsOf<"team">,
  work: (database: TeamDatabase) => Promise<Printed>,
): Promise<Printed> {
  const opened = await openTeamDatabase(options.database, 0, (what) => writeAll(2, `groundwork: ${what}\n`));
  if (!opened.ok) return misuse(sayFault(opened.fault), "team");
  try {
    return await work(opened.value);
  } finally {
    await opened.value.close();
  }
}

async function create(database: TeamDatabase, options: OptionsOf<"team">): Promise<Printed> {
  const { name = "", read, publish, submit, worker, expires } = options;
  if (name === "") return misuse("team token create needs --name N: who or what it is for", "team");
  const expiresMs = expires === undefined ? null : parseDuration(expires);
  if (expires !== undefined && expiresMs === null)
    return misuse(`--expires takes ${DURATION_FORM}, not ${expires}`, "team");
  const rights = {
    read: splitNames(read ?? ""),
    publish: splitNames(publish ?? ""),
    maySubmit: submit === true,
    mayWork: worker === true,
  };
  if (rights.read.length + rights.publish.length === 0 && !rights.maySubmit && !rights.mayWork)
    return misuse("this token would grant nothing: give --read, --publish, --submit or --worker", "team");
  const made = await createToken(database, name, rights, expiresMs);
  if (made.ok) return { text: `${made.value}\n`, exitCode: 0 };
  return made.fault.code === "E_INVALID_ARGS" ? misuse(made.fault.message, "team") : failed(made.fault);
}

async function list(database: TeamDatabase, options: OptionsOf<"team">): Promise<Printed> {
  const found = await listTokens(database);
  if (!found.ok) return failed(found.fault);
  if (options.json === true)
    return {
      text: `${JSON.stringify({ schema_version: "1.0", tokens: found.value.map(toJson) }, null, 2)}\n`,
      exitCode: 0,
    };
  if (found.value.length === 0) return { text: "There is no token yet; see: groundwork help team\n", exitCode: 0 };
  const head = ["id", "name", "state", "until", "may"];
  const rows = found.value.map((token) => [
    token.id,
    guardOwn(token.name),
    token.state,
    token.expiresAt?.slice(0, 10) ?? "",
    describeRights(token),
  ]);
  return { text: `${toTable([head, ...rows])}\n`, exitCode: 0 };
}

function toJson(token: ListedToken): Readonly<Record<string, unknown>> {
  const { id, name, state, read, publish } = token;
  const rights = { read, publish, submit: token.maySubmit, worker: token.mayWork };
  return { id, name, state, ...rights, created_at: token.createdAt, expires_at: token.expiresAt };
}

function describeRights({ read, publish, maySubmit, mayWork }: ListedToken): string {
  const parts = [
    ...(read.length > 0 ? [`read ${read.join(",")}`] : []),
    ...(publish.length > 0 ? [`publish ${publish.join(",")}`] : []),
    ...(maySubmit ? ["submit"] : []),
    ...(mayWork ? ["work"] : []),
  ];
  return parts.join("; ");
}

async function revoke(database: TeamDatabase, idOrName: string | undefined): Promise<Printed> {
  if (idOrName === undefined) return misuse("team token revoke needs the id or the name of a token", "team");
  const done = await revokeTokens(database, idOrName);
  if (!done.ok) return failed(done.fault);
  if (done.value === 0) return misuse(`no valid token has the id or name ${idOrName}`, "team");
  return { text: `Revoked ${countOf(done.value, "token")}.\n`, exitCode: 0 };
}

async function purge(words: readonly string[], options: OptionsOf<"team">): Promise<Printed> {
  const [name] = words;
  const { job } = options;
  if (words.length > 1 || (name === undefined) === (job === undefined))
    return misuse("team purge needs the name of one repository, or --job ID", "team");
  const what = toOneLine(guardOwn(name ?? `the job ${job}`));
  const parts = name === undefined ? "its log and its result" : "all its bases";
  if (options.yes !== true) {
    if (!canAsk()) return misuse("there is no terminal to ask on; run it with --yes", "team");
    if (!(await confirm(`Remove ${what} and ${parts} from the server, for good?`)))
      return { text: "Nothing was changed.\n", exitCode: 1 };
  }
  return withDatabase(options, async (database) => {
    const done = name === undefined ? await purgeJob(database, job ?? "") : await purgeRepo(database, name);
    if (!done.ok) return failed(done.fault);
    if (!done.value)
      return misuse(
        `the server has no ${name === undefined ? "job" : "repository"} ${toOneLine(guardOwn(name ?? job ?? ""))}`,
        "team",
      );
    return { text: `Removed ${what}. Backups of the database still have it.\n`, exitCode: 0 };
  });
}
