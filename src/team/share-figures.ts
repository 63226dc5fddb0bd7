import type { TeamServerPlace } from "../config/team-server.ts";
import type { FigureBatch } from "../contract/figures.ts";
import { askTeamServer } from "./ask-server.ts";

/** Batches that wait to be sent, and how to remove them. */
interface WaitingFigures {
  readonly batches: readonly FigureBatch[];
  /** Removes a batch that the server has accepted or will never accept. */
  readonly remove: (batch: string) => void;
}

/** Time limit for one batch. */
const BATCH_MS = 10_000;

/**
 * Sends waiting batches, oldest first, and stops at the first that the server cannot accept now. Returns the reason if
 * not all were accepted, otherwise an empty text. Contract: never throws; a batch that is sent again because the
 * process ended before removing it counts once.
 */
export async function shareFigures(
  place: TeamServerPlace,
  { batches, remove }: WaitingFigures,
  signal: AbortSignal,
): Promise<string> {
  let refused = "";
  for (const batch of batches) {
    const limit = AbortSignal.any([signal, AbortSignal.timeout(BATCH_MS)]);
    const done = await askTeamServer(place, { method: "POST", path: "/v1/figures", body: batch, signal: limit });
    if (!done.ok && done.fault.code !== "E_INVALID_ARGS") return done.fault.message;
    // A batch with invalid content would be refused for ever and block the others.
    if (!done.ok) refused = done.fault.message;
    remove(batch.batch);
  }
  return refused;
}
