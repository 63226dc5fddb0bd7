import { isCount, parseObject, textOf } from "../../base/text.ts";
import type { TeamServerPlace } from "../../config/team-server.ts";
import { type Outcome, succeed } from "../../contract/faults.ts";
import {
  type ClaimedTeamJob,
  FENCE_HEADER,
  TEAM_SANDBOXES,
  type TeamJobEnd,
  type TeamJobWish,
} from "../../contract/team-jobs.ts";
import { sendToTeam, type TeamReply } from "../ask-server.ts";
import { toBytes } from "./read-reply.ts";

/**
 * Outcome of a message to the server: `over` if the attempt is no longer the worker's, `away` if no answer has settled
 * it.
 */
export type Delivery<T> =
  | { readonly is: "heard"; readonly value: T }
  | { readonly is: "over" }
  | { readonly is: "away" };

const ID = /^cdx-[A-Za-z0-9_-]{1,100}$/;

/** Claims a job from the queue; null if there is none for this worker. Contract: never throws. */
export async function claimJob(
  access: TeamServerPlace,
  wish: TeamJobWish,
  signal: AbortSignal,
): Promise<Outcome<ClaimedTeamJob | null>> {
  const body = JSON.stringify(wish);
  const answer = await sendToTeam(access, { method: "POST", path: "/v1/jobs/claim", body, signal });
  const taken = toBytes(access, answer);
  if (!taken.ok) return taken;
  return succeed(answer?.status === 200 ? toClaimed(taken.value) : null);
}

function toClaimed(body: Buffer): ClaimedTeamJob | null {
  const given = parseObject(body.toString("utf8"));
  const sandbox = TEAM_SANDBOXES.find((known) => known === given?.["sandbox"]);
  const [id, fence] = [textOf(given, "id"), textOf(given, "fence")];
  const { attempt, timeout_seconds: timeout } = given ?? {};
  if (given === null || sandbox === undefined || !ID.test(id) || !/^[\w-]{1,100}$/.test(fence)) return null;
  if (!isCount(attempt) || !isCount(timeout)) return null;
  const texts = { repo: textOf(given, "repo"), commit: textOf(given, "commit"), task: textOf(given, "task") };
  const rest = { tag: textOf(given, "tag"), sandbox, network: given["network"] === true, timeout_seconds: timeout };
  return { id, attempt, fence, ...texts, ...rest };
}

/** Client for an attempt that a worker holds. Contract: never throws; `over` if the attempt is no longer its own. */
export function openAttempt(access: TeamServerPlace, { id, attempt, fence }: ClaimedTeamJob, signal: AbortSignal) {
  const tell = async (method: "POST" | "PUT", what: string, body?: string | Uint8Array): Promise<TeamReply | null> =>
    sendToTeam(access, {
      method,
      path: `/v1/jobs/${id}/${attempt}/${what}`,
      headers: { [FENCE_HEADER]: fence },
      ...(body === undefined ? {} : { body }),
      signal,
    });
  return {
    /** Reports that the worker is alive; returns whether the job is to be stopped. */
    heartbeat: async (): Promise<Delivery<boolean>> =>
      toDelivery(await tell("POST", "heartbeat"), ({ stop }) => stop === true),
    /** Sends a piece; returns the number of bytes that the server has, or null if it accepts no more. */
    send: async (kind: "log" | "result", at: number, piece: Buffer): Promise<Delivery<number | null>> =>
      toDelivery(await tell("PUT", `${kind}?at=${at}`, piece), ({ bytes, cut }) =>
        cut === true || !isCount(bytes) ? null : bytes,
      ),
    /** Ends the attempt; returns the resulting state of the job. */
    end: async (end: TeamJobEnd): Promise<Delivery<string>> =>
      toDelivery(await tell("POST", "end", JSON.stringify(end)), (data) => textOf(data, "state")),
  };
}

/** Return type of `openAttempt`. */
export type Attempt = ReturnType<typeof openAttempt>;

/** A server that is away or overloaded may still answer; every other answer is final. */
function toDelivery<T>(answer: TeamReply | null, read: (data: Readonly<Record<string, unknown>>) => T): Delivery<T> {
  if (answer === null || answer.status >= 500 || answer.status === 429) return { is: "away" };
  const data = answer.status === 200 ? parseObject(answer.body.toString("utf8")) : null;
  return data === null ? { is: "over" } : { is: "heard", value: read(data) };
}
