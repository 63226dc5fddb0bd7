import { join } from "node:path";
import type { Environment } from "../../base/environment.ts";
import { parseObject, textOf } from "../../base/text.ts";
import { type Outcome, refuse, succeed } from "../../contract/faults.ts";
import { isThreadId } from "../run/events.ts";
import { splitOptions } from "../run/start-option-table.ts";
import { countStdinUses } from "../run/start-options.ts";
import { visitLines } from "./logs.ts";
import { hasValidSeal } from "./seal.ts";
import { JOB_FILES, type JobPlace, readJobRequest, readRecord } from "./store.ts";
import { JOB_TEXTS } from "./texts.ts";

/**
 * Returns the options that resume a job: its own, its Codex session if it left one, and the added ones. Contract: never
 * throws; refuses options that this user has not started, an empty set of options, and options whose standard input is
 * gone.
 */
export async function toResumeArgs(
  place: JobPlace,
  { args, isFresh }: { readonly args: readonly string[]; readonly isFresh: boolean },
  env: Environment,
): Promise<Outcome<readonly string[]>> {
  const request = readJobRequest(place.folder);
  const seal = textOf(readRecord(place.folder, JOB_FILES.request), "seal");
  if (request === null || !hasValidSeal(place.folder, request.args, seal, env))
    return refuse(JOB_TEXTS.notYours(place.id));
  if (request.args === null && args.length === 0) return refuse(JOB_TEXTS.notKept(place.id));
  const thread = isFresh ? null : await findThread(place);
  const { options, rest } = splitOptions(request.args ?? []);
  const added = splitOptions(args);
  const all = [...options, ...(thread === null ? [] : ["--resume-thread", thread]), ...added.options];
  // Only the added options can read standard input: that of the old job is gone.
  if (countStdinUses(all, env) > countStdinUses(added.options, env)) return refuse(JOB_TEXTS.noInput(place.id));
  return succeed([...all, ...(rest.length + added.rest.length === 0 ? [] : ["--"]), ...rest, ...added.rest]);
}

/** Codex's id of the last session of a run; null if it left none. */
async function findThread({ folder }: JobPlace): Promise<string | null> {
  let thread: string | null = null;
  const isRead = await visitLines(join(folder, JOB_FILES.events), (line) => {
    if (line.includes("thread.started")) thread = threadOf(line.toString("utf8")) ?? thread;
  });
  return isRead ? thread : null;
}

function threadOf(line: string): string | null {
  const event = parseObject(line);
  const thread = event?.["type"] === "thread.started" ? textOf(event, "thread_id") : "";
  return isThreadId(thread) ? thread : null;
}
