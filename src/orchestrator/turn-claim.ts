import { existsSync } from "node:fs";
import { join } from "node:path";
import type { Environment } from "../base/environment.ts";
import { claimStateFile } from "../base/state-files.ts";
import { folderInState, mixedHash } from "../config/places.ts";
import type { Prompt } from "./judge.ts";

/** Claims expire after an hour: several hooks for one prompt run at the same time or in quick succession. */
const MAX_AGE_MS = 3_600_000;
const MOST = 200;
const OURS = /^[0-9a-f]{24}$/;
/** First line of the evidence that `codex-auto` and `groundwork enrich` add to a prompt. */
const ENRICHED = /^\[groundwork run \d{8}-\d{6}-[0-9a-f]{6}\]$/m;

/**
 * True if a prompt already has its evidence: it came through an adapter that adds the evidence to the prompt itself, or
 * another of our hooks has answered for the same turn of the client's session.
 */
export function isAnswered(prompt: Prompt, env: Environment): boolean {
  if (prompt.client.event === "UserPromptSubmit" && ENRICHED.test(prompt.text)) return true;
  const place = placeOf(prompt, env);
  return place !== null && existsSync(join(place.folder, place.name));
}

/**
 * Claims the turn of a prompt that is about to be answered. Contract: returns true for exactly one of several hooks for
 * the same turn; always returns true if the turn has no id or the machine has no state folder.
 */
export function claimTurn(prompt: Prompt, env: Environment, nowMs: number): boolean {
  const place = placeOf(prompt, env);
  if (place === null) return true;
  const keeping = { isOurs: (name: string) => OURS.test(name), most: MOST, maxAgeMs: MAX_AGE_MS, nowMs };
  return claimStateFile(place.folder, place.name, keeping);
}

function placeOf({ client, turnId }: Prompt, env: Environment): { folder: string; name: string } | null {
  const folder = folderInState(env, "turns");
  if (folder === null || client.session_id === undefined || turnId === undefined) return null;
  return { folder, name: mixedHash(`${client.session_id}\0${turnId}`) };
}
