import type { Limit } from "../contract/limits.ts";
import type { RunDoor } from "../contract/run-history.ts";
import { makeKey } from "./key.ts";
import type { RunRecord } from "./record.ts";

/** A prompt that was not about code. */
interface SilentRun {
  readonly door: RunDoor;
  readonly client: string;
  readonly startMs: number;
  readonly durationMs: number;
  readonly root: string;
  /** Why nothing was injected. */
  readonly why: Limit;
}

/**
 * Creates the short record of a prompt that was not about code, without its text. Separate from `toRecord`, because it
 * needs no rules.
 */
export function toSilentRecord({ door, client, startMs, durationMs, root, why }: SilentRun): RunRecord {
  const key = makeKey(startMs);
  const row = {
    key,
    run_id: `silent-${key.slice(-12)}`,
    created_at: new Date(startMs).toISOString(),
    repo: root,
    door,
    client,
    intent: "none",
    outcome: "silent" as const,
    injected_chars: 0,
    duration_ms: Math.round(durationMs * 10) / 10,
    tools: [],
    limits: [why.text],
    reason: why.text,
    prompt: "",
  };
  return { row, at: startMs, hash: "", codes: [why.code], failed: [] };
}
