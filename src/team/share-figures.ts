import type { TeamServerPlace } from "../config/team-server.ts";
import type { Outcome } from "../contract/faults.ts";
import type { FigureBatch } from "../contract/figures.ts";
import { askTeamServer } from "./ask-server.ts";

/** What waits to be sent, and where it is kept that it was. */
interface WaitingFigures {
  readonly batches: readonly FigureBatch[];
  /** The server has this batch, or will never take it. */
  readonly remove: (batch: string) => void;
}

/** The longest that the server is waited for, for one batch. */
const BATCH_MS = 10_000;

/**
 * Sends what waits, oldest first, and stops at the first that the server cannot take now. Returns why not all of it was taken; empty where all was.
 * Contract: never throws; a batch that is sent again because nobody lived to remove it counts once.
 */
export async function shareFigures(
  place: TeamServerPlace,
  { batches, remove }: WaitingFigures,
  signal: AbortSignal,
): Promise<string> {
  let refused = "";
  for (const batch of batches) {
    const limit = AbortSignal.any([signal, AbortSignal.timeout(BATCH_MS)]);
    const done: Outcome<unknown> = await askTeamServer(place, {
      method: "POST",
      path: "/v1/figures",
      body: batch,
      signal: limit,
    });
    if (!done.ok && done.fault.code !== "E_INVALID_ARGS") return done.fault.message;
    // One that is refused for what it is would be refused for ever, and hold up the others.
    if (!done.ok) refused = done.fault.message;
    remove(batch.batch);
  }
  return refused;
}
